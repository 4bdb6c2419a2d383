/** Finds the sessions of a layout that run, and plans what `orchd up` has to do for the others. */
import { realpathSync } from 'node:fs';
import type { Client } from '../../client/index.js';
import { displayLine, nearest, OrchdError, type Session } from '../../protocol/index.js';
import { findLayout, type Layout, type LayoutSession, readLayout } from '../../tui/index.js';

export interface Planned {
  readonly entry: LayoutSession;
  /**
   * `running`: it lives. `revive`: it ran in the same directory with the same command, and goes on. `taken`: a session
   * that lives elsewhere has its name.
   */
  readonly step: 'running' | 'revive' | 'start' | 'taken';
  /** The session that runs, is revived, or has the name. */
  readonly session: Session | null;
}

/**
 * Reads the layout of the directory's project.
 * @throws {OrchdError} ORCHD_FILE if there is none; ORCHD_LAYOUT
 */
export function layoutHere(cwd: string): Layout {
  const file = findLayout(cwd);
  if (file !== null) return readLayout(file);
  const words =
    `there is no .orchd/layout.toml in ${cwd} or above; ` +
    'the shortest one has three lines: [[session]], name = "api", command = "npm start"';
  throw new OrchdError('ORCHD_FILE', words);
}

/** @throws {OrchdError} ORCHD_USAGE for a name that the layout does not have. */
export function chosenEntries({ sessions, file }: Layout, names: readonly string[]): readonly LayoutSession[] {
  if (names.length === 0) return sessions;
  const all = sessions.map(({ name }) => name);
  const unknown = names.find((name) => !all.includes(name));
  if (unknown === undefined) return sessions.filter(({ name }) => names.includes(name));
  const near = nearest(unknown, all);
  const hint = near === null ? `there are ${all.join(', ')}` : `did you mean ${near}?`;
  throw new OrchdError('ORCHD_USAGE', `${file} has no session '${displayLine(unknown)}'; ${hint}`);
}

/** Returns the running sessions of a layout. A session in another directory that has the same name is not included. */
export async function runningOf(client: Client, entries: readonly LayoutSession[]): Promise<readonly Session[]> {
  const sessions = await client.call('session.list', {});
  return sessions.filter(
    (session) =>
      session.ended_at === null &&
      session.mode !== 'batch' &&
      entries.some((entry) => entry.name === session.name && isThere(session, entry)),
  );
}

export async function planOf(client: Client, entries: readonly LayoutSession[]): Promise<readonly Planned[]> {
  const sessions = await client.call('session.list', { all: true });
  return entries.map((entry): Planned => {
    const own = sessions.filter(({ name, mode }) => name === entry.name && mode !== 'batch');
    const living = own.find(({ ended_at }) => ended_at === null);
    if (living) return { entry, step: isThere(living, entry) ? 'running' : 'taken', session: living };
    const before = own
      .filter((session) => isThere(session, entry) && isSame(session.command, entry.command))
      .sort((a, b) => b.created_at.localeCompare(a.created_at))[0];
    return before ? { entry, step: 'revive', session: before } : { entry, step: 'start', session: null };
  });
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((word, at) => word === b[at]);

const isThere = ({ cwd }: Session, entry: LayoutSession): boolean => real(cwd) === real(entry.cwd);

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // the directory of an ended session may be gone
  }
}
