/**
 * Keeps a session's screen along its journal, and restores it after a restart.
 *
 * In:   journal records in order, from `position` on; the journal itself, which holds them all.
 * Out:  the screen, when a client looks; replies to terminal queries, each with a position of its own in the
 *       output that asked.
 *
 * While no client looks there is no terminal, only the position at which to begin (the *origin*), and the position from
 * which on lines were printed. A look makes a terminal from the journal. After a rest of IDLE_MS it is dropped.
 *
 *     origin           … skip rows that no client can see any more …     place        position
 *     a snapshot, or the beginning of the journal                        └─ emulated ─┘
 *
 * Output is emulated immediately if it contains a query that depends on the screen, or if a viewer has seen everything
 * before it. Otherwise it is emulated in steps, once the emulator is MAX_BEHIND_BYTES behind. Output that takes long is
 * emulated in slices of time (`catchUp`), and no more is read meanwhile: what a look must emulate at once is bounded by
 * MAX_OWED_MS, whatever was printed. Every REBASE_BYTES the origin moves on, into a file. The screen then continues from
 * the snapshot, so that it equals one that is restored after a crash. At rest it is written down only if the snapshot
 * holds its whole state.
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
import {
  createScreen,
  emulationMs,
  LineWatch,
  linesToFill,
  type Place,
  repliesTo,
  type Screen,
} from '../../terminal/index.js';
import { FRESH, type Origin, readOrigin, writeOrigin } from './screen-origin.js';

export interface ScreenKeeperOptions {
  /** The session's journal folder; the file that says where to begin lies there too. */
  readonly dir: string;
  /** The size that the journal begins with. */
  readonly cols: number;
  readonly rows: number;
  readonly scrollbackLines: number;
  /**
   * `query` is a journal position in the record that asked: that of its first byte for its first query, one more for
   * each further query.
   */
  readonly onReply?: (query: number, text: string) => void;
  /** Instead of REBASE_BYTES and MAX_BEHIND_BYTES, for tests. */
  readonly rebaseBytes?: number;
  readonly behindBytes?: number;
}

export interface ScreenKeeper {
  /** Records before this are known already. */
  readonly position: number;
  /** The screen with everything that was taken. It is another object after a rest, so ask for it each time. */
  readonly screen: Screen;
  /** As the screen would say; without one being made. */
  readonly hasBracketedPaste: boolean;
  readonly hasApplicationCursor: boolean;
  /**
   * Takes a record of the journal. Its bytes are not kept. Records before `position` are skipped. While `isBehind`, this
   * first emulates what is owed.
   */
  take(record: JournalRecord): void;
  /** True if `catchUp` should be called before more is taken: the emulator owes much time, or a reply. */
  readonly isBehind: boolean;
  /** Emulates what was taken, in pieces, until `isOver` or until nothing is owed. */
  catchUp(isOver: () => boolean): void;
  /** Calls at once: everything taken before is on the screen, and nothing taken after. */
  afterwards(callback: () => void): void;
  /**
   * Resolves when `screen` costs nothing: everything taken before is emulated, in parts between which other sessions
   * have their turn.
   */
  settled(): Promise<void>;
  /**
   * Returns the present screen, for a journal that begins here; null in the middle of a sequence, or on a full disk.
   */
  checkpoint(): SnapshotScreen | null;
  /** Gives the terminal up, if it can be made again as it is. */
  park(): boolean;
  /** Writes down where to begin, for a session that ends or a daemon that stops. */
  save(): void;
  /** As `save`; others have their turn while what it needs is emulated. */
  saveSlowly(): Promise<void>;
  dispose(): void;
}

/** Taking this much again costs 50 ms or less, except where much is painted: then some 500 ms. */
const REBASE_BYTES = 16 * 1024 * 1024;
/** Maximum output that is emulated at a look: about 40 ms. */
const MAX_BEHIND_BYTES = 1024 * 1024;
/** How far behind it is, is looked at once in so much output: with every line it would cost more than the line. */
const LOOK_BYTES = 16 * 1024;
/** Maximum time that emulating what was taken may take, by the estimate of `emulationMs`. */
const MAX_OWED_MS = 20;
/** Output that takes longer is not emulated as it arrives, but in slices. */
const AT_ONCE_MS = 4;
/** Time between two turns of others. */
const SLICE_MS = 4;
/** Size of what is emulated between two looks at the clock, and its size if that would take longer than PIECE_MS. */
const PIECE_BYTES = 1024;
const MIN_PIECE_BYTES = 8;
const PIECE_MS = 1;
const NEVER = (): boolean => false;
/** If every output is looked at, this much is emulated as it arrives. Of more output, a part may never be seen. */
const SEEN_BYTES = 4 * 1024;
const IDLE_MS = 10_000;
/** They change nothing that is shown. */
const IN_NO_TERMINAL: ReadonlySet<JournalRecord['kind']> = new Set(['input', 'note', 'tick', 'reply', 'pause', 'exit']);
const RESET = Buffer.from('\x1bc');
const MODES_OFF = Buffer.from('\x1b[?2004l\x1b[?1l');

