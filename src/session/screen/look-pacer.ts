/**
 * Look pacer: decides where in the output the screen ear looks at a painted screen.
 *
 * In:   what the row reader reads, each with its journal position: text, line feeds, control sequences, quiet.
 * Out:  looks, at places that depend on the bytes and the times of their records, never on how the bytes were cut:
 *
 *     ESC[?2026l                     the end of a synchronized update; there is no look within one
 *     ESC[5A  ESC[H  ESC M  …        a pass over the screen is complete when the cursor is about to go up
 *     ESC[J  ESC[2K  ESC[3S  …       before painted text is erased or moved
 *     \n, long text                  before much has left the screen unseen
 *     every LOOK_BYTES               in all other cases
 *
 * A look is due at one of the first three if LOOK_MS have passed since the last look, and one of these is true: text
 * was printed that could begin or end a message (beginning-watch.ts), CALM_BYTES have come since then, the screen was
 * cleared or switched, or the last look may have seen half a picture. Most frames of an agent move its words by a row,
 * or a spinner by a step. A message that grows needs no look for each of its words: a look sees its beginning, and a
 * look sees its end.
 *
 * Text that could begin or end a message does not wait for LOOK_MS if it is about to be erased or moved, or if the
 * program has no adapter: how its pictures follow each other then shows which of its text is new. A picture of such a
 * program is complete when more output comes after REST_MS. It is looked at then, unless no message can have begun.
 *
 * The pacer does not know where the terminal wraps: its row is at or above the cursor's.
 * The file is long because all causes of a look share the counts since the last one.
 */

import { ERASE_DISPLAY, RESET, SCREEN_MODES, SET, SYNCHRONIZED_UPDATE } from '../rows/row-controls.js';
import type { OutputPacer } from '../rows/row-sink.js';
import { BeginningWatch } from './beginning-watch.js';

/** The ear that looks. */
interface PacedEar {
  /** True if a message has begun and is not complete, or the ear waits for something else. */
  readonly isExpecting: boolean;
  /** True if the last look may have seen an incomplete frame. */
  readonly mayBeHalfPainted: boolean;
  /** True if only looks between two pictures count, because the program has no adapter. */
  readonly needsRest?: boolean;
}

interface PacedScreen {
  readonly cols: number;
  readonly rows: number;
  readonly isAlternate: boolean;
  /** Number of rows that have left the screen since the last look. */
  readonly scrolled: number;
  /** Called before the screen is cleared or switched: the next look is not compared with the last one. */
  breaks(): void;
}

/** Number of bytes after which a look is due without any other reason. A screen full of colours takes fewer. */
const LOOK_BYTES = 16 * 1024;
/**
 * Number of bytes, in which no message can begin, after which a look is due. Painting most screens takes less than half
 * of it.
 */
const CALM_BYTES = 2 * 1024;
/** Time between two records of output that separates two pictures. A program writes a picture at once. */
const REST_MS = 6;
/** Minimum time between two looks, with the exceptions above: one frame. */
const LOOK_MS = 16;
/** Maximum number of bytes of a synchronized update. */
const MAX_FRAME_BYTES = 512 * 1024;
/** Maximum number of rows that may leave the main screen between two looks. Its scrollback has room for them. */
const MAX_UNSEEN_ROWS = 500;

/** DECTCEM. */
const CURSOR = 25;

const code = (character: string): number => character.charCodeAt(0);
const [UP, PREVIOUS_LINE, DOWN, NEXT_LINE, DOWN_BY] = ['A', 'F', 'B', 'E', 'e'].map(code);
const [TO_PLACE, TO_PLACE_TOO, TO_ROW, ERASE_ROW] = ['H', 'f', 'd', 'K'].map(code);
/** Scroll, insert and delete rows, scroll region, restore the cursor; and DECRC, RI, RIS. */
const MOVES: ReadonlySet<number> = new Set(['S', 'T', 'L', 'M', 'r', 'u'].map(code));
const ESCAPES: ReadonlySet<number> = new Set(['8', 'M', 'c'].map(code));

export interface LookPoint {
  /** Journal position of the look. */
  readonly at: number;
  /** True if a synchronized update ends there. */
  readonly isFramed: boolean;
  /** True if the program is about to erase or move rows at the cursor: it has not parked the cursor there. */
  readonly isErasing: boolean;
  /** True if the program was silent for REST_MS before more output came: it was not in the middle of a picture. */
  readonly isAtRest: boolean;
  /** Number of bytes of output since the previous look. */
  readonly bytes: number;
}

