/**
 * Look pacer: decides where in the output the screen ear looks at a painted screen.
 *
 * In:   what the row reader reads, each with its journal position: text, line feeds, control sequences, quiet.
 * Out:  looks, at places that depend on the bytes and the times of their records, never on how they were cut:
 *
 *     ESC[?2026l                     the end of a synchronized update; there is no look within one
 *     ESC[5A  ESC[H  ESC M  …        a pass over the screen is over when the cursor is about to go up
 *     ESC[J  ESC[2K  ESC[3S  …       before what was painted is erased or moved
 *     \n, long text                  before much has left the screen unseen
 *     every LOOK_BYTES               whatever comes
 *
 * A look is due at one of the first three if something was printed that could begin or end a message
 * (beginning-watch.ts). Else LOOK_MS must have passed since the last look, and one of these must be true: CALM_BYTES
 * have come since then, the screen was cleared or switched, or the ear expects more. Most frames of an agent move its
 * words by a row, or a spinner by a step.
 *
 * It does not know where the terminal wraps: its row is at most the cursor's. So it looks a little too rarely inside of
 * a pass, never in an update.
 */

import { ERASE_DISPLAY, RESET, SCREEN_MODES, SET, SYNCHRONIZED_UPDATE } from '../rows/row-controls.js';
import { BeginningWatch } from './beginning-watch.js';

interface PacedScreen {
  readonly cols: number;
  readonly rows: number;
  readonly isAlternate: boolean;
  /** Rows that have left the screen since the last look. */
  readonly scrolled: number;
  /** The screen is about to be cleared or switched: the next look does not go on from the last one. */
  breaks(): void;
}

/** Without any other reason to look; a screen full of colours is painted with less. */
const LOOK_BYTES = 16 * 1024;
/** As far as frames go unseen in which no message can begin: of most screens less than a half is painted with it. */
const CALM_BYTES = 2 * 1024;
/** Time between two looks in which no message can begin or end: a frame. */
const LOOK_MS = 16;
/** A synchronized update that has not ended after so much never will. */
const MAX_FRAME_BYTES = 512 * 1024;
/** Rows that may leave the main screen between two looks; its scrollback holds them. */
const MAX_UNSEEN_ROWS = 500;

const code = (character: string): number => character.charCodeAt(0);
const [UP, PREVIOUS_LINE, DOWN, NEXT_LINE, DOWN_BY] = ['A', 'F', 'B', 'E', 'e'].map(code);
const [TO_PLACE, TO_PLACE_TOO, TO_ROW, ERASE_ROW] = ['H', 'f', 'd', 'K'].map(code);
/** Scroll, insert and delete rows, scroll region, restore the cursor; and DECRC, RI, RIS. */
const MOVES: ReadonlySet<number> = new Set(['S', 'T', 'L', 'M', 'r', 'u'].map(code));
const ESCAPES: ReadonlySet<number> = new Set(['8', 'M', 'c'].map(code));

export interface LookPlace {
  /** Journal position. */
  readonly at: number;
  /** A synchronized update ends there. */
  readonly isFramed: boolean;
  /** Output since the look before. */
  readonly bytes: number;
}

/** Plain data. */
export interface LookPacerState {
  readonly isBroken: boolean;
  readonly row: number;
  readonly feeds: number;
  /** Output since the last look, and since it was checked last how much has scrolled. */
  readonly bytes: number;
  readonly uncheckedBytes: number;
  /** State of the beginning watch. */
  readonly tail: number;
  /** Time of the record at the last look. Not in checkpoints of older versions, as all that follows. */
  readonly lookedMs?: number;
  /** What was printed since the last look. */
  readonly unseen?: { readonly isWhole: boolean; readonly lowest: number; readonly mayBegin: boolean };
}

export class LookPacer {
  readonly #screen: PacedScreen;
  readonly #now: () => number;
  readonly #show: (position: number) => void;
  readonly #lookAt: (place: LookPlace) => void;
  /** Of what was read, which the terminal may not have yet. */
  #isAlternate: boolean;
  #isFramed = false;
  /** The ear waits for more of what it has seen. */
  readonly #isExpecting: () => boolean;
  /** Text came since the last look. */
  #hasPrinted = false;
  /** A synchronized update has ended since text came last: the screen is whole. */
  #isWhole = false;
  /** It was cleared or switched since the last look. */
  #isBroken = true;
  readonly #beginning = new BeginningWatch();
  /** Row of the cursor, or one above it; and the lowest that text came on since the last look. */
  #row = 0;
  #lowest = -1;
  /** Line feeds since the last look. */
  #feeds = 0;
  /** Bytes of output: up to the last look, and up to where it was checked last how much has scrolled. */
  #lookedAt = 0;
  /** Time of the record at the last look. */
  #lookedMs = 0;
  #checkedAt = 0;
  /** … up to the last beginning or end of a synchronized update. */
  #framedAt = 0;
  /** The output that is being read: its journal position, and how many bytes came before it. */
  #position = 0;
  #before = 0;
  #length = 0;