interface Emulating {
  readonly screen: Screen;
  /** Everything before this is on the screen. The reader may have stayed behind. */
  position: number;
  readonly reader: JournalReader;
  /** What is left of a record that took too long; its bytes are not borrowed. */
  rest: OutRecord | null;
}

export function createScreenKeeper(options: ScreenKeeperOptions): ScreenKeeper {
  return new Keeper(options);
}

class Keeper implements ScreenKeeper {
  position: number;
  readonly #options: ScreenKeeperOptions;
  #watch = new LineWatch();
  #origin: Origin;
  #terminal: Emulating | null = null;
  /** Estimated time that emulating everything up to `position` takes. */
  #owedMs = 0;
  /** Number of clients that wait until nothing is owed. */
  #lookers = 0;
  /** End of the record with a query that waits until everything before it is emulated; null if there is none. */
  #askedBefore: number | null = null;
  /** Queries before this have been answered. */
  #answered: number;
  /** The number of the next reply; null while the emulated output has been answered. */
  #asking: number | null = null;
  /** Position at which the origin could not move on last: the disk is full, or a sequence was open. */
  #triedAt = 0;
  /** Position at which the lag was checked last. */
  #lookedAt = 0;
  /** Everything before this was on the screen at the last look of a client. */
  #seen = -1;
  #timer: NodeJS.Timeout | null = null;
  #usedAt = 0;

  constructor(options: ScreenKeeperOptions) {
    this.#options = options;
    const { cols, rows } = options;
    const { snapshot: _, ...saved } = readOrigin(options.dir) ?? { ...FRESH, cols, rows, snapshot: '' };
    this.#origin = saved;
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
    return this.#askedBefore !== null || this.#owedMs > (this.#lookers > 0 ? AT_ONCE_MS : MAX_OWED_MS);
  }

  catchUp(isOver: () => boolean): void {
    this.#open();
    this.#emulate(Number.POSITIVE_INFINITY, isOver);
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
    if (this.isBehind) void this.screen;
    const from = this.position;
    this.position = record.end;
    if (record.kind === 'snapshot') this.#beginAt(record);
    if (record.kind === 'start' && record.position > 0) this.#startAgain(record.end);
    if (record.kind === 'resize') this.#watch.break(record.end);
    if (record.kind === 'out') this.#takeOut(record, from);
    else if (this.#terminal?.position === from && IN_NO_TERMINAL.has(record.kind)) {
      this.#terminal.position = record.end;
      if (this.#seen === from) this.#seen = record.end;
    }
  }

  /** Begins at a snapshot, because everything before it was dropped from the journal. */
  #beginAt({ end, version, screen: { snapshot, ...screen } }: SnapshotRecord): void {
    if (version !== 1) return;
    this.#close();
    this.#watch = new LineWatch();
    this.#watch.break(end);
    this.#move({ ...screen, position: end, before: '' }, snapshot);
  }

