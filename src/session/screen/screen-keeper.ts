/**
 * Keeps a session's screen along its journal, and restores it after a restart.
 *
 * In:   journal records in order, from `position` on; the journal itself, which contains them all.
 * Out:  the screen, when a client looks; replies to terminal queries, each with its own position in the output that
 *       asked.
 *
 * While no client looks there is no terminal. There is only the position from which to start (the *origin*), and the
 * position from which on lines were printed. A look creates a terminal from the journal. It is dropped after IDLE_MS
 * without a look.
 *
 *     origin           … skip rows that no client can see any more …     place        position
 *     a snapshot, or the beginning of the journal                        └─ emulated ─┘
 *
 * Output is emulated immediately if it contains a query that depends on the screen, or if a viewer has seen everything
 * before it. Otherwise it is emulated in steps, once the emulator is MAX_BEHIND_BYTES behind. Output that is slow to
 * emulate is emulated in slices of time (`catchUp`), and reading pauses meanwhile. The time that a look needs is
 * therefore bounded by MAX_OWED_MS, whatever was printed. That time is estimated from the sequences, and measured.
 *
 * After every REBASE_BYTES a new origin is written to a file. The screen then continues from that snapshot, so that it
 * equals one that is restored after a crash. While there is no terminal, an origin is written only if the snapshot
 * contains the whole state.
 *
 * The file is long because the origin, the terminal and the output that waits change together.
 */
import { basename, dirname } from 'node:path';
import {
  type JournalReader,
  type JournalRecord,
  type OutRecord,
  openJournal,
  type SnapshotRecord,
  type SnapshotScreen,
} from '../../host/index.js';
import type { Size } from '../../protocol/index.js';
import {
  emulationMs,
  LineWatch,
  linesToFill,
  pieceOf,
  type RestorePoint,
  repliesTo,
  Screen,
  type SnapshotWriter,
} from '../../terminal/index.js';
import { FRESH, type Origin, readOrigin, writeOrigin } from './screen-origin.js';

export interface ScreenKeeperOptions {
  /** The session's journal folder, which also contains the file of the origin. */
  readonly dir: string;
  /** The size at the journal's beginning. */
  readonly cols: number;
  readonly rows: number;
  readonly scrollbackLines: number;
  /**
   * Called with a reply. `query`: a journal position in the record that asked: that of its first byte for its first
   * query, one more for each further query.
   */
  readonly onReply?: (query: number, text: string) => void;
  /** Replaces REBASE_BYTES and MAX_BEHIND_BYTES in tests. */
  readonly rebaseBytes?: number;
  readonly behindBytes?: number;
  /** A clock, in milliseconds. Tests replace it. */
  readonly now?: () => number;
}

export interface ScreenKeeper {
  /** Records before this position were already taken. */
  readonly position: number;
  /** The screen with everything that was taken. It is another object after IDLE_MS, so read this property each time. */
  readonly screen: Screen;
  /** The same value as the screen's, without creating a screen. */
  readonly hasBracketedPaste: boolean;
  readonly hasApplicationCursor: boolean;
  /**
   * Takes a record of the journal. Its bytes are not kept. Records before `position` are skipped. While `isBehind`,
   * this first emulates the output that waits.
   */
  take(record: JournalRecord): void;
  /**
   * True if `catchUp` should be called before more is taken: much output waits for emulation, or a reply waits for it.
   */
  readonly isBehind: boolean;
  /** Emulates the output that was taken, in pieces, until `isOver` returns true or nothing is left. */
  catchUp(isOver: () => boolean): void;
  /** Calls back when everything taken before the call is on the screen, before anything later is. */
  afterwards(callback: () => void): void;
  /**
   * Resolves when `screen` is available without delay: everything taken before was emulated, in parts between which
   * other sessions have their turn.
   */
  settled(): Promise<void>;
  /**
   * Returns true if `checkpoint` has little to emulate. Otherwise the output that waits is emulated in `catchUp`, in
   * steps between which other sessions have their turn.
   */
  prepare(): boolean;
  /**
   * Returns the current screen, for a journal that begins here; null in the middle of a sequence, or on a full disk.
   */
  checkpoint(): SnapshotScreen | null;
  /**
   * Drops the terminal if an equal one can be created again, and no client uses it meanwhile. Other sessions have their
   * turn meanwhile. Resolves to true if there is no terminal.
   */
  park(): Promise<boolean>;
  /** Writes the origin, for a session that ends or a daemon that stops. */
  save(): void;
  /** Like `save`, but other sessions have their turn while the output is emulated. */
  saveSlowly(): Promise<void>;
  dispose(): void;
}