/** The state, as plain data. */
export interface LookPacerState {
  readonly isBroken: boolean;
  readonly row: number;
  readonly feeds: number;
  /** Bytes of output since the last look, and since the last check of how much has scrolled. */
  readonly bytes: number;
  readonly uncheckedBytes: number;
  /** State of the beginning watch. */
  readonly tail: number;
  /** Time of the record at the last look. Checkpoints of older versions have neither this nor the following fields. */
  readonly lookedMs?: number;
  readonly outputMs?: number;
  /** The text that was printed since the last look. */
  readonly unseen?: { readonly isWhole: boolean; readonly lowest: number; readonly mayBegin: boolean };
}

interface LookPacerPorts {
  readonly screen: PacedScreen;
  readonly ear: PacedEar;
  /** Writes everything before a journal position to the terminal. */
  readonly show: (position: number) => void;
  /** Looks at the terminal; everything before the place was written to it. */
  readonly look: (place: LookPoint) => void;
  /** Returns the time of the record that is being read, in milliseconds. */
  readonly now: () => number;
}

/** Text that was printed since the last look. */
interface UnseenText {
  /** The lowest row that may have it. */
  lowest: number;
  /** True if a synchronized update has ended since: the screen is complete. */
  isWhole: boolean;
}

/** Decides where the screen of one session is looked at. All counts are bytes of output since the pacer was made. */
export class LookPacer implements OutputPacer {
  readonly #ports: LookPacerPorts;
  /** True on the alternate screen, as of the output that was read; the terminal may not have received it yet. */
  #isAlternate: boolean;
  /** Count at the beginning of the synchronized update that is open; null outside of one. */
  #frameFrom: number | null = null;
  #unseen: UnseenText | null = null;
  /** True if the screen was cleared or switched since the last look. */
  #isBroken = true;
  readonly #beginning = new BeginningWatch();
  /** Row of the cursor or one above it. */
  #row = 0;
  /** Line feeds since the last look. */
  #feeds = 0;
  /** Count at the last look, and the time of its record. */
  readonly #lastLook = { count: 0, ms: 0 };
  /** Count at the last check of how much has scrolled. */
  #checkedAt = 0;
  /** The output that is being read: its journal position, its length, the count before it, and its record's time. */
  readonly #output = { position: 0, length: 0, before: 0, ms: 0 };

  constructor(ports: LookPacerPorts, state?: LookPacerState) {
    this.#ports = ports;
    this.#isAlternate = ports.screen.isAlternate;
    if (!state) return;
    this.#isBroken = state.isBroken;
    this.#row = state.row;
    this.#feeds = state.feeds;
    this.#lastLook = { count: -state.bytes, ms: state.lookedMs ?? 0 };
    this.#checkedAt = -state.uncheckedBytes;
    this.#beginning.state = state.tail;
    this.#output.ms = state.outputMs ?? 0;
    if (!state.unseen) return;
    this.#unseen = { lowest: state.unseen.lowest, isWhole: state.unseen.isWhole };
    if (state.unseen.mayBegin) this.#beginning.come();
  }

  /** True inside of a synchronized update, whose end is the next place for a look. */
  get isFramed(): boolean {
    return this.#frameFrom !== null;
  }

  /** True if text was printed that no look has seen. */
  get hasUnseen(): boolean {
    return this.#unseen !== null && !this.isFramed;
  }

  /** True if the screen has not changed since the last look. */
  get isSeen(): boolean {
    return this.#unseen === null && !this.isFramed;
  }