  checkpoint(): SnapshotScreen | null {
    this.#open();
    this.#emulateAll();
    if (this.#terminal?.position !== this.position || !this.#writeDown(false)) return null;
    const { position, before: _, ...screen } = readOrigin(this.#options.dir) ?? { position: -1 };
    return position === this.position && 'snapshot' in screen ? screen : null;
  }

  /** Another program has a terminal of its own: nothing is left of the one before. */
  #startAgain(position: number): void {
    this.#watch = new LineWatch();
    this.#watch.take(MODES_OFF, position);
    this.#watch.break(position);
  }

  /** @param from  What is before it is known already. */
  #takeOut(record: OutRecord, from: number): void {
    const { bytes, bytesPosition, end } = record;
    const passed = Math.max(0, from - bytesPosition);
    const { behindBytes = MAX_BEHIND_BYTES, rebaseBytes = REBASE_BYTES } = this.#options;
    const kind = this.#watch.take(bytes.subarray(passed), bytesPosition + passed);
    if (this.#watch.fixedQueries.length > 0) this.#answerFixed(record);
    const { cols, rows } = this.#terminal?.screen ?? this.#origin;
    if (kind !== 'lines') this.#owedMs += emulationMs(bytes, cols * rows);
    if (kind === 'asking') {
      this.#askedBefore = end;
      if (this.#owedMs <= AT_ONCE_MS) void this.screen;
    } else if (this.#show(record, from)) {
      // Nothing is left to be done.
    } else if (end - this.#lookedAt >= Math.min(LOOK_BYTES, behindBytes / 4)) {
      const since = Math.max(bytes.length, end - this.#lookedAt);
      this.#lookedAt = end;
      if (this.#behind() > behindBytes) {
        this.#open();
        this.#emulate(2 * since, NEVER);
        this.#use();
      }
    }
    if (end - Math.max(this.#origin.position, this.#triedAt) >= rebaseBytes) this.#rebase();
  }

  /** Without the screen, which would have to catch up first. */
  #answerFixed({ position, bytesPosition, end }: OutRecord): void {
    if (position < this.#answered) return;
    this.#answered = end;
    for (const [index, reply] of repliesTo(this.#watch.fixedQueries).entries())
      this.#options.onReply?.(bytesPosition + index, reply);
  }

  /** Emulates output at once if everything before it was seen. @returns True if it did. */
  #show({ bytes, position, bytesPosition, end }: OutRecord, from: number): boolean {
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
        const end = performance.now() + SLICE_MS;
        this.catchUp(() => performance.now() >= end);
        if ((this.#terminal?.position ?? position) >= position && this.#owedMs <= AT_ONCE_MS) return;
      }
    } finally {
      this.#lookers--;
    }
  }

  park(): boolean {
    if (!this.#terminal) return true;
    this.#emulateAll();
    const { behindBytes = MAX_BEHIND_BYTES } = this.#options;
    if (this.#behindOf(this.#origin) > behindBytes / 2 && !this.#writeDown(true)) return false;
    this.#close();
    return true;
  }

  save(): void {
    if (this.#isWorthSaving) this.#rebase();
  }

  async saveSlowly(): Promise<void> {
    if (!this.#isWorthSaving) return;
    if (!this.#placeBehind(this.#origin)) await this.settled();
    this.save();
  }

  get #isWorthSaving(): boolean {
    const { behindBytes = MAX_BEHIND_BYTES } = this.#options;
    return this.position - this.#origin.position > behindBytes / 4;
  }

  dispose(): void {
    this.#close();
  }

  // ── how far it is ────────────────────────────────────────────────

  /** How much would have to be emulated now. */
  #behind(): number {
    const { screen, position } = this.#terminal ?? {};
    return this.#behindOf(
      screen && position !== undefined ? { position, isPlain: screen.isPlain, rows: screen.rows } : this.#origin,
    );
  }

  #behindOf(base: Pick<Origin, 'position' | 'isPlain' | 'rows'>): number {
    return this.position - (this.#placeBehind(base)?.position ?? base.position);
  }

  /** Returns the place after which a terminal of `base` may continue as well. */
  #placeBehind({ position, isPlain, rows }: Pick<Origin, 'position' | 'isPlain' | 'rows'>): Place | null {
    if (!isPlain || this.#watch.painted > position) return null;
    const place = this.#watch.placeFor(linesToFill(rows, this.#options.scrollbackLines));
    return place && place.position > position ? place : null;
  }

  // ── emulating ────────────────────────────────────────────────

  #open(): { screen: Screen } {
    this.#terminal ??= this.#openAt(this.#origin, readOrigin(this.#options.dir)?.snapshot ?? '');
    return this.#terminal;
  }

  #openAt({ position, cols, rows, before, joins = 0 }: Origin, snapshot: string): Emulating {
    const { dir, scrollbackLines } = this.#options;
    const onReply = (text: string) => {
      if (this.#asking !== null) this.#options.onReply?.(this.#asking++, text);
    };
    const screen = createScreen({ cols, rows, scrollbackLines, snapshot: snapshot + before, joins, onReply });
    return { screen, position, reader: openJournal(dirname(dir), basename(dir), { from: position }), rest: null };
  }

  #emulateAll(): void {
    this.#emulate(Number.POSITIVE_INFINITY, NEVER);
  }

  /**
   * Continues in the journal, with about this many bytes of output at most, and until `isOver`. Skips output that no
   * client can see any more.
   */
  #emulate(maxBytes: number, isOver: () => boolean): void {
    const terminal = this.#terminal;
    if (!terminal) return;
    const before = this.position - terminal.position;
    if (before > 0) this.#read(terminal, maxBytes, isOver);
    const left = this.position - terminal.position;
    this.#owedMs = left <= 0 ? 0 : (this.#owedMs * left) / before;
    if (left > 0 || this.#askedBefore === null) return;
    this.#answered = this.#askedBefore;
    this.#askedBefore = null;
    this.#watch.goOn(terminal.screen);
  }

  #read(terminal: Emulating, maxBytes: number, isOver: () => boolean): void {
    const { screen, reader } = terminal;
    const place = this.#placeBehind({ position: terminal.position, isPlain: screen.isPlain, rows: screen.rows });
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
    // Damaged, or cut off: there is nothing more to be had.
    if (!isCut) terminal.position = this.position;
  }

  /**
   * Emulates a record, or the rest of one. At least one piece of it.
   *
   * @returns False if time was over first: what is left is the rest.
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
      end = isOver === NEVER ? bytes.length : at + pieceBytes(bytes.subarray(at, at + PIECE_BYTES), screen);
      screen.feed(bytes.subarray(at, end));
    }
    terminal.position = record.end;
    return true;
  }

  // ── where to begin ────────────────────────────────────────────────

  /** The origin moves on: to a place, if it can, and else to what the screen is now, which then goes on from there. */
  #rebase(): void {
    this.#triedAt = this.position;
    const place = this.#placeBehind(this.#origin);
    if (place) {
      const { position, before } = place;
      this.#move({ ...this.#origin, position, before, joins: 0 }, readOrigin(this.#options.dir)?.snapshot ?? '');
      return;
    }
    this.#open();
    this.#emulateAll();
    this.#writeDown(false);
  }

  /**
   * Makes what the terminal is now the origin; the terminal is then the one that is made of it.
   *
   * @param isExact  Only if that is the same.
   */
  #writeDown(isExact: boolean): boolean {
    const terminal = this.#terminal;
    if (!terminal?.screen.isBetween) return false;
    const { screen, position } = terminal;
    const { cols, rows, isPlain, hasBracketedPaste, hasApplicationCursor, joins } = screen;
    const origin: Origin = {
      position,
      cols,
      rows,
      isPlain,
      hasBracketedPaste,
      hasApplicationCursor,
      before: '',
      joins,
    };
    const snapshot = screen.snapshot(this.#options.scrollbackLines);
    const again = this.#openAt(origin, snapshot);
    const isGood = (!isExact || again.screen.isSame(screen)) && this.#move(origin, snapshot);
    const given = isGood ? terminal : again;
    given.screen.dispose();
    given.reader.close();
    if (isGood) this.#terminal = again;
    return isGood;
  }

  #move(origin: Origin, snapshot: string): boolean {
    const isWritten = writeOrigin(this.#options.dir, origin, snapshot);
    if (isWritten) this.#origin = origin;
    return isWritten;
  }

  #close(): void {
    this.#terminal?.screen.dispose();
    this.#terminal?.reader.close();
    this.#terminal = null;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** A client looks, or much is printed: the terminal is kept for a while. A daemon at rest has no such timer. */
  #use(): void {
    this.#usedAt = performance.now();
    this.#timer ??= setTimeout(() => this.#rest(), IDLE_MS).unref();
  }

  #rest(): void {
    this.#timer = null;
    const quietMs = performance.now() - this.#usedAt;
    if (quietMs >= IDLE_MS) this.park();
    else this.#timer = setTimeout(() => this.#rest(), IDLE_MS - quietMs).unref();
  }
}

/** Returns how many of these bytes are emulated before the clock is looked at. */
function pieceBytes(bytes: Uint8Array, { cols, rows }: Pick<Screen, 'cols' | 'rows'>): number {
  const ms = emulationMs(bytes, cols * rows);
  return ms <= PIECE_MS ? bytes.length : Math.max(MIN_PIECE_BYTES, Math.floor((bytes.length * PIECE_MS) / ms));
}
