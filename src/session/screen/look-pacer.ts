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

export class LookPacer implements OutputPacer {
  readonly #screen: PacedScreen;
  readonly #now: () => number;
  readonly #show: (position: number) => void;
  readonly #lookAt: (place: LookPoint) => void;
  /** State of the output that was read; the terminal may not have received it yet. */
  #isAlternate: boolean;
  #isFramed = false;
  readonly #ear: PacedEar;
  /** True if text came since the last look. */
  #hasPrinted = false;
  /** True if a synchronized update has ended since the last text: the screen is complete. */
  #isWhole = false;
  /** True if the screen was cleared or switched since the last look. */
  #isBroken = true;
  readonly #beginning = new BeginningWatch();
  /** Row of the cursor or one above it, and the lowest row with text since the last look. */
  #row = 0;
  #lowest = -1;
  /** Line feeds since the last look. */
  #feeds = 0;
  /** Number of output bytes up to the last look. */
  #lookedAt = 0;
  /** Number of output bytes up to the last check of how much has scrolled. */
  #checkedAt = 0;
  /** Time of the record at the last look. */
  #lookedMs = 0;
  /** Time of the last record of output. */
  #outputMs = 0;
  /** Number of output bytes up to the last beginning or end of a synchronized update. */
  #framedAt = 0;
  /** Journal position of the output that is being read. */
  #position = 0;
  /** Number of output bytes before the output that is being read. */
  #before = 0;
  /** Number of bytes of the output that is being read. */
  #length = 0;

  /**
   * @param now  Returns the time of the record that is being read, in milliseconds.
   * @param show  Writes everything before a journal position to the terminal.
   * @param look  Looks at the terminal; everything before the place was written to it.
   */
  constructor(
    screen: PacedScreen,
    show: (position: number) => void,
    look: (place: LookPoint) => void,
    ear: PacedEar,
    now: () => number,
    state?: LookPacerState,
  ) {
    this.#now = now;
    this.#screen = screen;
    this.#show = show;
    this.#lookAt = look;
    this.#ear = ear;
    this.#isAlternate = screen.isAlternate;
    if (!state) return;
    this.#isBroken = state.isBroken;
    this.#row = state.row;
    this.#feeds = state.feeds;
    this.#lookedAt = -state.bytes;
    this.#checkedAt = -state.uncheckedBytes;
    this.#beginning.state = state.tail;
    this.#lookedMs = state.lookedMs ?? 0;
    this.#outputMs = state.outputMs ?? 0;
    if (!state.unseen) return;
    this.#hasPrinted = true;
    this.#isWhole = state.unseen.isWhole;
    this.#lowest = state.unseen.lowest;
    if (state.unseen.mayBegin) this.#beginning.come();
  }

  /** True inside of a synchronized update, whose end is the next place for a look. */
  get isFramed(): boolean {
    return this.#isFramed;
  }

  /** True if text was printed that no look has seen. */
  get hasUnseen(): boolean {
    return this.#hasPrinted && !this.#isFramed;
  }

  /** True if the screen has not changed since the last look. */
  get isSeen(): boolean {
    return !this.#hasPrinted && !this.#isFramed;
  }

