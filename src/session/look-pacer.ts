/**
 * Look pacer: decides where in the output the screen ear looks at a painted screen.
 *
 * In:   what the row reader reads, each with its journal position: text, line feeds, control sequences, quiet.
 * Out:  looks, at places that depend on the bytes alone, never on how they were cut or when they came:
 *
 *     ESC[?2026l                     the end of a synchronized update; inside of one nobody looks
 *     ESC[5A  ESC[H  ESC M  …        a pass over the screen is over when the cursor is about to go up
 *     ESC[J  ESC[2K  ESC[3S  …       before what was painted is erased or moved
 *     \n, long text                  before much has left the screen unseen
 *     every LOOK_BYTES               whatever comes
 *
 * It does not know where the terminal wraps: its row is at most the cursor's. So it looks a little too rarely inside of a pass, never in an update.
 */
import { ERASE_DISPLAY, RESET, SCREEN_MODES, SET, SYNCHRONIZED_UPDATE } from './row-controls.js';

export interface PacedScreen {
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

export class LookPacer {
  readonly #screen: PacedScreen;
  readonly #show: (position: number) => void;
  readonly #lookAt: (position: number, isFramed: boolean) => void;
  /** Of what was read, which the terminal may not have yet. */
  #isAlternate: boolean;
  #isFramed = false;
  /** Text came since the last look. */
  #hasPrinted = false;
  /** Row of the cursor, or one above it; and the lowest that text came on since the last look. */
  #row = 0;
  #lowest = -1;
  /** Line feeds since the last look. */
  #feeds = 0;
  /** Bytes of output: up to the last look, and up to where it was checked last how much has scrolled. */
  #lookedAt = 0;
  #checkedAt = 0;
  /** The output that is being read: its journal position, and how many bytes came before it. */
  #position = 0;
  #before = 0;
  #length = 0;

  /**
   * @param show  Writes everything before a journal position to the terminal.
   * @param look  Looks at what everything before a position has painted, which was written to the terminal; `isFramed`: a synchronized
   *              update, which ends there.
   */
  constructor(
    screen: PacedScreen,
    show: (position: number) => void,
    look: (position: number, isFramed: boolean) => void,
  ) {
    this.#screen = screen;
    this.#show = show;
    this.#lookAt = look;
    this.#isAlternate = screen.isAlternate;
  }

  /** Inside of a synchronized update: only its end counts. */
  get isFramed(): boolean {
    return this.#isFramed;
  }

  /** Something was printed that no look has seen. */
  get hasUnseen(): boolean {
    return this.#hasPrinted && !this.#isFramed;
  }

  /** What stands on the screen is what the last look saw. */
  get isSeen(): boolean {
    return !this.#hasPrinted && !this.#isFramed;
  }

  /** Output is about to be read. */
  begin(position: number, length: number): void {
    this.#before += this.#length;
    this.#position = position;
    this.#length = length;
  }

  /** Text stands between two positions. */
  text(start: number, end: number): void {
    const from = this.#countAt(start);
    const to = this.#countAt(end);
    if (this.#nextStop <= from) this.#stop(from);
    this.#printed();
    for (let stop = this.#nextStop; stop <= to; stop = this.#nextStop) {
      this.#stop(stop);
      if (stop < to) this.#printed();
    }
  }

  #printed(): void {
    this.#hasPrinted = true;
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
      this.#screen.breaks();
    }
  }

  /** @param parameters  -1 for one that is not given. `position`, `began`: as for `escape`. */
  control(final: number, mark: string, parameters: readonly number[], position: number, began: number): void {
    if (mark === '?' && (final === SET || final === RESET)) this.#mode(final === SET, parameters, position, began);
    if (mark !== '') return;
    const first = parameters[0] ?? -1;
    if (this.#isFramed) {
      if (final === ERASE_DISPLAY && first >= 2) this.#screen.breaks();
      return;
    }
    const count = Math.max(1, first);
    if (final === UP || final === PREVIOUS_LINE) {
      this.rest(position, began);
      this.#row = Math.max(0, this.#row - count);
    } else if (final === DOWN || final === NEXT_LINE || final === DOWN_BY) {
      this.#row = Math.min(this.#row + count, this.#screen.rows - 1);
    } else if (final === TO_PLACE || final === TO_PLACE_TOO || final === TO_ROW) {
      const row = Math.min(count, this.#screen.rows) - 1;
      if (row < this.#row) this.rest(position, began);
      this.#row = row;
    } else if (final === ERASE_ROW) {
      if (first === 2 && this.#row <= this.#lowest) this.rest(position, began);
    } else if (final === ERASE_DISPLAY) {
      this.rest(position, began);
      if (first >= 2) this.#screen.breaks();
    } else if (MOVES.has(final)) {
      this.rest(position, began);
      this.#row = 0;
    }
  }

  /** Quiet, or whatever else after which the screen stands; also before another size. */
  rest(position: number, at = position): void {
    if (this.#hasPrinted && !this.#isFramed) this.#look(position, at);
  }

  /** As one that begins here, after a look. */
  startOver(): void {
    this.#row = 0;
    this.#looked(this.#before + this.#length);
  }

  #mode(isSet: boolean, modes: readonly number[], position: number, began: number): void {
    if (modes.includes(SYNCHRONIZED_UPDATE)) {
      const isEnd = this.#isFramed && !isSet;
      if (isEnd) this.#isFramed = false;
      if (this.#hasPrinted && !this.#isFramed) this.#look(position, began, isEnd);
      this.#isFramed = isSet;
      this.#row = 0;
      this.#lookedAt = this.#countAt(position);
    }
    if (modes.some((mode) => SCREEN_MODES.includes(mode))) {
      this.#isFramed = false;
      this.rest(position, began);
      this.#row = 0;
      this.#isAlternate = isSet;
      this.#screen.breaks();
    }
  }

  // ── how much may come unseen ─────────────────────────────────────────────────────────────────────────────────────────────

  /** Where something has to be done at the latest, in bytes of output. */
  get #nextStop(): number {
    if (this.#isFramed) return this.#lookedAt + MAX_FRAME_BYTES;
    return Math.min(this.#lookedAt + LOOK_BYTES, this.#checkedAt + this.#checkRows * this.#screen.cols);
  }

  /** So many rows may scroll between two checks. */
  get #checkRows(): number {
    return this.#isAlternate ? Math.max(1, this.#screen.rows >> 3) : MAX_UNSEEN_ROWS >> 3;
  }

  #stop(count: number): void {
    const position = this.#position + count - this.#before;
    const limit = this.#isFramed ? MAX_FRAME_BYTES : LOOK_BYTES;
    if (count - this.#lookedAt < limit) this.#check(position);
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
    this.#looked(this.#countAt(position));
    this.#lookAt(at, isFramed);
  }

  #looked(count: number): void {
    this.#hasPrinted = false;
    this.#lowest = -1;
    this.#feeds = 0;
    this.#lookedAt = count;
    this.#checkedAt = count;
  }

  #countAt(position: number): number {
    return this.#before + Math.min(position - this.#position, this.#length);
  }
}
