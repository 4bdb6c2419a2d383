/**
 * Panes: finds the part of a screen in which a program without an adapter shows its conversation, if lines or changes
 * of the background divide the screen. Outside of it are borders, side panels and a scrollbar, whose text is not the
 * agent's.
 *
 *     │ Files 0 │ an answer, in the widest part     │ 12,000 tokens │
 *     │ Files 1 │ that goes on                      █ $ 0.12        │
 *               ^ left                              ^ right
 *
 *     an answer, on the screen's background   ░ 12,000 tokens ░
 *     that goes on                            ░ $ 0.12        ░
 *                                            ^ an edge: the background changes between two columns
 *
 * In:   the columns of the lines and edges in each row (`dividersOf`).
 * Out:  the pane. It counts once it is a part of the layout (PaneWatch), because a tool's output may be in a box too,
 *       and a message within that is only shown. A layout
 *
 *       - is on the screen when an input is submitted, and stays in its place after that, or
 *       - has room: a third of its rows is empty at the top or at the bottom. A box around a text fits the text.
 */
import type { ScreenRow } from '../../ears/index.js';
import { CELL, CODE_POINT, IS_COMBINED, type Line } from '../../terminal/index.js';
import { backgroundOf } from './side-panel.js';

export interface Pane {
  /** Columns of the lines beside it; -1 and the number of the screen's columns where there is none. */
  readonly left: number;
  readonly right: number;
  /** The first row, and the row after the last. */
  readonly top: number;
  readonly bottom: number;
  /** True if a line beside it is made of `|`. Absent in checkpoints of older versions. */
  readonly hasBars?: true;
}

/** What divides a row, and where its text is. */
export interface Dividers {
  /** Columns of lines. An edge lies between two columns: 49.5 is the one between the columns 49 and 50. */
  readonly columns: readonly number[];
  /** Those of them with `|`, which may also be text. */
  readonly bars: readonly number[];
  /** The first and the last column with text; `first` is larger if there is none. */
  readonly first: number;
  readonly last: number;
}

export interface PanesState {
  readonly pane: Pane | null;
  readonly known: Pane | null;
  readonly missed: number;
}

/** Minimum part of the screen's rows that a vertical line crosses without a gap. */
const MIN_PART = 0.5;
const MIN_ROWS = 6;
const MIN_COLS = 16;
/** Minimum number of rows with words in a pane. */
const MIN_TEXTS = 2;
const WORDS = /[\p{L}\p{N}]/u;
/** If the widest part has no words, another one counts that has this share of its width, and this share of the rows. */
const NEARLY_AS_WIDE = 0.6;
const NEARLY_ALL_ROWS = 0.75;
/** A line at the left with nothing at the right marks rows: a person's prompt, a quotation. */
const MARGIN = 3;
const ROOM_PART = 1 / 3;
/** Number of looks in which the lines may be missing, because the program has painted only a part of the screen. */
const MAX_MISSED = 8;
/** From an edge to the columns beside it. */
const EDGE = 0.5;
const LINES = new Set(Array.from('│┃║|▌▐▎▏▍▋▊▉▕█▓▒░╎┆┊╏┇┋╻╹╽╿▲▼├┤┼┝┥┠┨┣┫╠╣╟╢╞╡╬┿╂╋', (char) => char.codePointAt(0)));
/** A row with more of these is a picture or a bar, and takes long to compare. */
const MAX_BARS = 64;
/** Number of rows without a line in a column of lines. */
const MAX_GAP = 3;
/** Number of columns by which a line may stand beside its place. */
const MAX_MOVED = 16;
const NONE: readonly number[] = [];
const NO_EDGES = {};
const SPACE = 0x20;
const BAR = 0x7c;

/** Returns the columns of a row in which a vertical line may be, and the edges at which its background changes. */
export function dividersOf(line: Line, cols: number): Dividers {
  const { _data: cells } = line;
  const columns: number[] = [];
  const bars: number[] = [];
  let first = cols;
  let last = -1;
  let ground = backgroundOf(line, 0);
  for (let column = 0; column < cols; column++) {
    const next = backgroundOf(line, column);
    if (next !== ground) columns.push(column - EDGE);
    ground = next;
    const code = (cells[column * CELL] ?? 0) & CODE_POINT;
    if (code <= SPACE && ((cells[column * CELL] ?? 0) & IS_COMBINED) === 0) continue;
    first = Math.min(first, column);
    last = column;
    if (code === BAR) bars.push(column);
    if ((code >= 0x2500 && code <= 0x25ff) || code === BAR) if (LINES.has(code)) columns.push(column);
  }
  return columns.length > MAX_BARS ? { columns: NONE, bars: NONE, first, last } : { columns, bars, first, last };
}

