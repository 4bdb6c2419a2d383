/**
 * Hearing guard: finds the slice of a journal in which starts of the daemon end, one after the other.
 *
 * In:   what the start before has left; which record is heard now (`watch`), which sessions are heard (`heard`).
 * Out:  the slices that DEATHS starts have ended in without progress (`due`). They are passed over (pass-over.ts).
 *
 *     hearing          the record that is being heard: `SESSION FROM TO`, or blanks. Overwritten in place, so that it costs a
 *                      microsecond and outlives a crash. Removed by a daemon that stops as it should.
 *     hearing-deaths   one line of JSON for each session in which starts have ended: the slices, the newest last.
 *
 * A daemon marks what it hears only if the one before did not stop as it should, and only until it has heard what the sessions
 * printed before its start. A session that was heard is forgotten here. Three deaths count together only if their records
 * stand within MAX_SLICE_BYTES: a person who kills a slow start again and again does not hit the same place three times.
 */
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
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

/** So many starts must have ended in a slice. */
const DEATHS = 3;
const MAX_SLICE_BYTES = 256 * 1024;
const MARK_FILE = 'hearing';
const DEATHS_FILE = 'hearing-deaths';
/** Longer than any mark. */
const MARK_BYTES = 96;
const NO_MARK = Buffer.alloc(MARK_BYTES, ' ');

export class HearingGuard {
  readonly #dir: string;
  readonly #log: Log;
  readonly #deaths = new Map<string, readonly Range[]>();
  /** The sessions whose records are marked: those that catch up. */
  readonly #watched = new Set<string>();
  /** Of these sessions something has thrown, so that they were not heard. */
  readonly #failed = new Set<string>();
  /** Null: nothing is marked. */
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
      this.#fd = openSync(join(dir, MARK_FILE), 'w', 0o600);
      this.#write(NO_MARK);
    } catch (error) {
      this.#stopMarking(error);
    }
    // The file stays: it is the sign of a daemon that has not stopped.
    if (mark === null && this.#deaths.size === 0) this.#closeMark();
  }

  /** The slices that enough starts have ended in. */
  get due(): DueSlice[] {
    return [...this.#deaths].flatMap(([sessionId, slices]): DueSlice[] =>
      slices.length < DEATHS ? [] : [{ sessionId, ...hullOf(slices) }],
    );
  }

  /** Forgets the deaths in a slice that is passed over now. */
  passedOver(sessionId: string): void {
    if (this.#deaths.delete(sessionId)) this.#save();
  }

  /** Marks what is heard of this session, until it is `heard`. Undefined: nothing need be marked. */
  watch(sessionId: string): ((slice: Slice | null) => void) | undefined {
    if (this.#fd === null || !this.#isStarting) return undefined;
    this.#watched.add(sessionId);
    return (slice) => {
      if (this.#fd === null || !this.#watched.has(sessionId)) return;
      this.#write(slice === null ? NO_MARK : markOf(sessionId, slice));
    };
  }

  /** Called when all sessions are followed. Those that are not `behind` are heard. */
  started(behind: ReadonlySet<string>): void {
    this.#isStarting = false;
    for (const sessionId of [...this.#watched]) if (!behind.has(sessionId)) this.heard(sessionId);
    if (this.#watched.size === 0) this.#closeMark();
  }

  /** Called when hearing a record has thrown: that counts like a start that ended in it. */
  failed(sessionId: string, { position: from, end: to }: Slice): void {
    this.#failed.add(sessionId);
    this.#count(sessionId, { from, to });
  }

  /** Called when a session is heard as far as it had printed before the start: nothing in it ends a daemon. */
  heard(sessionId: string): void {
    this.#watched.delete(sessionId);
    if (!this.#failed.has(sessionId)) this.passedOver(sessionId);
    if (this.#watched.size === 0) this.#closeMark();
  }

  /** The daemon stops as it should. */
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
 * Returns what a daemon was hearing when it ended; 'nothing' if it ended elsewhere; null if it stopped as it should.
 */
function readMark(path: string): DueSlice | 'nothing' | null {
  let text: string;
  try {
    text = readFileSync(path, 'latin1');
  } catch {
    return null;
  }
  const [, sessionId, from, to] = /^(ses_\w+) (\d{1,16}) (\d{1,16}) *$/.exec(text) ?? [];
  return sessionId === undefined ? 'nothing' : { sessionId, from: Number(from), to: Number(to) };
}

function readDeaths(path: string): Deaths[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Deaths) // our own file
      .filter(({ sessionId, slices }) => typeof sessionId === 'string' && Array.isArray(slices));
  } catch {
    return [];
  }
}
