/**
 * Checkpoints: the state from which reading a session continues after a restart of the daemon.
 *
 *     small     in the log, in the same transaction as the position; while no message is incomplete and no screen is
 *               painted
 *     large     `hearing.json` beside the journal, every LARGE_EVERY_BYTES while the program paints. It is written when
 *               everything up to its position is in the log, and never used if its position is beyond the log's cursor,
 *               so a too old or too new file is harmless. Also written when the session ends, for a later revival
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnFile } from '../../host/index.js';
import type { Hearing } from '../../session/index.js';
import type { JournalCursor } from '../../store/index.js';
import type { Log } from '../log.js';

interface OpenedHearing {
  readonly hearing: Hearing;
  /** Everything before this position is included in the state. */
  readonly hearFrom: number;
}

interface Checkpoint {
  readonly position: number;
  readonly state: unknown;
}

const FILE = 'hearing.json';
/**
 * Maximum size of a small checkpoint. A larger state (an open block) is not written each time; reading the journal
 * again from an older one is cheaper.
 */
const MAX_SMALL_CHARS = 16 * 1024;
/** Reading this many painted bytes takes one or two seconds; writing a large checkpoint takes 20 ms. */
const LARGE_EVERY_BYTES = 2 * 1024 * 1024;

/**
 * Opens the hearing at the newest usable checkpoint. Without one, the whole journal is read again; events that are
 * already in the log are not repeated.
 *
 * @param cursor The log's cursor; undefined for a new session.
 */
export async function openHearing(dir: string, cursor: JournalCursor | undefined, log: Log): Promise<OpenedHearing> {
  const { createHearing } = await import('../../session/index.js');
  const large = readLarge(dir);
  const known = [cursor?.checkpoint, large && large.position <= (cursor?.position ?? 0) ? large : null];
  const usable = known.filter((one): one is Checkpoint => one !== null && one !== undefined);
  for (const { position, state } of usable.sort((a, b) => b.position - a.position)) {
    try {
      return { hearing: createHearing({ checkpoint: state }), hearFrom: position };
    } catch {
      // Another version wrote it, or a bit of the file has changed. The error does not tell which, so it is not logged.
      const message =
        'a checkpoint is damaged or of another version; an older one is used, or the journal is heard again';
      log.error(message, undefined, { dir, position });
    }
  }
  return { hearing: createHearing(), hearFrom: 0 };
}

/** Returns the checkpoint to store with a position: `{checkpoint}`, or {} if there is none. */
export function smallCheckpoint(hearing: Hearing, position: number): { checkpoint?: Checkpoint } {
  const state = hearing.isAtRest() ? hearing.state() : null;
  const isSmall = state !== null && JSON.stringify(state).length <= MAX_SMALL_CHARS;
  return isSmall ? { checkpoint: { position, state } } : {};
}

/** Writes and reads the large checkpoint of one session, the file `hearing.json`. */
export class LargeCheckpoints {
  readonly #dir: string;
  readonly #hearing: Hearing;
  #last: number;

  /** @param hearFrom  Position at which reading the journal begins. */
  constructor(dir: string, { hearing, hearFrom }: OpenedHearing) {
    this.#dir = dir;
    this.#hearing = hearing;
    this.#last = hearFrom;
  }

  /**
   * @returns A function to call when everything up to the position is in the log; null if no checkpoint is due or
   *   possible.
   */
  make(position: number): (() => void) | null {
    if (position - this.#last < LARGE_EVERY_BYTES) return null;
    const isPainted = this.#hearing.state() === null;
    const state = isPainted ? this.#hearing.rebase() : null;
    if (isPainted && state === null) return null; // The screen is inside a frame. Retried at the next call.
    this.#last = position;
    if (state === null) return null;
    // Serialized now, because the state changes later.
    const text = JSON.stringify({ position, state } satisfies Checkpoint);
    return () => writeLarge(this.#dir, text);
  }

  remove(): void {
    rmSync(join(this.#dir, FILE), { force: true });
  }
}

/** Writes the checkpoint for a possible revival of an ended session. Without it, the journal would be read again. */
export function keepHearing(dir: string, hearing: Hearing, position: number): void {
  const state = hearing.state() ?? hearing.rebase();
  if (state !== null) writeLarge(dir, JSON.stringify({ position, state } satisfies Checkpoint));
}

function readLarge(dir: string): Checkpoint | null {
  try {
    // The daemon itself wrote the file; its fields are checked below.
    const value = JSON.parse(readOwnFile(join(dir, FILE))) as Partial<Checkpoint>;
    if (typeof value.position !== 'number' || typeof value.state !== 'object') return null;
    return { position: value.position, state: value.state };
  } catch {
    return null;
  }
}

/** If the disk is full, the next start only takes longer. */
function writeLarge(dir: string, text: string): void {
  const path = join(dir, FILE);
  try {
    writeFileSync(`${path}.new`, text, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {
    rmSync(`${path}.new`, { force: true });
  }
}