  /**
   * @param now  Time of the record that is being read, in milliseconds.
   * @param show  Writes everything before a journal position to the terminal.
   * @param look  Looks at what everything before a place has painted, which was written to the terminal.
   * @param isExpecting  Whether a message has begun that is not complete, or the ear waits for something else.
   */
  constructor(
    screen: PacedScreen,
    show: (position: number) => void,
    look: (place: LookPlace) => void,
    isExpecting: () => boolean,
    now: () => number,
    state?: LookPacerState,
  ) {
    this.#now = now;
    this.#screen = screen;
    this.#show = show;
    this.#lookAt = look;
    this.#isExpecting = isExpecting;
    this.#isAlternate = screen.isAlternate;
    if (!state) return;
    this.#isBroken = state.isBroken;
    this.#row = state.row;
    this.#feeds = state.feeds;
    this.#lookedAt = -state.bytes;
    this.#checkedAt = -state.uncheckedBytes;
    this.#beginning.state = state.tail;
    this.#lookedMs = state.lookedMs ?? 0;
    if (!state.unseen) return;
    this.#hasPrinted = true;
    this.#isWhole = state.unseen.isWhole;
    this.#lowest = state.unseen.lowest;
    if (state.unseen.mayBegin) this.#beginning.come();
  }

  /** Inside of a synchronized update: only its end counts. */
  get isFramed(): boolean {
    return this.#isFramed;
  }

  /** Something was printed that no look has seen. */
  get hasUnseen(): boolean {
    return this.#hasPrinted && !this.#isFramed;
  }

  /** True if the screen has not changed since the last look. */
  get isSeen(): boolean {
    return !this.#hasPrinted && !this.#isFramed;
  }

  /** Output is about to be read. */
  begin(position: number, length: number): void {
    this.#before += this.#length;
    this.#position = position;
    this.#length = length;
  }

  /**
   * Text comes.
   *
   * @param position  Of the byte at `start`.
   */
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

  /** @param position  Of the last byte; the look is said to be where the sequence began. */
  escape(final: number, position: number, began: number): void {
    if (ESCAPES.has(final)) this.rest(position, began);
    if (final === code('c')) {
      this.#row = 0;
      this.#isAlternate = false;
      this.#breaks();
    }
  }

  /** @param parameters  -1 for one that is not given. `position`, `began`: as for `escape`. */
  control(final: number, mark: string, parameters: readonly number[], position: number, began: number): void {
    if (mark === '') this.moved(final, parameters[0] ?? -1, position, began);
    else if (mark === '?' && (final === SET || final === RESET)) this.#mode(final === SET, parameters, position, began);
  }

  /**
   * A control sequence without a private mark.
   *
   * @param first  Its first parameter; -1 if it is not given. `position`, `began`: as for `escape`.
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
      if (first === 2 && this.#row <= this.#lowest) this.#passed(position, began);
    } else if (final === UP || final === PREVIOUS_LINE) {
      this.#passed(position, began);
      this.#row = Math.max(0, this.#row - count);
    } else if (final === DOWN || final === NEXT_LINE || final === DOWN_BY) {
      this.#row = Math.min(this.#row + count, this.#screen.rows - 1);
    } else if (final === ERASE_DISPLAY) {
      this.#passed(position, began);
      if (first >= 2) this.#breaks();
    } else if (MOVES.has(final)) {
      this.#passed(position, began);
      this.#row = 0;
    }
  }

  /** Quiet, or whatever else after which the screen stands; also before another size. */
  rest(position: number, at = position): void {
    if (this.#hasPrinted && !this.#isFramed) this.#look(position, at, this.#isWhole);
  }

  /** A pass over the screen ends, or what stands there is about to change its place. */
  #passed(position: number, began: number): void {
    if (this.#hasPrinted && this.#isDue(position)) this.#look(position, began);
  }

  /** The screen is about to be cleared or switched: what is painted on it then is looked at as soon as it stands. */
  #breaks(): void {
    this.#isBroken = true;
    this.#screen.breaks();
  }

  /** No message can have begun in what was printed since the last look, and it was little. */
  get isCalm(): boolean {
    if (this.#isBroken || this.#beginning.hasCome) return false;
    return this.#countAt(this.#position + this.#length) - this.#lookedAt < CALM_BYTES && !this.#isExpecting();
  }

  /** True if a look is due at a place where the screen may be whole. */
  #isDue(position: number): boolean {
    if (this.#beginning.hasCome) return true;
    if (this.#now() - this.#lookedMs < LOOK_MS) return false;
    return this.#isBroken || this.#countAt(position) - this.#lookedAt >= CALM_BYTES || this.#isExpecting();
  }

  /** Returns the state from which an equal one continues. Outside of a synchronized update only. */
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
    if (modes.some((mode) => SCREEN_MODES.includes(mode))) {
      this.#isFramed = false;
      this.rest(position, began);
      this.#row = 0;
      this.#isAlternate = isSet;
      this.#breaks();
    }
  }

  // ── how much may come unseen ──────────────────────────────────────────────────────────────────────────────────────

  /** Position in the output, in bytes, at which the next look or check is due at the latest. */
  get #nextStop(): number {
    if (this.#isFramed) return this.#framedAt + MAX_FRAME_BYTES;
    return Math.min(this.#lookedAt + LOOK_BYTES, this.#checkedAt + this.#checkRows * this.#screen.cols);
  }

  /** So many rows may scroll between two checks. */
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

  #look(position: number, at = position, isFramed = false): void {
    this.#show(position);
    const count = this.#countAt(position);
    const bytes = count - this.#lookedAt;
    this.#looked(count);
    this.#lookAt({ at, isFramed, bytes });
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