/** Emulating this much again takes 50 ms or less; painted output some 500 ms. */
const REBASE_BYTES = 16 * 1024 * 1024;
/** Maximum number of bytes that are emulated at a look: about 40 ms. */
const MAX_BEHIND_BYTES = 1024 * 1024;
/** The lag is computed once per this many bytes. Computing it for every line would cost more than reading the line. */
const LOOK_BYTES = 16 * 1024;
/** Maximum time for emulating the output that waits, estimated by `emulationMs`. */
const MAX_OWED_MS = 20;
/** Output that takes longer is emulated in slices instead of at once. */
const AT_ONCE_MS = 4;
/** Time of one slice. */
const SLICE_MS = 4;
/** Number of bytes that are emulated before the clock is read again. It is smaller for output that takes long. */
const PIECE_BYTES = 1024;
const NEVER = (): boolean => false;
/** Output is slow if a byte takes longer than this. Usual output takes half of it or less. */
const SLOW_BYTE_MS = 1e-4;
/** Minimum number of bytes for a measurement of the time per byte. */
const MEASURED_BYTES = 512;
/**
 * Number of bytes that are emulated as they arrive while a client sees all output. Of more output, a part may never be
 * seen.
 */
const SEEN_BYTES = 4 * 1024;
const IDLE_MS = 10_000;
/** Records that do not change the screen. */
const IN_NO_TERMINAL: ReadonlySet<JournalRecord['kind']> = new Set(['input', 'note', 'tick', 'reply', 'pause', 'exit']);
const RESET = Buffer.from('\x1bc');
const MODES_OFF = Buffer.from('\x1b[?2004l\x1b[?1l');

interface Snapshots {
  readonly snapshot: string;
  /** The `bare` of the file (screen-origin.ts). */
  readonly bare: string;
}

interface Emulating {
  readonly screen: Screen;
  /** False while a part of the origin's snapshot is not on the screen. */
  isRestored: boolean;
  /** Everything before this position is on the screen. The reader may be further behind. */
  position: number;
  readonly reader: JournalReader;
  /** The rest of a record that was emulated in part; a copy of its bytes. */
  rest: OutRecord | null;
}

/** Creates the keeper of one session's screen. */
export function createScreenKeeper(options: ScreenKeeperOptions): ScreenKeeper {
  return new Keeper(options);
}

class Keeper implements ScreenKeeper {
  position: number;
  readonly #options: ScreenKeeperOptions;
  readonly #now: () => number;
  #watch: LineWatch;
  #origin: Origin;
  /** The size of the terminal at `position`. */
  #size: Size;
  #terminal: Emulating | null = null;
  /** Estimated time for emulating everything up to `position`. */
  #owedMs = 0;
  /** Time per byte, as last measured; 0 if not yet. The estimate does not know all output that is slow. */
  #byteMs = 0;
  /** Number of bytes that were emulated. */
  #fed = 0;
  /** The purpose of `catchUp`: to have everything emulated for `checkpoint`, or to make the screen the origin. */
  #goal: 'checkpoint' | 'origin' | null = null;
  /** The snapshot that is being written, and the position of the screen. */
  #writing: { readonly position: number; readonly snapshot: SnapshotWriter } | null = null;
  /** Number of clients that wait until everything is emulated. */
  #lookers = 0;
  /** End of the record with a query that waits until everything before it is emulated; null if there is none. */
  #askedBefore: number | null = null;
  /** Queries before this position were answered. */
  #answered: number;
  /** The number of the next reply; null if the emulated output was already answered. */
  #asking: number | null = null;
  /** Position at which the last attempt to write an origin failed: the disk was full, or a sequence was open. */
  #triedAt = 0;
  /** Position at which the lag was last checked. */
  #lookedAt = 0;
  /** Everything before this position was on the screen when a client last looked; -1 if none has looked. */
  #seen = -1;
  #timer: NodeJS.Timeout | null = null;
  #usedAt = 0;

