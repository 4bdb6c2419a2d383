/**
 * Emulator: the terminal that the screen ear looks at.
 *
 * In:   bytes, cut anywhere (`feed`); where to look (`look`, see look-pacer.ts); sizes.
 * Out:  the rows at each look, and which of them have changed since the one before.
 */
import type { Terminal } from '@xterm/headless';
import type { Look, ScreenRow } from '../../ears/index.js';
import {
  type Buffer,
  boundedTitle,
  type Core,
  coreOf,
  dropRowsAbove,
  type Line,
  lineText,
  Writer,
} from '../../terminal/index.js';
import type { ScreenView } from '../adapters/index.js';
import { DirtyRows } from './dirty-rows.js';
import { openTerminal, snapshotOf } from './ear-terminal.js';
import { type Dividers, dividersOf, findPane, type Pane, type PanesState, PaneWatch, spanOf } from './panes.js';
import { readScreenRows } from './screen-rows.js';
import { viewOf } from './screen-view.js';

/** State from which an equal emulator is created, between two frames. */
export interface EmulatorState {
  readonly cols: number;
  readonly rows: number;
  /** Restores the screens and the cursor of a new terminal of this size. */
  readonly snapshot: string;
  readonly title: string;
  readonly seen: number;
  readonly isBroken: boolean;
  /**
   * The pane that is read as the screen. Absent in checkpoints of older versions, and for a program whose layout its
   * adapter knows.
   */
  readonly panes?: PanesState;
  readonly isPlaced?: boolean;
  readonly hasScrolled?: boolean;
}

interface EmulatorOptions {
  readonly cols: number;
  readonly rows: number;
  readonly onTitle: (title: string) => void;
  /** Returns true if the screen may have panes; false for a program whose layout its adapter knows. */
  readonly hasPanes?: () => boolean;
  /** The state to continue from. */
  readonly state?: EmulatorState | undefined;
}

type LookDetails = Pick<Look, 'timeMs' | 'isViewed' | 'isErasing' | 'isAtRest' | 'isReframed'>;

const NOTHING = [0, 0] as const;
const NO_DIVIDERS: Dividers = { columns: [], bars: [], first: 0, last: -1 };
/** Maximum number of kept rows above the screen. They are needed only if the screen grows. */
const MAX_ROWS_ABOVE = 96;
/** Number of rows that are left above the screen once there are more than MAX_ROWS_ABOVE. */
const ROWS_ABOVE = 64;

/** Unused terminals. Creating a terminal takes twenty times as long as resetting one. */
const spares: Terminal[] = [];
const MAX_SPARES = 4;

/** Returns a terminal that equals a new one. */
function takeTerminal(cols: number, rows: number): Terminal {
  const at = spares.findIndex((spare) => spare.cols === cols && spare.rows === rows);
  const [spare] = at < 0 ? [] : spares.splice(at, 1);
  if (!spare) return openTerminal(cols, rows);
  const { _parser: parser, _utf8Decoder: decoder } = coreOf(spare)._inputHandler;
  // Its output may have ended in the middle of a sequence or a character.
  parser.reset();
  decoder.clear();
  spare.reset();
  return spare;
}

function giveBack(terminal: Terminal): void {
  spares.push(terminal);
  if (spares.length > MAX_SPARES) spares.shift()?.dispose();
}

export class Emulator {
  #terminal: Terminal;
  #core: Core;
  #writer: Writer;
  readonly #onTitle: (title: string) => void;
  #title = '';
  /** Position of the last look. */
  #seen = 0;
  /** Rows that left the screen since the last look. */
  #scrolled = 0;
  /**
   * True if the screen was cleared, switched or resized since the last look. Rows then cannot be matched with that look
   * by scrolling.
   */
  #isBroken = true;
  /**
   * True if the program places its rows on the main screen as on an alternate one, and has scrolled nothing since the
   * screen was cleared.
   */
  #isPlaced = false;
  #hasScrolled = false;
  /** The rows of the screen that were written to since the last look. */
  #dirty = new DirtyRows();
  readonly #listeners: { dispose(): void }[] = [];
  /** The screen at the last look. */
  #last: readonly ScreenRow[] = [];

  readonly #hasPanes: () => boolean;
  readonly #panes: PaneWatch;
  /** The dividers of each line. They are found again after the line was written to. */
  #dividers = new WeakMap<Line, Dividers>();

