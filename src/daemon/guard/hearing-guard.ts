/**
 * Hearing guard: finds the slice of a journal that ends the daemon whenever it is read.
 *
 * In:   the mark left by the previous start; the record being read (`watch`); the sessions that were read to their end
 *       (`finished`).
 * Out:  the slices in which DEATHS starts have ended without progress (`due`). pass-over.ts makes readers skip them.
 *
 *     hearing         the record being read: `SESSION FROM TO`, or blanks. It is overwritten in place, which costs a
 *                     microsecond and survives a crash. A daemon that stops normally removes it.
 *     hearing-deaths  one line of JSON for each session in which starts have ended: the slices, the newest last
 *
 * A daemon writes the mark only if the previous one did not stop normally, and only until it has read the output from
 * before its start. A session that was read is removed from `hearing-deaths`. Three deaths count together only if their
 * records are within MAX_SLICE_BYTES: a person who kills a slow start several times does not hit the same place three
 * times.
 */
import { closeSync, constants, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnFile } from '../../host/index.js';
import type { Slice } from '../../session/index.js';
import type { Log } from '../log.js';

export interface Range {
  readonly from: number;
  readonly to: number;
}
export interface DueSlice extends Range {
  readonly sessionId: string;
}
interface Deaths {
  readonly sessionId: string;
  readonly slices: readonly Range[];
}

/** A slice of a journal is passed over after this many daemons ended while they read it. */
const DEATHS = 3;
const MAX_SLICE_BYTES = 256 * 1024;
const MARK_FILE = 'hearing';
/** Never waits, also if something else than a file is in its place. */
const MARKING = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK;
const DEATHS_FILE = 'hearing-deaths';
/** Size of the mark's file, larger than any mark. */
const MARK_BYTES = 96;
const NO_MARK = Buffer.alloc(MARK_BYTES, ' ');

/** Detects slices of a journal that repeatedly end the daemon while it reads them. */
export class HearingGuard {
  readonly #dir: string;
  readonly #log: Log;
  readonly #deaths = new Map<string, readonly Range[]>();
  /** Sessions with unread output from before the start. The record that is being read is marked for them. */
  readonly #watched = new Set<string>();
  /** Sessions whose records could not be read because of an error. */
  readonly #failed = new Set<string>();
  /** Descriptor of the mark's file. Null if nothing is marked. */
  #fd: number | null = null;
  #isStarting = true;

