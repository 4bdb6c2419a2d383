/**
 * Cell painter: draws rows at places of the terminal, and writes only the cells that differ from what is shown.
 *
 * In:   painted rows (text with SGR sequences), the column and row where they begin (`put`), then `flush`.
 * Out:  one synchronized update. While the terminal is slow, nothing is written; then it gets the newest cells at once.
 * A row must have been cropped to its place (`cropRow`). `forget` makes the next flush write every cell.
 */
import { SynchronizedOutput } from '../paint/synchronized-output.js';
import { widthOf } from '../paint/text.js';

const TOKEN = /\x1b\[([0-9;]*)m|([\s\S])/gu;
/** Up to this number, rewriting unchanged cells is cheaper than moving the cursor over them. */
const MAX_BRIDGED = 6;
const MAX_KNOWN = 2_000;

/** The second column of a wide character, which has no text. */
const REST: Cell = { text: '', sgr: '' };
const BLANK: Cell = { text: ' ', sgr: '' };

interface Cell {
  readonly text: string;
  /** The SGR parameters of the cell's attributes; '' for the default. */
  readonly sgr: string;
}

export class CellPainter {
  /** The cells to show and the cells on the terminal, by row and column. */
  #wanted: Cell[][] = [];
  #shown: Cell[][] = [];
  readonly #dirty = new Set<number>();
  #cursor: { readonly x: number; readonly y: number } | null = null;
  #lastPlace = '';
  readonly #output: SynchronizedOutput;

  constructor(stdout: Pick<NodeJS.WriteStream, 'write' | 'once' | 'off'>) {
    this.#output = new SynchronizedOutput(stdout, () => this.#write());
  }

  put(x: number, y: number, row: string): void {
    this.#wanted[y] ??= [];
    const line = this.#wanted[y];
    while (line.length < x) line.push(BLANK);
    const cells = cellsOf(row);
    for (let i = 0; i < cells.length; i++) line[x + i] = cells[i] ?? BLANK;
    this.#dirty.add(y);
  }

  /** @param cursor  The cell of the terminal's cursor; null to hide it. */
  flush(cursor: { readonly x: number; readonly y: number } | null): void {
    this.#cursor = cursor;
    this.#write();
  }

  /** Forgets what the terminal shows, because it was cleared or resized. */
  forget(): void {
    this.#shown = [];
    this.#wanted = [];
    this.#lastPlace = '';
    this.#dirty.clear();
  }

  close(): void {
    this.#output.close();
  }

  #write(): void {
    if (!this.#output.isReady) return;
    let text = '';
    for (const y of this.#dirty) text += this.#changesOf(y);
    this.#dirty.clear();
    const cursor = this.#cursor;
    const place = cursor === null ? '\x1b[?25l' : `\x1b[${cursor.y + 1};${cursor.x + 1}H\x1b[?25h`;
    if (text === '' && place === this.#lastPlace) return;
    this.#lastPlace = place;
    // The cursor is hidden while it moves between cells.
    this.#output.write(text === '' ? place : `\x1b[?25l${text}\x1b[0m${place}`);
  }

  /** Returns the sequences that turn a shown row into the wanted one. */
  #changesOf(y: number): string {
    const next = this.#wanted[y] ?? [];
    const before = this.#shown[y] ?? [];
    let text = '';
    let at = -1; // the column where the cursor is; -1 if it is elsewhere
    let sgr: string | null = null;
    const put = (cell: Cell): void => {
      if (cell.sgr !== sgr) text += cell.sgr === '' ? '\x1b[0m' : `\x1b[0;${cell.sgr}m`;
      sgr = cell.sgr;
      text += cell.text;
    };
    for (let x = 0; x < next.length; x++) {
      const cell = next[x] ?? BLANK;
      if (cell === REST || isSame(cell, before[x])) continue;
      const gap = x - at;
      if (at >= 0 && gap > 0 && gap <= MAX_BRIDGED) {
        for (let between = at; between < x; between++) put(next[between] ?? BLANK);
      } else if (at !== x) text += `\x1b[${y + 1};${x + 1}H`;
      put(cell);
      at = x + 1;
      while (next[at] === REST) at++;
    }
    this.#shown[y] = [...next];
    return text;
  }
}

const isSame = (cell: Cell, other: Cell | undefined): boolean =>
  other !== undefined && other !== REST && cell.text === other.text && cell.sgr === other.sgr;

const known = new Map<string, readonly Cell[]>();

/** Returns the cells of a row. Most rows of a screen stay the same, so they are cached. */
function cellsOf(row: string): readonly Cell[] {
  const found = known.get(row);
  if (found) return found;
  if (known.size >= MAX_KNOWN) known.clear();
  const cells: Cell[] = [];
  let sgr = '';
  for (const [, params, char] of row.matchAll(TOKEN)) {
    if (params !== undefined) sgr = sgrAfter(sgr, params);
    else if (char !== undefined) add(char);
  }
  known.set(row, cells);
  return cells;

  function add(char: string): void {
    const width = widthOf(char);
    if (width > 0) {
      cells.push({ text: char, sgr });
      for (let rest = 1; rest < width; rest++) cells.push(REST);
      return;
    }
    // A combining character is added to the cell before it.
    const last = cells.findLastIndex((cell) => cell !== REST);
    const base = cells[last];
    if (base) cells[last] = { ...base, text: base.text + char };
  }
}

/** Returns the parameters that are in effect after an SGR sequence. */
function sgrAfter(before: string, params: string): string {
  const codes = params.split(';');
  const reset = codes.lastIndexOf('0');
  // `0` may also be a part of a colour. The daemon and `paint` write a reset only as the first parameter.
  if (params === '' || reset === 0) return codes.slice(1).join(';');
  return before === '' ? params : `${before};${params}`;
}
