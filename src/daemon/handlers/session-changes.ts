/** Operations on the working directory of a session: its uncommitted changes, and what becomes of its worktree. */
import { changesIn, commitIn, discardIn, mergeFrom, type WorktreeSizes } from '../git/index.js';
import { loginEnvironment } from '../program/index.js';
import type { Registry } from '../registry/index.js';
import type { Handlers } from './handler.js';

export interface SessionChangesPorts {
  readonly registry: Registry;
  readonly now: () => number;
  readonly worktrees: Pick<WorktreeSizes, 'forget'>;
}

export const sessionChangesHandlers = ({ registry, now, worktrees }: SessionChangesPorts) => {
  /** An act that failed may have changed something, too. */
  const changing = <T>(act: Promise<T>): Promise<T> => act.finally(() => worktrees.forget());
  return {
    'session.changes': async ({ session, patch = false }) => changesIn(registry.session(session).view.cwd, patch),
    'session.commit': async ({ session, message, no_hooks = false, env = loginEnvironment() }) =>
      changing(commitIn(registry.session(session).view.cwd, { message, env, noHooks: no_hooks })),
    'session.merge': async ({ session }) => changing(mergeFrom(registry.session(session).view.cwd)),
    'session.discard': async ({ session }) => {
      const { view } = registry.session(session);
      const inUse = [...registry.entries].filter((entry) => !entry.hasEnded).map((entry) => entry.view.cwd);
      return changing(discardIn(view.cwd, view.name, inUse, new Date(now())));
    },
  } satisfies Partial<Handlers>;
};