  /** @param dir  The folder of the daemon's state. */
  constructor(dir: string, log: Log) {
    this.#dir = dir;
    this.#log = log;
    for (const { sessionId, slices } of readDeaths(join(dir, DEATHS_FILE))) this.#deaths.set(sessionId, slices);
    const mark = readMark(join(dir, MARK_FILE));
    if (mark !== null && mark !== 'nothing') {
      const { sessionId, from, to } = mark;
      this.#log.error('the last start ended while it heard a session', undefined, { session_id: sessionId, from, to });
      this.#count(sessionId, { from, to });
    }
    try {
      this.#fd = openSync(join(dir, MARK_FILE), MARKING, 0o600);
      this.#write(NO_MARK);
    } catch (error) {
      this.#stopMarking(error);
    }
    // The file stays open: its existence tells the next daemon that this one crashed.
    if (mark === null && this.#deaths.size === 0) this.#closeMark();
  }

  /** The slices in which DEATHS starts have ended. */
  get due(): DueSlice[] {
    return [...this.#deaths].flatMap(([sessionId, slices]): DueSlice[] =>
      slices.length < DEATHS ? [] : [{ sessionId, ...hullOf(slices) }],
    );
  }

  /** Forgets the deaths in a slice that readers skip from now on. */
  passedOver(sessionId: string): void {
    if (this.#deaths.delete(sessionId)) this.#save();
  }

  /**
   * Returns the function that marks the records read in this session, until `finished` is called. Undefined if the
   * session needs no marks.
   */
  watch(sessionId: string): ((slice: Slice | null) => void) | undefined {
    if (this.#fd === null || !this.#isStarting) return undefined;
    this.#watched.add(sessionId);
    return (slice) => {
      if (this.#fd === null || !this.#watched.has(sessionId)) return;
      this.#write(slice === null ? NO_MARK : markOf(sessionId, slice));
    };
  }

  /** Called when all sessions are followed. Those not in `behind` are already read. */
  started(behind: ReadonlySet<string>): void {
    this.#isStarting = false;
    for (const sessionId of [...this.#watched]) if (!behind.has(sessionId)) this.finished(sessionId);
    if (this.#watched.size === 0) this.#closeMark();
  }

  /** Called when reading a record has thrown an error. This counts like a start that ended in the record. */
  failed(sessionId: string, { position: from, end: to }: Slice): void {
    this.#failed.add(sessionId);
    this.#count(sessionId, { from, to });
  }

  /** Called when a session was read up to its end at the start: no record in it crashes the daemon. */
  finished(sessionId: string): void {
    this.#watched.delete(sessionId);
    if (!this.#failed.has(sessionId)) this.passedOver(sessionId);
    if (this.#watched.size === 0) this.#closeMark();
  }

  /** Removes the mark, because the daemon stops normally. */
  close(): void {
    this.#closeMark();
    rmSync(join(this.#dir, MARK_FILE), { force: true });
  }

  #count(sessionId: string, slice: Range): void {
    const near = (this.#deaths.get(sessionId) ?? []).filter((one) => {
      const { from, to } = hullOf([one, slice]);
      return to - from <= Math.max(MAX_SLICE_BYTES, slice.to - slice.from);
    });
    this.#deaths.set(sessionId, [...near, slice].slice(-DEATHS));
    this.#save();
  }

  #save(): void {
    const path = join(this.#dir, DEATHS_FILE);
    try {
      if (this.#deaths.size === 0) {
        rmSync(path, { force: true });
        return;
      }
      const lines = [...this.#deaths].map(([sessionId, slices]) => `${JSON.stringify({ sessionId, slices })}\n`);
      writeFileSync(`${path}.new`, lines.join(''), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    } catch (error) {
      this.#log.error('what starts have ended in could not be written down', error);
    }
  }

  #write(mark: Buffer): void {
    if (this.#fd === null) return;
    try {
      writeSync(this.#fd, mark, 0, MARK_BYTES, 0);
    } catch (error) {
      this.#stopMarking(error);
    }
  }

  #closeMark(): void {
    if (this.#fd === null) return;
    this.#write(NO_MARK);
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #stopMarking(error: unknown): void {
    this.#log.error('what is heard cannot be marked', error);
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }
}

const markOf = (sessionId: string, { position, end }: Slice): Buffer => {
  const mark = Buffer.alloc(MARK_BYTES, ' ');
  mark.write(`${sessionId} ${position} ${end}`, 'latin1');
  return mark;
};

const hullOf = (slices: readonly Range[]): Range => ({
  from: Math.min(...slices.map(({ from }) => from)),
  to: Math.max(...slices.map(({ to }) => to)),
});

/**
 * Returns the record that a daemon was reading when it ended; 'nothing' if it ended elsewhere; null if it stopped
 * normally.
 */
function readMark(path: string): DueSlice | 'nothing' | null {
  let text: string;
  try {
    text = readOwnFile(path, 'latin1');
  } catch {
    return null;
  }
  const [, sessionId, from, to] = /^(ses_\w+) (\d{1,16}) (\d{1,16}) *$/.exec(text) ?? [];
  return sessionId === undefined ? 'nothing' : { sessionId, from: Number(from), to: Number(to) };
}

function readDeaths(path: string): Deaths[] {
  try {
    return readOwnFile(path)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Deaths) // orchd wrote this file
      .filter(({ sessionId, slices }) => typeof sessionId === 'string' && Array.isArray(slices));
  } catch {
    return [];
  }
}