/** Returns the edges of a row, as the columns behind them, and those of them that have text at both sides. */
export function edgesOf({ columns, first, last }: Dividers): Pick<ScreenRow, 'edges' | 'splits'> {
  const edges = columns.filter((column) => !Number.isInteger(column)).map(Math.ceil);
  if (edges.length === 0) return NO_EDGES;
  const splits = edges.filter((column) => first < column && last >= column);
  return splits.length === 0 ? { edges } : { edges, splits };
}

/** Lines or edges of a column, one below the other. `row` is the last one so far. */
interface Run {
  readonly column: number;
  readonly from: number;
  row: number;
  count: number;
  /** Number of its rows with `|`. */
  bars: number;
  /** True if a row has text at the left of it, or at the right. */
  hasLeft: boolean;
  hasRight: boolean;
}

const newRun = (column: number, row: number): Run => ({
  column,
  from: row,
  row,
  count: 0,
  bars: 0,
  hasLeft: false,
  hasRight: false,
});

/** True if it divides the screen. A text on a background of its own has no other text beside it: it is no panel. */
const divides = ({ column, count, hasLeft, hasRight }: Run, min: number): boolean =>
  count >= min && (Number.isInteger(column) || (hasLeft && hasRight));

/**
 * Returns the widest part of a screen between two of its lines or edges, or the next one if that has no words and the
 * other is nearly as large. Null if nothing divides the screen, or if the part has hardly any words.
 *
 * @param textOf  Returns the text of a row between two columns, without the columns themselves.
 */
export function findPane(
  rows: readonly Dividers[],
  cols: number,
  textOf: (row: number, left: number, right: number) => string,
): Pane | null {
  const min = Math.max(MIN_ROWS, rows.length * MIN_PART);
  const open = new Map<number, Run>();
  const longest = new Map<number, Run>();
  rows.forEach(({ columns, bars, first, last }, row) => {
    for (const column of columns) {
      let run = open.get(column);
      if (!run || row - run.row > MAX_GAP) run = newRun(column, row);
      run.row = row;
      run.count++;
      if (bars.includes(column)) run.bars++;
      run.hasLeft ||= first < column;
      run.hasRight ||= last > column;
      open.set(column, run);
      if (divides(run, min) && run.count >= (longest.get(column)?.count ?? 0)) longest.set(column, run);
    }
  });
  if (longest.size === 0) return null;
  const columns = [-1, ...[...longest.keys()].sort((a, b) => a - b), cols];
  const parts = columns.slice(1).map((to, at): Part => ({ from: columns[at] ?? -1, to }));
  const [widest, next] = parts.sort((a, b) => widthOf(b) - widthOf(a));
  if (!widest) return null;
  const pane = paneIn(widest, longest, cols, min);
  const texts = pane ? countTexts(pane, textOf) : 0;
  if (pane && texts >= MIN_TEXTS) return pane;
  // A preview is empty until something is chosen in it. A conversation gets the person's input first.
  if (!next || texts > 0 || widthOf(next) < widthOf(widest) * NEARLY_AS_WIDE) return null;
  const other = paneIn(next, longest, cols, rows.length * NEARLY_ALL_ROWS);
  return other && countTexts(other, textOf) >= MIN_TEXTS ? other : null;
}

/** What lies between two lines, edges, or sides of the screen. */
interface Part {
  readonly from: number;
  readonly to: number;
}

const widthOf = ({ from, to }: Part): number => to - from;

/** @param least  Minimum number of rows that the lines of the part cross. */
function paneIn({ from, to }: Part, longest: ReadonlyMap<number, Run>, cols: number, least: number): Pane | null {
  const [left, right] = [Math.floor(from), Math.ceil(to)];
  if (right - left - 1 < MIN_COLS || (right === cols && left < MARGIN)) return null;
  const sides = [longest.get(from), longest.get(to)].filter((side) => side !== undefined);
  const top = Math.max(...sides.map((side) => side.from));
  const bottom = Math.min(...sides.map((side) => side.row + 1));
  if (bottom - top < least) return null;
  const hasBars = sides.some(({ bars, count }) => bars > count / 2);
  return { left, right, top, bottom, ...(hasBars && { hasBars }) };
}