  constructor(options: ScreenKeeperOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    const { cols, rows } = options;
    const { snapshot: _, bare: _bare, ...saved } = readOrigin(options.dir) ?? { ...FRESH, cols, rows, snapshot: '' };
    this.#origin = saved;
    this.#size = saved;
    this.#watch = new LineWatch(saved.position === 0);
    this.position = this.#origin.position;
    this.#answered = this.position;
    this.#lookedAt = this.position;
    this.#watch.break(this.position);
  }

  get screen(): Screen {
    const { screen } = this.#open();
    this.#emulateAll();
    this.#use();
    return screen;
  }

  get isBehind(): boolean {
    const isOwed = this.#owedMs > (this.#lookers > 0 ? AT_ONCE_MS : MAX_OWED_MS);
    return isOwed || this.#askedBefore !== null || this.#goal !== null || this.#terminal?.isRestored === false;
  }

  catchUp(isOver: () => boolean): void {
    const before = this.#open().position;
    this.#emulate(Number.POSITIVE_INFINITY, isOver);
    const { position } = this.#open();
    const isComplete = position >= this.position && this.#open().isRestored;
    if (isComplete && this.#goal === 'checkpoint') this.#goal = null;
    if (isComplete && this.#goal === 'origin' && (position === before || !isOver())) this.#beginAtCurrent(isOver);
    this.#use();
  }

  get hasBracketedPaste(): boolean {
    return this.#watch.mode('2004') ?? this.#origin.hasBracketedPaste;
  }

  get hasApplicationCursor(): boolean {
    return this.#watch.mode('1') ?? this.#origin.hasApplicationCursor;
  }

  take(record: JournalRecord): void {
    if (record.end <= this.position) return;
    if (this.isBehind) this.catchUp(NEVER);
    const from = this.position;
    this.position = record.end;
    if (record.kind === 'snapshot') this.#beginAt(record);
    if (record.kind === 'start' && record.position > 0) this.#startAgain(record.end);
    if (record.kind === 'resize') this.#watch.break(record.end);
    if (record.kind === 'resize' || record.kind === 'start') this.#size = { cols: record.cols, rows: record.rows };
    if (record.kind === 'out') this.#takeOut(record, from);
    else if (this.#terminal?.position === from && IN_NO_TERMINAL.has(record.kind)) {
      this.#terminal.position = record.end;
      if (this.#seen === from) this.#seen = record.end;
    }
  }

  /** Starts at a snapshot, because everything before it was dropped from the journal. */
  #beginAt({ end, version, screen: { snapshot, ...screen } }: SnapshotRecord): void {
    if (version !== 1) return;
    this.#close();
    this.#watch = new LineWatch();
    this.#watch.break(end);
    this.#size = screen;
    this.#move({ ...screen, position: end, before: '' }, snapshot);
  }

  prepare(): boolean {
    const isReady = this.#behind() <= LOOK_BYTES && this.#terminal?.isRestored === true;
    if (this.#goal !== 'origin') this.#goal = isReady ? null : 'checkpoint';
    return isReady;
  }

  checkpoint(): SnapshotScreen | null {
    this.#open();
    this.#emulateAll();
    return this.#terminal?.position === this.position ? this.#beginAtCurrent(NEVER) : null;
  }

  /** A new program gets a new terminal: the screen of the previous program is dropped. */
  #startAgain(position: number): void {
    this.#watch = new LineWatch();
    this.#watch.take(MODES_OFF, position);
    this.#watch.break(position);
  }

  /** @param from  Everything before it was already taken. */
  #takeOut(record: OutRecord, from: number): void {
    const { bytes, bytesPosition, end } = record;
    const passed = Math.max(0, from - bytesPosition);
    const { rebaseBytes = REBASE_BYTES } = this.#options;
    const kind = this.#watch.take(bytes.subarray(passed), bytesPosition + passed);
    if (this.#watch.fixedQueries.length > 0) this.#answerFixed(record);
    const { cols, rows } = this.#terminal?.screen ?? this.#origin;
    if (kind !== 'lines') this.#owedMs += emulationMs(bytes, cols * rows);
    if (kind === 'asking') {
      this.#askedBefore = end;
      if (this.#owedMs <= AT_ONCE_MS) void this.screen;
    } else if (!this.#emulateAtOnce(record, from)) this.#limitLag(bytes.length);
    if (end - Math.max(this.#origin.position, this.#triedAt) >= rebaseBytes) this.#rebase();
  }

  /**
   * Emulates some of the output that waits if it is more than MAX_BEHIND_BYTES. Checks that once per LOOK_BYTES.
   * @param newBytes  Number of bytes of the last record.
   */
  #limitLag(newBytes: number): void {
    const { behindBytes = MAX_BEHIND_BYTES } = this.#options;
    const passed = this.position - this.#lookedAt;
    if (passed < Math.min(LOOK_BYTES, behindBytes / 4)) return;
    this.#lookedAt = this.position;
    const behind = this.#behind();
    this.#raiseOwedMs(behind);
    if (behind <= behindBytes || this.isBehind) return;
    const maxBytes = 2 * Math.max(newBytes, passed);
    const until = this.#now() + AT_ONCE_MS;
    // Until emulation was measured once, the output counts as slow. A long snapshot is restored in `catchUp`.
    const isFast = this.#byteMs > 0 && maxBytes * this.#byteMs <= AT_ONCE_MS;
    if (this.#open().isRestored) this.#emulate(maxBytes, isFast ? NEVER : () => this.#now() >= until);
    this.#use();
  }

  /** Answers queries whose reply does not depend on the screen's content, which would have to be emulated first. */
  #answerFixed({ position, bytesPosition, end }: OutRecord): void {
    if (position < this.#answered) return;
    this.#answered = end;
    for (const [index, reply] of repliesTo(this.#watch.fixedQueries, this.#size).entries())
      this.#options.onReply?.(bytesPosition + index, reply);
  }

  /**
   * Emulates output at once if everything before it was seen.
   * @returns True if it did.
   */
  #emulateAtOnce({ bytes, position, bytesPosition, end }: OutRecord, from: number): boolean {
    const terminal = this.#terminal;
    if (this.#seen !== from || terminal?.position !== from || bytes.length > SEEN_BYTES) return false;
    if (this.#owedMs > AT_ONCE_MS) return false;
    this.#owedMs = 0;
    this.#asking = position >= this.#answered ? bytesPosition : null;
    terminal.screen.feed(bytes.subarray(Math.max(0, from - bytesPosition)));
    terminal.position = end;
    return true;
  }

  afterwards(callback: () => void): void {
    void this.screen;
    this.#seen = this.position;
    callback();
  }

  async settled(): Promise<void> {
    this.#lookers++;
    try {
      for (const { position } = this; ; await new Promise(setImmediate)) {
        const end = this.#now() + SLICE_MS;
        this.catchUp(() => this.#now() >= end);
        this.#raiseOwedMs(this.#behind());
        const isThere = this.#terminal?.isRestored === true && this.#terminal.position >= position;
        if (isThere && this.#owedMs <= AT_ONCE_MS && this.#goal !== 'origin') return;
      }
    } finally {
      this.#lookers--;
    }
  }

  async park(): Promise<boolean> {
    const { behindBytes = MAX_BEHIND_BYTES } = this.#options;
    for (const { position } = this; this.#terminal; await new Promise(setImmediate)) {
      const end = this.#now() + SLICE_MS;
      this.#emulate(Number.POSITIVE_INFINITY, () => this.#now() >= end);
      if (this.#terminal.isRestored && this.#terminal.position >= position) break;
    }
    if (!this.#terminal) return true;
    if (this.#behindOf(this.#origin) > behindBytes / 2 && !(await this.#writeDownExactly())) return false;
    this.#close();
    return true;
  }

  save(): void {
    if (!this.#isWorthSaving) return;
    this.#rebase();
    if (this.#goal === 'origin') this.catchUp(NEVER);
  }

  async saveSlowly(): Promise<void> {
    if (!this.#isWorthSaving) return;
    if (!this.#laterRestorePoint(this.#origin)) await this.settled();
    this.save();
  }

  get #isWorthSaving(): boolean {
    const { behindBytes = MAX_BEHIND_BYTES } = this.#options;
    return this.position - this.#origin.position > behindBytes / 4;
  }

  dispose(): void {
    this.#close();
  }

  // ── the lag ────────────────────────────────────────────────

  /**
   * Raises the estimate to the measured time, for output that is slow although the estimate says otherwise.
   * @param behind  Number of bytes that wait.
   */
  #raiseOwedMs(behind: number): void {
    if (this.#byteMs > SLOW_BYTE_MS) this.#owedMs = Math.max(this.#owedMs, behind * this.#byteMs);
  }

  /** Returns how many bytes would have to be emulated now. */
  #behind(): number {
    const { screen, position } = this.#terminal?.isRestored ? this.#terminal : {};
    return this.#behindOf(
      screen && position !== undefined ? { position, isPlain: screen.isPlain, rows: screen.rows } : this.#origin,
    );
  }

  #behindOf(base: Pick<Origin, 'position' | 'isPlain' | 'rows'>): number {
    return this.position - (this.#laterRestorePoint(base)?.position ?? base.position);
  }

  /**
   * Returns a later place than `base` from which a terminal shows the same, because only plain lines were printed. Null
   * if there is none.
   */
  #laterRestorePoint({ position, isPlain, rows }: Pick<Origin, 'position' | 'isPlain' | 'rows'>): RestorePoint | null {
    if (!isPlain || this.#watch.painted > position) return null;
    const place = this.#watch.restorePointFor(linesToFill(rows, this.#options.scrollbackLines));
    return place && place.position > position ? place : null;
  }

  // ── emulating ────────────────────────────────────────────────

  #open(): Emulating {
    this.#terminal ??= this.#openAt(this.#origin, this.#savedSnapshot(this.#laterRestorePoint(this.#origin)));
    return this.#terminal;
  }

  /** Returns the snapshot of the origin. At a place after it, the lines above the screen are gone as well. */
  #savedSnapshot(place: RestorePoint | null): string {
    const saved = readOrigin(this.#options.dir);
    return (place && saved?.bare) ?? saved?.snapshot ?? '';
  }

  #openAt({ position, cols, rows, before, joins = 0 }: Origin, snapshot: string): Emulating {
    const { dir, scrollbackLines } = this.#options;
    const onReply = (text: string) => {
      if (this.#asking !== null) this.#options.onReply?.(this.#asking++, text);
    };
    const whole = { snapshot: snapshot + before, joins, restoresLater: true };
    const screen = new Screen({ cols, rows, scrollbackLines, ...whole, onReply });
    const reader = openJournal(dirname(dir), basename(dir), { from: position });
    return { screen, isRestored: screen.restore(() => true), position, reader, rest: null };
  }

  #emulateAll(): void {
    this.#emulate(Number.POSITIVE_INFINITY, NEVER);
  }

  /**
   * Continues in the journal, with about this many bytes of output at most, and until `isOver` returns true. Skips
   * output that no client can see any more.
   */
  #emulate(maxBytes: number, isOver: () => boolean): void {
    const terminal = this.#terminal;
    if (!terminal) return;
    terminal.isRestored ||= terminal.screen.restore(isOver);
    if (!terminal.isRestored) return;
    const before = this.position - terminal.position;
    if (before > 0) {
      const [fed, begun] = [this.#fed, this.#now()];
      this.#read(terminal, maxBytes, isOver);
      const bytes = this.#fed - fed;
      if (bytes >= MEASURED_BYTES) this.#byteMs = (this.#byteMs + (this.#now() - begun) / bytes) / 2;
    }
    const left = this.position - terminal.position;
    this.#owedMs = left <= 0 ? 0 : (this.#owedMs * left) / before;
    if (left > 0 || this.#askedBefore === null) return;
    this.#answered = this.#askedBefore;
    this.#askedBefore = null;
    this.#watch.goOn(terminal.screen);
  }

  #read(terminal: Emulating, maxBytes: number, isOver: () => boolean): void {
    const { screen, reader } = terminal;
    const place = this.#laterRestorePoint({ position: terminal.position, isPlain: screen.isPlain, rows: screen.rows });
    if (place) {
      screen.feed(Buffer.from(place.before));
      terminal.position = place.position;
    }
    let bytes = 0;
    const { rest } = terminal;
    terminal.rest = null;
    if (rest && terminal.position < rest.end) {
      bytes += rest.bytes.length;
      if (!this.#feed(terminal, rest, true, isOver)) return;
    }
    reader.passTo(terminal.position);
    let isCut = false;
    reader.read(this.position, (record) => {
      const startsAgain = record.kind === 'start' && record.position > 0;
      if (startsAgain) screen.feed(RESET);
      if (record.kind === 'resize' || startsAgain) screen.resize(record.cols, record.rows);
      if (record.kind === 'out') {
        bytes += record.bytes.length;
        isCut = !this.#feed(terminal, record, false, isOver);
      } else terminal.position = record.end;
      if (!isCut && terminal.position < this.position) isCut = bytes >= maxBytes || isOver();
      return !isCut;
    });
    // The journal is damaged or cut here: no more output is available.
    if (!isCut) terminal.position = this.position;
  }

  /**
   * Emulates a record, or the rest of one, at least one piece of it.
   * @returns False if `isOver` returned true first; the record then has a rest.
   */
  #feed(terminal: Emulating, record: OutRecord, isRest: boolean, isOver: () => boolean): boolean {
    const { screen } = terminal;
    const { position, bytesPosition } = record;
    if (!isRest) this.#asking = position >= this.#answered ? bytesPosition : null;
    const bytes = record.bytes.subarray(Math.max(0, terminal.position - bytesPosition));
    for (let at = 0, end = bytes.length; at < bytes.length; at = end) {
      if (at > 0 && isOver()) {
        const left = Uint8Array.from(bytes.subarray(at)); // the reader's bytes are borrowed
        terminal.rest = { ...record, bytes: left, bytesPosition: bytesPosition + record.bytes.length - left.length };
        terminal.position = terminal.rest.bytesPosition;
        return false;
      }
      end =
        isOver === NEVER ? bytes.length : at + pieceOf(bytes.subarray(at, at + PIECE_BYTES), screen.cols * screen.rows);
      screen.feed(bytes.subarray(at, end));
      this.#fed += end - at;
    }
    terminal.position = record.end;
    return true;
  }

  // ── the origin ────────────────────────────────────────────────

  /** Sets a new origin: a place in the journal if possible, otherwise, in `catchUp`, the screen of that time. */
  #rebase(): void {
    this.#triedAt = this.position;
    const place = this.#laterRestorePoint(this.#origin);
    if (!place) {
      this.#goal = 'origin';
      return;
    }
    const { position, before } = place;
    this.#move({ ...this.#origin, position, before, joins: 0 }, this.#savedSnapshot(place));
  }

  /**
   * Makes the current terminal the origin, and drops it. The next one is restored from the origin in `catchUp`. Does
   * nothing yet if `isOver` returned true before the snapshot was written.
   */
  #beginAtCurrent(isOver: () => boolean): SnapshotScreen | null {
    this.#triedAt = this.position;
    const terminal = this.#terminal;
    if (!terminal?.screen.isBetween) {
      this.#goal = null;
      return null;
    }
    if (!this.#writeDown(terminal, isOver)) return null;
    this.#goal = null;
    const { origin, snapshot, bare } = this.#originOf(terminal);
    if (!this.#move(origin, snapshot, bare)) return null;
    this.#close();
    const { position: _position, before: _before, ...screen } = origin;
    return { ...screen, snapshot };
  }

  /** @returns True if the snapshot is written that `#originOf` returns. */
  #writeDown({ screen, position }: Emulating, isOver: () => boolean): boolean {
    if (this.#writing?.position !== position)
      this.#writing = { position, snapshot: screen.startSnapshot(this.#options.scrollbackLines) };
    return this.#writing.snapshot.goOn(isOver);
  }

  /**
   * Makes the current terminal the origin, in slices of time, but only if a terminal restored from it is equal.
   * @returns False also if the terminal was used meanwhile.
   */
  async #writeDownExactly(): Promise<boolean> {
    const [terminal, usedAt] = [this.#terminal, this.#usedAt];
    if (!terminal?.screen.isBetween) return false;
    const { position } = terminal;
    let end = this.#now() + SLICE_MS;
    const isOver = (): boolean => this.#now() >= end;
    const goesOn = async (): Promise<boolean> => {
      await new Promise(setImmediate);
      end = this.#now() + SLICE_MS;
      return this.#terminal === terminal && terminal.position === position && this.#usedAt === usedAt;
    };
    while (!this.#writeDown(terminal, isOver)) if (!(await goesOn())) return false;
    const { origin, snapshot, bare } = this.#originOf(terminal);
    const again = this.#openAt(origin, snapshot);
    try {
      while (!again.screen.restore(isOver)) if (!(await goesOn())) return false;
      const comparing = again.screen.compare(terminal.screen);
      for (let step = comparing.next(); ; step = comparing.next()) {
        if (step.done) return step.value && this.#move(origin, snapshot, bare);
        if (isOver() && !(await goesOn())) return false;
      }
    } finally {
      again.screen.dispose();
      again.reader.close();
    }
  }

  #originOf({ screen, position }: Emulating): { readonly origin: Origin } & Snapshots {
    const { cols, rows, isPlain, hasBracketedPaste, hasApplicationCursor, joins } = screen;
    const modes = { isPlain, hasBracketedPaste, hasApplicationCursor };
    const origin = { position, cols, rows, ...modes, before: '', joins };
    const snapshot = this.#writing?.snapshot.text ?? screen.snapshot(this.#options.scrollbackLines);
    this.#writing = null;
    return { origin, snapshot, bare: screen.snapshot(0) };
  }

  #move(origin: Origin, snapshot: string, bare?: string): boolean {
    const isWritten = writeOrigin(this.#options.dir, { ...origin, ...(bare !== undefined && { bare }) }, snapshot);
    if (isWritten) this.#origin = origin;
    return isWritten;
  }

  #close(): void {
    this.#terminal?.screen.dispose();
    this.#terminal?.reader.close();
    this.#terminal = null;
    this.#writing = null;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /**
   * Keeps the terminal for IDLE_MS after a client has read it or much was printed. An idle daemon has no such timer.
   */
  #use(): void {
    this.#usedAt = this.#now();
    this.#timer ??= setTimeout(() => this.#rest(), IDLE_MS).unref();
  }

  #rest(): void {
    this.#timer = null;
    const quietMs = this.#now() - this.#usedAt;
    if (quietMs >= IDLE_MS) void this.park();
    else this.#timer = setTimeout(() => this.#rest(), IDLE_MS - quietMs).unref();
  }
}
