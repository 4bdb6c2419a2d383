/**
 * The branches and the sizes of the changes of all sessions in linked worktrees, for lists.
 *
 * In:   the sessions, whenever a client asks.
 * Out:  the last results. Old results are renewed in the background, one directory after the other, so that a list
 *       does not wait for git. It waits up to FIRST_WAIT_MS for a directory without an earlier result.
 */
import type { OutputOf } from '../../protocol/index.js';
import { limitConcurrency } from '../concurrency/index.js';
import { changesIn } from './changes.js';
import { isInLinkedWorktree } from './repository.js';

type Changes = OutputOf<'session.changes'>;
type Size = Pick<Changes, 'branch' | 'file_count' | 'added' | 'removed'>;
type WorktreeSize = Size & { readonly session_id: string };

interface Subject {
  readonly id: string;
  readonly cwd: string;
  readonly isAlive: boolean;
}

interface MeasuredSize {
  /** Null for a directory in no linked worktree, and if git fails. */
  readonly size: Size | null;
  readonly at: number;
  /** Duration of the measurement. */
  readonly tookMs: number;
}

const FIRST_WAIT_MS = 500;
/** Shortest time between two looks at a directory. */
const LIVING_MS = 5_000;
const ENDED_MS = 60_000;
/** Git may use at most this part of a core for one directory. */
const SHARE = 1 / 20;

/**
 * Returns the branches and the sizes of the changes of sessions in linked worktrees, from a cache that is renewed in
 * the background.
 */
export class WorktreeSizes {
  readonly #known = new Map<string, MeasuredSize>();
  readonly #looking = new Map<string, Promise<void>>();
  /** Number of calls of `forget`. The result of a look that began before the last one is dropped. */
  #generation = 0;
  readonly #inTurn = limitConcurrency(1);
  readonly #changes: (directory: string) => Promise<Changes>;
  readonly #now: () => number;

  constructor({ now, changes = (directory) => changesIn(directory, false) }: WorktreeSizesPorts) {
    this.#now = now;
    this.#changes = changes;
  }

  async of(sessions: readonly Subject[]): Promise<WorktreeSize[]> {
    const directories = new Map<string, boolean>();
    for (const { cwd, isAlive } of sessions) directories.set(cwd, isAlive || directories.get(cwd) === true);
    for (const known of this.#known.keys()) if (!directories.has(known)) this.#known.delete(known);
    const firsts = [...directories].flatMap(([directory, isAlive]) => this.#refresh(directory, isAlive) ?? []);
    if (firsts.length > 0) await within(FIRST_WAIT_MS, Promise.all(firsts));
    return sessions.flatMap(({ id, cwd }) => {
      const size = this.#known.get(cwd)?.size;
      // A worktree that was removed since the last look is not listed any more.
      return size && isInLinkedWorktree(cwd) ? [{ session_id: id, ...size }] : [];
    });
  }

  /** Called after a commit, a merge or a discard: all sizes are measured again when a client asks for them. */
  forget(): void {
    this.#known.clear();
    this.#looking.clear();
    this.#generation++;
  }

  /** @returns  The look if it is the first one at a directory; null otherwise. */
  #refresh(directory: string, isAlive: boolean): Promise<void> | null {
    const known = this.#known.get(directory);
    const looking = this.#looking.get(directory);
    if (!known) return looking ?? this.#look(directory);
    const waitMs = Math.max(isAlive ? LIVING_MS : ENDED_MS, known.tookMs / SHARE);
    if (!looking && this.#now() - known.at >= waitMs) void this.#look(directory);
    return null;
  }

  #look(directory: string): Promise<void> {
    const generation = this.#generation;
    const isStill = (): boolean => generation === this.#generation;
    const looking = this.#inTurn(async () => {
      if (!isStill()) return;
      const began = this.#now();
      const size = isInLinkedWorktree(directory) ? await this.#changes(directory).catch(() => null) : null;
      if (!isStill()) return;
      this.#known.set(directory, { size: size && sizeIn(size), at: this.#now(), tookMs: this.#now() - began });
    }).finally(() => {
      if (isStill()) this.#looking.delete(directory);
    });
    this.#looking.set(directory, looking);
    return looking;
  }
}

interface WorktreeSizesPorts {
  readonly now: () => number;
  readonly changes?: (directory: string) => Promise<Changes>;
}

const sizeIn = ({ branch, file_count, added, removed }: Changes): Size => ({ branch, file_count, added, removed });

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