  /** Called before output is read. */
  begin(position: number, length: number): void {
    const now = this.#now();
    const isAtRest = now - this.#outputMs >= REST_MS;
    this.#outputMs = now;
    if (isAtRest && this.#hasPrinted && !this.#isFramed && this.#ear.needsRest && !this.isCalm) {
      this.#look(position, position, this.#isWhole, false, true);
    }
    this.#before += this.#length;
    this.#position = position;
    this.#length = length;
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
    this.#hasPrinted = true;
    this.#isWhole = false;
    if (this.#row > this.#lowest) this.#lowest = this.#row;
  }

  lineFeed(position: number): void {
    if (!this.#isFramed && ++this.#feeds % this.#checkRows === 0) this.#check(position);
    this.#row = Math.min(this.#row + 1, this.#screen.rows - 1);
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
    if (this.#isFramed) {
      if (final === ERASE_DISPLAY && first >= 2) this.#breaks();
      return;
    }
    const count = Math.max(1, first);
    if (final === TO_PLACE || final === TO_PLACE_TOO || final === TO_ROW) {
      const row = Math.min(count, this.#screen.rows) - 1;
      if (row < this.#row) this.#passed(position, began);
      this.#row = row;
    } else if (final === ERASE_ROW) {
      if (first === 2 && this.#row <= this.#lowest) this.#passed(position, began, true);
    } else if (final === UP || final === PREVIOUS_LINE) {
      this.#passed(position, began);
      this.#row = Math.max(0, this.#row - count);
    } else if (final === DOWN || final === NEXT_LINE || final === DOWN_BY) {
      this.#row = Math.min(this.#row + count, this.#screen.rows - 1);
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
    if (!this.#hasPrinted || this.#isFramed) return;
    this.#look(position, at, this.#isWhole, false, this.#now() - this.#outputMs >= REST_MS);
  }

  /** Called when a pass over the screen ends, or before its rows move. */
  #passed(position: number, began: number, isErasing = false): void {
    if (this.#hasPrinted && this.#isDue(position, isErasing)) this.#look(position, began, false, isErasing);
  }

  /** Called before the screen is cleared or switched: the next screen is looked at as soon as it is complete. */
  #breaks(): void {
    this.#isBroken = true;
    this.#screen.breaks();
  }

  /** True if little was printed since the last look, and no message can have begun in it. */
  get isCalm(): boolean {
    if (this.#isBroken || this.#beginning.hasCome) return false;
    return this.#countAt(this.#position + this.#length) - this.#lookedAt < CALM_BYTES && !this.#ear.isExpecting;
  }

  /**
   * True if a look is due at a place where the screen may be complete.
   * @param isErasing  True if painted text is about to be erased or moved.
   */
  #isDue(position: number, isErasing = false): boolean {
    if (this.#beginning.hasCome && (isErasing || this.#ear.needsRest)) return true;
    if (this.#now() - this.#lookedMs < LOOK_MS) return false;
    return (
      this.#beginning.hasCome ||
      this.#isBroken ||
      this.#countAt(position) - this.#lookedAt >= CALM_BYTES ||
      this.#ear.mayBeHalfPainted
    );
  }

  /** Returns the state from which an equal pacer continues. Only outside of a synchronized update. */
  state(): LookPacerState {
    const count = this.#before + this.#length;
    const unseen = { isWhole: this.#isWhole, lowest: this.#lowest, mayBegin: this.#beginning.hasCome };
    return {
      isBroken: this.#isBroken,
      row: this.#row,
      feeds: this.#feeds,
      bytes: count - this.#lookedAt,
      uncheckedBytes: count - this.#checkedAt,
      tail: this.#beginning.state,
      lookedMs: this.#lookedMs,
      outputMs: this.#outputMs,
      ...(this.#hasPrinted && { unseen }),
    };
  }

  #mode(isSet: boolean, modes: readonly number[], position: number, began: number): void {
    if (modes.includes(SYNCHRONIZED_UPDATE)) {
      const isEnd = this.#isFramed && !isSet;
      if (isEnd) this.#isFramed = false;
      if (this.#hasPrinted && !this.#isFramed) {
        if (this.#isDue(position)) this.#look(position, began, isEnd);
        else this.#isWhole ||= isEnd;
      }
      this.#isFramed = isSet;
      this.#row = 0;
      this.#framedAt = this.#countAt(position);
    }
    // Many programs hide the cursor while they paint. The look before it may have seen half of the picture.
    const isShown = isSet && modes.includes(CURSOR) && !this.#isFramed;
    if (isShown && this.#hasPrinted && this.#ear.mayBeHalfPainted) this.#look(position, began);
    if (modes.some((mode) => SCREEN_MODES.includes(mode))) {
      this.#isFramed = false;
      this.rest(position, began);
      this.#row = 0;
      this.#isAlternate = isSet;
      this.#breaks();
    }
  }

  // ── how much may stay unseen ──────────────────────────────────────────────────────────────────────────────────────

  /** Number of output bytes at which the next look or check is due at the latest. */
  get #nextStop(): number {
    if (this.#isFramed) return this.#framedAt + MAX_FRAME_BYTES;
    return Math.min(this.#lookedAt + LOOK_BYTES, this.#checkedAt + this.#checkRows * this.#screen.cols);
  }

  /** Number of rows that may scroll between two checks. */
  get #checkRows(): number {
    return this.#isAlternate ? Math.max(1, this.#screen.rows >> 3) : MAX_UNSEEN_ROWS >> 3;
  }

  #stop(count: number): void {
    const position = this.#position + count - this.#before;
    const isDue = this.#isFramed ? count - this.#framedAt >= MAX_FRAME_BYTES : count - this.#lookedAt >= LOOK_BYTES;
    if (!isDue) this.#check(position);
    else {
      this.#isFramed = false;
      if (this.#hasPrinted) this.#look(position);
      else this.#looked(count);
    }
  }

  #check(position: number): void {
    this.#checkedAt = this.#countAt(position);
    this.#show(position);
    const { rows, scrolled } = this.#screen;
    const limit = this.#isAlternate ? Math.max(1, rows >> 2) : MAX_UNSEEN_ROWS;
    if (scrolled + this.#checkRows > limit) this.rest(position);
  }

  #look(position: number, at = position, isFramed = false, isErasing = false, isAtRest = false): void {
    this.#show(position);
    const count = this.#countAt(position);
    const bytes = count - this.#lookedAt;
    this.#looked(count);
    this.#lookAt({ at, isFramed, isErasing, isAtRest, bytes });
  }

  #looked(count: number): void {
    this.#lookedMs = this.#now();
    this.#hasPrinted = false;
    this.#isBroken = false;
    this.#beginning.forget();
    this.#lowest = -1;
    this.#feeds = 0;
    this.#lookedAt = count;
    this.#checkedAt = count;
  }

  #countAt(position: number): number {
    return this.#before + Math.min(position - this.#position, this.#length);
  }
}
