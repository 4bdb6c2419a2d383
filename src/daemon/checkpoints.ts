/**
 * Checkpoints: where a session's hearing goes on after a restart of the daemon.
 *
 *     small     in the log, in the transaction of what it stands behind: while nothing has begun and nothing is painted
 *     large     `hearing.json` beside the journal, every LARGE_EVERY_BYTES while the program paints: written when everything up to its
 *               position is in the log, and never used beyond the log's cursor; so an older file costs time, and a newer one no harm;
 *               and when the session has ended, for the day that it is revived
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hearing } from '../session/index.js';
import type { Cursor } from '../store/index.js';
import type { Log } from './log.js';

export interface OpenedHearing {
  readonly hearing: Hearing;
  /** It has heard everything before this. */
  readonly hearFrom: number;
}

interface Checkpoint {
  readonly position: number;
  readonly state: unknown;
}

const FILE = 'hearing.json';
/** A larger state (a block is open) is not worth writing each time: an older one and its journal are. */
const MAX_SMALL_CHARS = 16 * 1024;
/** Hearing so much that is painted takes one or two seconds; writing a large checkpoint some 20 ms. */
const LARGE_EVERY_BYTES = 2 * 1024 * 1024;

/**
 * A hearing that goes on from the newest checkpoint that can be used; else everything is heard again, and what is in the log stays as
 * it is.
 *
 * @param cursor  The log's; undefined for a session that is new.
 */
export async function openHearing(dir: string, cursor: Cursor | undefined, log: Log): Promise<OpenedHearing> {
  const { createHearing } = await import('../session/index.js');
  const large = readLarge(dir);
  const known = [cursor?.checkpoint, large && large.position <= (cursor?.position ?? 0) ? large : null];
  const usable = known.filter((one): one is Checkpoint => one !== null && one !== undefined);
  for (const { position, state } of usable.sort((a, b) => b.position - a.position)) {
    try {
      return { hearing: createHearing({ checkpoint: state }), hearFrom: position };
    } catch (error) {
      log.error('a checkpoint cannot be used; an older one is, or the journal is heard again', error, { dir });
    }
  }
  return { hearing: createHearing(), hearFrom: 0 };
}

/** What goes into the log with everything up to a position: `{checkpoint}`, or nothing. */
export function smallCheckpoint(hearing: Hearing, position: number): { checkpoint?: Checkpoint } {
  const state = hearing.isAtRest() ? hearing.state() : null;
  const isSmall = state !== null && JSON.stringify(state).length <= MAX_SMALL_CHARS;
  return isSmall ? { checkpoint: { position, state } } : {};
}

export class LargeCheckpoints {
  readonly #dir: string;
  readonly #hearing: Hearing;
  #last: number;

  /** @param hearFrom  Where the hearing began. */
  constructor(dir: string, { hearing, hearFrom }: OpenedHearing) {
    this.#dir = dir;
    this.#hearing = hearing;
    this.#last = hearFrom;
  }

  /** @returns What to call once everything up to the position is in the log; null while none is due, or none can be made. */
  make(position: number): (() => void) | null {
    if (position - this.#last < LARGE_EVERY_BYTES) return null;
    const isPainted = this.#hearing.state() === null;
    const state = isPainted ? this.#hearing.rebase() : null;
    if (isPainted && state === null) return null; // in the middle of a picture: the next time
    this.#last = position;
    if (state === null) return null;
    const text = JSON.stringify({ position, state } satisfies Checkpoint); // at once: the hearing goes on
    return () => writeLarge(this.#dir, text);
  }

  remove(): void {
    rmSync(join(this.#dir, FILE), { force: true });
  }
}

/** What a session that ended goes on with, if it is ever revived. Without it, its journal is heard again. */
export function keepHearing(dir: string, hearing: Hearing, position: number): void {
  const state = hearing.state() ?? hearing.rebase();
  if (state !== null) writeLarge(dir, JSON.stringify({ position, state } satisfies Checkpoint));
}

function readLarge(dir: string): Checkpoint | null {
  try {
    const value = JSON.parse(readFileSync(join(dir, FILE), 'utf8')) as Partial<Checkpoint>; // our own file; checked below
    if (typeof value.position !== 'number' || typeof value.state !== 'object') return null;
    return { position: value.position, state: value.state };
  } catch {
    return null;
  }
}

/** A full disk costs time at the next start, nothing else. */
function writeLarge(dir: string, text: string): void {
  const path = join(dir, FILE);
  try {
    writeFileSync(`${path}.new`, text, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {
    rmSync(`${path}.new`, { force: true });
  }
}