/**
 * Returns the number of rows with words in a part, up to MIN_TEXTS. Beside a box that is drawn around a long text stands
 * nothing, or a time in one row.
 */
function countTexts({ left, right, top, bottom }: Pane, textOf: Parameters<typeof findPane>[2]): number {
  let texts = 0;
  for (let row = top; row < bottom && texts < MIN_TEXTS; row++) if (WORDS.test(textOf(row, left, right))) texts++;
  return texts;
}

/**
 * Returns the columns of a row's text in a pane: the first one, and the one after the last. A program that counts the
 * columns of a text differently has moved the line at the right of it.
 */
export function spanOf(
  { left, right, hasBars }: Pane,
  { columns, bars }: Pick<Dividers, 'columns' | 'bars'>,
  cols: number,
): readonly [number, number] {
  // Beside drawn lines, a `|` is part of a table or of a shell command.
  const dividers = hasBars || bars.length === 0 ? columns : columns.filter((column) => !bars.includes(column));
  const find = (side: number, toColumn: (divider: number) => number): number => {
    if (side === -1 || side === cols) return side;
    const near = dividers.map(toColumn).filter((column) => Math.abs(column - side) <= MAX_MOVED);
    return near.sort((a, b) => Math.abs(a - side) - Math.abs(b - side))[0] ?? side;
  };
  const from = find(left, Math.floor) + 1;
  return [from, Math.max(from, find(right, Math.ceil))];
}

const isSame = (one: Pane | null, other: Pane | null): boolean =>
  one?.left === other?.left && one?.right === other?.right && one?.top === other?.top && one?.bottom === other?.bottom;

/** Follows the pane of a screen from look to look. */
export class PaneWatch {
  /** The pane that is read as the screen; null while the whole screen is read. */
  #pane: Pane | null;
  /** The pane that was read last, also if it is not found any more. */
  #known: Pane | null;
  #found: Pane | null = null;
  #missed: number;
  /** The size of the screen before a resize, until the pane is found at the new one. */
  #before: { readonly cols: number; readonly rows: number; readonly pane: Pane } | null = null;

  constructor(state?: PanesState) {
    this.#pane = state?.pane ?? null;
    this.#known = state?.known ?? null;
    this.#missed = state?.missed ?? 0;
  }

  state(): PanesState {
    return { pane: this.#pane, known: this.#known, missed: this.#missed };
  }

  get pane(): Pane | null {
    return this.#pane;
  }

  /** @param isEmpty  Returns true if a row of the pane has no text. */
  look(found: Pane | null, rows: number, isFramed: boolean, isEmpty: (row: number, pane: Pane) => boolean): void {
    this.#found = found;
    if (found && isSame(found, this.#pane)) {
      this.#missed = 0;
      return;
    }
    if (this.#pane && !found && !isFramed && ++this.#missed < MAX_MISSED) return;
    const isLayout = found && (isSame(found, this.#known) || this.#isResized(found, rows) || hasRoom(found, isEmpty));
    if (isLayout) this.#set(found);
    else if (this.#pane && (isFramed || ++this.#missed >= MAX_MISSED)) this.#pane = null;
  }

  /** Called when an input is submitted. Returns true if the pane of the last look counts from now on. */
  submit(): boolean {
    if (this.#pane || !this.#found) return false;
    this.#set(this.#found);
    return true;
  }

  resize(cols: number, rows: number): void {
    if (this.#pane) this.#before = { cols, rows, pane: this.#pane };
    this.#pane = null;
    this.#found = null;
    this.#missed = 0;
  }

  #set(pane: Pane): void {
    this.#pane = pane;
    this.#known = pane;
    this.#before = null;
    this.#missed = 0;
  }

  /** True if the pane kept its distance from the top and the bottom of the screen when the terminal was resized. */
  #isResized(found: Pane, rows: number): boolean {
    const { pane, rows: before } = this.#before ?? {};
    if (!pane || before === undefined) return false;
    return Math.abs(found.top - pane.top) <= 1 && Math.abs(rows - found.bottom - (before - pane.bottom)) <= 1;
  }
}

function hasRoom(pane: Pane, isEmpty: (row: number, pane: Pane) => boolean): boolean {
  const { top, bottom } = pane;
  const room = Math.floor((bottom - top) * ROOM_PART);
  const areEmpty = (from: number): boolean =>
    Array.from({ length: room }, (_, at) => from + at).every((row) => isEmpty(row, pane));
  return areEmpty(top) || areEmpty(bottom - room);
}