  /** Called before output is read. */
  begin(position: number, length: number): void {
    const output = this.#output;
    if (this.#isAtRest && this.#ports.ear.needsRest && !this.isCalm) this.rest(position);
    output.ms = this.#ports.now();
    output.before += output.length;
    output.position = position;
    output.length = length;
  }

  /** @param position  Journal position of the byte at `start`. */
  text(bytes: Uint8Array, start: number, end: number, position: number): void {
    const from = this.#countAt(position);
    const to = from + end - start;
    if (this.#nextStop <= from) this.#stop(from);
    let at = from;
    this.#printed();
    for (let stop = this.#nextStop; stop <= to; stop = this.#nextStop) {
      this.#beginning.take(bytes, start + at - from, start + stop - from);
      this.#stop(stop);
      at = stop;
      if (stop < to) this.#printed();
    }
    this.#beginning.take(bytes, start + at - from, end);
  }

  #printed(): void {
    this.#unseen ??= { lowest: -1, isWhole: false };
    this.#unseen.isWhole = false;
    if (this.#row > this.#unseen.lowest) this.#unseen.lowest = this.#row;
  }

  lineFeed(position: number): void {
    if (!this.isFramed && ++this.#feeds % this.#checkRows === 0) this.#check(position);
    this.#row = Math.min(this.#row + 1, this.#ports.screen.rows - 1);
  }

  /** @param position  Journal position of the last byte. The look itself gets the position where the sequence began. */
  escape(final: number, position: number, began: number): void {
    if (ESCAPES.has(final)) this.rest(position, began);
    if (final === code('c')) {
      this.#row = 0;
      this.#isAlternate = false;
      this.#breaks();
    }
  }

  /** @param parameters  -1 stands for a missing one. `position`, `began`: as for `escape`. */
  control(final: number, mark: string, parameters: readonly number[], position: number, began: number): void {
    if (mark === '') this.moved(final, parameters[0] ?? -1, position, began);
    else if (mark === '?' && (final === SET || final === RESET)) this.#mode(final === SET, parameters, position, began);
  }

  /**
   * Called for a control sequence without a private mark.
   * @param first  Its first parameter; -1 if it is missing. `position`, `began`: as for `escape`.
   */
  moved(final: number, first: number, position: number, began: number): void {
    if (this.isFramed) {
      if (final === ERASE_DISPLAY && first >= 2) this.#breaks();
      return;
    }
    const count = Math.max(1, first);
    const { rows } = this.#ports.screen;
    if (final === TO_PLACE || final === TO_PLACE_TOO || final === TO_ROW) {
      const row = Math.min(count, rows) - 1;
      if (row < this.#row) this.#passed(position, began);
      this.#row = row;
    } else if (final === ERASE_ROW) {
      const isPainted = this.#unseen !== null && this.#row <= this.#unseen.lowest;
      if (first === 2 && isPainted) this.#passed(position, began, true);
    } else if (final === UP || final === PREVIOUS_LINE) {
      this.#passed(position, began);
      this.#row = Math.max(0, this.#row - count);
    } else if (final === DOWN || final === NEXT_LINE || final === DOWN_BY) {
      this.#row = Math.min(this.#row + count, rows - 1);
    } else if (final === ERASE_DISPLAY) {
      this.#passed(position, began, true);
      if (first >= 2) this.#breaks();
    } else if (MOVES.has(final)) {
      this.#passed(position, began, true);
      this.#row = 0;
    }
  }

  /** Called after a silence, before a resize, and at any other place after which the screen does not change. */
  rest(position: number, at = position): void {
    if (!this.#unseen || this.isFramed) return;
    this.#look(position, at, { isFramed: this.#unseen.isWhole, isAtRest: this.#isAtRest });
  }

  /** True if the program was silent for REST_MS. */
  get #isAtRest(): boolean {
    return this.#ports.now() - this.#output.ms >= REST_MS;
  }

  /** Called when a pass over the screen ends, or before its rows move. */
  #passed(position: number, began: number, isErasing = false): void {
    if (this.#unseen && this.#isDue(position, isErasing)) this.#look(position, began, { isErasing });
  }

  /** Called before the screen is cleared or switched: the next screen is looked at as soon as it is complete. */
  #breaks(): void {
    this.#isBroken = true;
    this.#ports.screen.breaks();
  }

  /** True if little was printed since the last look, and no message can have begun in it. */
  get isCalm(): boolean {
    if (this.#isBroken || this.#beginning.hasCome) return false;
    return this.#count - this.#lastLook.count < CALM_BYTES && !this.#ports.ear.isExpecting;
  }

  /**
   * True if a look is due at a place where the screen may be complete.
   * @param isErasing  True if painted text is about to be erased or moved.
   */
  #isDue(position: number, isErasing = false): boolean {
    const { ear, now } = this.#ports;
    if (this.#beginning.hasCome && (isErasing || ear.needsRest)) return true;
    if (now() - this.#lastLook.ms < LOOK_MS) return false;
    return (
      this.#beginning.hasCome ||
      this.#isBroken ||
      this.#countAt(position) - this.#lastLook.count >= CALM_BYTES ||
      ear.mayBeHalfPainted
    );
  }

  /** Returns the state from which an equal pacer continues. Only outside of a synchronized update. */
  state(): LookPacerState {
    return {
      isBroken: this.#isBroken,
      row: this.#row,
      feeds: this.#feeds,
      bytes: this.#count - this.#lastLook.count,
      uncheckedBytes: this.#count - this.#checkedAt,
      tail: this.#beginning.state,
      lookedMs: this.#lastLook.ms,
      outputMs: this.#output.ms,
      ...(this.#unseen && { unseen: { ...this.#unseen, mayBegin: this.#beginning.hasCome } }),
    };
  }

  #mode(isSet: boolean, modes: readonly number[], position: number, began: number): void {
    if (modes.includes(SYNCHRONIZED_UPDATE)) {
      const isEnd = this.isFramed && !isSet;
      if (isEnd) this.#frameFrom = null;
      if (this.#unseen && !this.isFramed) {
        if (this.#isDue(position)) this.#look(position, began, { isFramed: isEnd });
        else this.#unseen.isWhole ||= isEnd;
      }
      this.#frameFrom = isSet ? this.#countAt(position) : null;
      this.#row = 0;
    }
    // Many programs hide the cursor while they paint. The look before it may have seen half of the picture.
    const isShown = isSet && modes.includes(CURSOR) && !this.isFramed;
    if (isShown && this.#unseen && this.#ports.ear.mayBeHalfPainted) this.#look(position, began);
    if (modes.some((mode) => SCREEN_MODES.includes(mode))) {
      this.#frameFrom = null;
      this.rest(position, began);
      this.#row = 0;
      this.#isAlternate = isSet;
      this.#breaks();
    }
  }

  // ── how much may stay unseen ──────────────────────────────────────────────────────────────────────────────────────

  /** Count at which the next look or check is due at the latest. */
  get #nextStop(): number {
    const check = this.#checkedAt + this.#checkRows * this.#ports.screen.cols;
    return this.#frameFrom === null ? Math.min(this.#nextLook, check) : this.#nextLook;
  }

  /** Count at which the next look is due at the latest, also if no update has ended by then. */
  get #nextLook(): number {
    return this.#frameFrom === null ? this.#lastLook.count + LOOK_BYTES : this.#frameFrom + MAX_FRAME_BYTES;
  }

  /** Number of rows that may scroll between two checks. */
  get #checkRows(): number {
    return this.#isAlternate ? Math.max(1, this.#ports.screen.rows >> 3) : MAX_UNSEEN_ROWS >> 3;
  }

  #stop(count: number): void {
    const position = this.#output.position + count - this.#output.before;
    if (count < this.#nextLook) this.#check(position);
    else {
      this.#frameFrom = null;
      if (this.#unseen) this.#look(position);
      else this.#looked(count);
    }
  }

  #check(position: number): void {
    this.#checkedAt = this.#countAt(position);
    this.#ports.show(position);
    const { rows, scrolled } = this.#ports.screen;
    const limit = this.#isAlternate ? Math.max(1, rows >> 2) : MAX_UNSEEN_ROWS;
    if (scrolled + this.#checkRows > limit) this.rest(position);
  }

  #look(position: number, at = position, how: Partial<LookPoint> = {}): void {
    this.#ports.show(position);
    const count = this.#countAt(position);
    const bytes = count - this.#lastLook.count;
    this.#looked(count);
    this.#ports.look({ isFramed: false, isErasing: false, isAtRest: false, ...how, at, bytes });
  }

  #looked(count: number): void {
    this.#lastLook.count = count;
    this.#lastLook.ms = this.#ports.now();
    this.#checkedAt = count;
    this.#unseen = null;
    this.#isBroken = false;
    this.#beginning.forget();
    this.#feeds = 0;
  }

  /** Count at the end of the output that is being read. */
  get #count(): number {
    return this.#output.before + this.#output.length;
  }

  #countAt(position: number): number {
    return this.#output.before + Math.min(position - this.#output.position, this.#output.length);
  }
}