  constructor({ cols, rows, onTitle, hasPanes = () => false, state }: EmulatorOptions) {
    this.#onTitle = onTitle;
    this.#hasPanes = hasPanes;
    this.#panes = new PaneWatch(state?.panes);
    this.#terminal = takeTerminal(state?.cols ?? cols, state?.rows ?? rows);
    this.#core = coreOf(this.#terminal);
    this.#writer = new Writer(this.#core);
    if (state) {
      this.#writer.write(Buffer.from(state.snapshot));
      this.#title = state.title;
      this.#seen = state.seen;
      this.#isBroken = state.isBroken;
      this.#isPlaced = state.isPlaced ?? false;
      this.#hasScrolled = state.hasScrolled ?? true;
    }
    this.#watch();
  }

  get cols(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  get scrolled(): number {
    return this.#scrolled;
  }

  get isAlternate(): boolean {
    const { buffer, buffers } = this.#core._bufferService;
    return buffer === buffers.alt;
  }

  /** True if the screen is empty. */
  get isBlank(): boolean {
    return this.view().rows.every(({ text }) => text === '');
  }

  /** Returns the current screen, valid until the next byte. */
  view(): ScreenView {
    const isDirty = (y: number): boolean => this.#isBroken || this.#dirty.has(y);
    return viewOf({ terminal: this.#terminal, title: this.#title, isDirty });
  }

  feed(bytes: Uint8Array): void {
    this.#writer.write(bytes);
  }

  /** Called before the screen is cleared or switched. */
  breaks(): void {
    this.#isBroken = true;
    this.#isPlaced = false;
    this.#hasScrolled = false;
  }

  resize(cols: number, rows: number): void {
    this.#panes.resize(this.cols, this.rows);
    this.#dividers = new WeakMap();
    this.#terminal.resize(cols, rows);
    this.#isBroken = true;
    this.#scrolled = 0;
  }

  /** @param at  Position up to which output was fed. `isFramed`: a synchronized update ends there. */
  look(at: number, isFramed = false, more: LookDetails = {}): Look {
    const { cols, rows: size } = this.#terminal;
    const isMain = !this.isAlternate;
    const { buffer } = this.#core._bufferService;
    const { ybase } = buffer;
    const scrolled = isMain ? Math.min(this.#scrolled, ybase) : 0;
    const isPlaced = this.#hasPanes() && this.#isPlaced;
    const isContinued = isMain && !this.#isBroken && scrolled === this.#scrolled && !isPlaced;
    const isOther = this.#isBroken;
    const pane = this.#paneOf(buffer, isFramed);
    const rows = readScreenRows({
      buffer,
      first: ybase - scrolled,
      count: scrolled + size,
      cols,
      isDirty: (y) => isOther || y < ybase || this.#dirty.has(y - ybase),
      spanOf: (y) => (pane ? this.#spanOf(pane, buffer, y) : null),
      dividersOf: this.#hasPanes() ? (y) => this.#dividersOf(buffer.lines.get(y), y - ybase, cols) : null,
    });
    const changed = this.#changedOf(rows, size);
    const cursor = { x: buffer.x, y: buffer.y };
    const width = pane ? pane.right - pane.left - 1 : cols;
    const look = { at, since: this.#seen, cols: width, size, isContinued, isFramed, rows, changed, cursor, ...more };
    this.#seen = at;
    this.#scrolled = 0;
    this.#isBroken = false;
    this.#dirty.clear();
    if (ybase > MAX_ROWS_ABOVE) dropRowsAbove(this.#core, ROWS_ABOVE);
    return look;
  }

  /**
   * Called when an input is submitted. Returns another look at the same output if its rows are read in another way from
   * now on; else null.
   */
  submit(timeMs: number): Look | null {
    if (!this.#hasPanes() || !this.#panes.submit()) return null;
    return this.look(this.#seen, true, { timeMs, isReframed: true });
  }

  #paneOf(buffer: Buffer, isFramed: boolean): Pane | null {
    if (!this.#hasPanes()) return null;
    const { cols, rows } = this.#terminal;
    const { ybase } = buffer;
    const all = Array.from({ length: rows }, (_, y) => this.#dividersOf(buffer.lines.get(ybase + y), y, cols));
    const textOf = (y: number, left: number, right: number): string => {
      const line = buffer.lines.get(ybase + y);
      return line ? lineText(line, true, left + 1, right) : '';
    };
    const isEmpty = (y: number, { left, right }: Pane): boolean => textOf(y, left, right).trim() === '';
    this.#panes.look(findPane(all, cols, textOf), rows, isFramed, isEmpty);
    return this.#panes.pane;
  }

  #dividersOf(line: Line | undefined, y: number, cols: number): Dividers {
    if (!line) return NO_DIVIDERS;
    const known = y < 0 || this.#isBroken || this.#dirty.has(y) ? undefined : this.#dividers.get(line);
    if (known) return known;
    const dividers = dividersOf(line, cols);
    this.#dividers.set(line, dividers);
    return dividers;
  }

  /** Returns the columns of the pane in a line: none above and below the pane. */
  #spanOf(pane: Pane, { ybase, lines }: Buffer, y: number): readonly [number, number] {
    if (y < ybase + pane.top || y >= ybase + pane.bottom) return NOTHING;
    const line = lines.get(y);
    return spanOf(pane, (line && this.#dividers.get(line)) ?? NO_DIVIDERS, this.#terminal.cols);
  }

  /** Returns the indexes of the rows that have changed since the last look; null if the rows cannot be compared. */
  #changedOf(rows: readonly ScreenRow[], size: number): number[] | null {
    const last = this.#last;
    this.#last = rows.length === size ? rows : rows.slice(-size);
    if (last.length !== size || rows.length !== size) return null;
    const changed: number[] = [];
    for (let index = 0; index < size; index++) if (rows[index] !== last[index]) changed.push(index);
    return changed;
  }

  /**
   * Returns the state from which an equal emulator is made. This emulator restarts from the same state, so both stay
   * equal even in what a snapshot cannot hold. Returns null in three cases: in the middle of a sequence or character,
   * while a part of the screen scrolls alone, and before the first look at a cleared or resized screen.
   */
  rebase(): EmulatorState | null {
    const { cols, rows } = this.#terminal;
    const { buffer } = this.#core._bufferService;
    const isWhole = buffer.scrollTop === 0 && buffer.scrollBottom === rows - 1;
    if (!isWhole || !this.#writer.isBetween || this.#scrolled > 0 || this.#isBroken) return null;
    const snapshot = snapshotOf(this.#terminal, { x: buffer.savedX, y: buffer.savedY - buffer.ybase });
    const [title, seen, isBroken] = [this.#title, this.#seen, this.#isBroken];
    const panes = this.#hasPanes()
      ? { panes: this.#panes.state(), isPlaced: this.#isPlaced, hasScrolled: this.#hasScrolled }
      : {};
    const state = { cols, rows, snapshot, title, seen, isBroken, ...panes };
    this.dispose();
    this.#terminal = takeTerminal(cols, rows);
    this.#core = coreOf(this.#terminal);
    this.#writer = new Writer(this.#core);
    this.#writer.write(Buffer.from(snapshot));
    this.#last = [];
    this.#watch();
    return state;
  }

  dispose(): void {
    for (const listener of this.#listeners.splice(0)) listener.dispose();
    giveBack(this.#terminal);
  }

  #watch(): void {
    this.#dirty = new DirtyRows();
    this.#core._inputHandler._dirtyRowTracker = this.#dirty;
    const forget = (): void => {
      this.#scrolled = 0;
    };
    const { buffer, parser } = this.#terminal;
    const { _inputHandler: handler, _bufferService: service } = this.#core;
    const { print } = handler;
    // Of the rows over which it wraps a text, and of those that ED erases, xterm.js marks only the first and the last.
    handler.print = (codes, start, end) => {
      const from = service.buffer.y;
      const scrolled = this.#scrolled;
      print.call(handler, codes, start, end);
      const { y } = service.buffer;
      if (y > from || this.#scrolled > scrolled)
        this.#dirty.markRangeDirty(Math.max(0, from - this.#scrolled + scrolled), y);
    };
    const scroll = service.scroll;
    service.scroll = (attributes, isWrapped) => {
      const { scrollTop, scrollBottom } = service.buffer;
      const { rows } = this.#terminal;
      const once = (): void => scroll.call(service, attributes, isWrapped);
      if (scrollTop === 0 && scrollBottom === rows - 1) this.#dirty.scroll(rows, once);
      else once();
      this.#scrolled++;
      this.#hasScrolled = true;
      this.#isPlaced = false;
    };
    this.#listeners.push(
      this.#terminal.onTitleChange((title) => {
        this.#title = boundedTitle(title);
        this.#onTitle(this.#title);
      }),
      buffer.onBufferChange(forget),
      parser.registerCsiHandler({ final: 'H' }, ([row]) => {
        if (typeof row === 'number' && row > 1 && !this.#hasScrolled) this.#isPlaced = true;
        return false;
      }),
      ...['', '?'].map((prefix) =>
        parser.registerCsiHandler({ prefix, final: 'J' }, ([part]) => {
          const { y } = service.buffer;
          if (part === 3) {
            forget(); // what left the screen is erased
            this.#dirty.markDirty(0); // no row above continues in it any more
          } else this.#dirty.markRangeDirty(part ? 0 : y, part === 1 ? y : this.rows - 1);
          return false;
        }),
      ),
      {
        dispose: () => {
          service.scroll = scroll;
          handler.print = print;
        },
      },
    );
  }
}
