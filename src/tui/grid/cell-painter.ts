/**
 * Cell painter: draws rows at places of the terminal, and writes only the cells that differ from what is shown.
 *
 * In:   painted rows (text with SGR sequences), the column and row where they begin (`put`), then `flush`.
 * Out:  one synchronized update. While the terminal is slow, nothing is written; then it gets the newest cells at once.
 * A row must have been cropped to its place (`cropRow`). `forget` makes the next flush write every cell.
 */
import { inLocale } from '../paint/ascii.js';
import { widthOf } from '../paint/text.js';

const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';
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

export interface CellPainter {
  put(x: number, y: number, row: string): void;
  /** @param cursor  The cell of the terminal's cursor; null to hide it. */
  flush(cursor: { readonly x: number; readonly y: number } | null): void;
  /** Forgets what the terminal shows, because it was cleared or resized. */
  forget(): void;
  close(): void;
}

type Output = Pick<NodeJS.WriteStream, 'write' | 'once' | 'off'>;

export function createCellPainter(stdout: Output): CellPainter {
  /** The cells to show and the cells on the terminal, by row and column. */
  let wanted: Cell[][] = [];
  let shown: Cell[][] = [];
  const dirty = new Set<number>();
  let cursor: { readonly x: number; readonly y: number } | null = null;
  let lastPlace = '';
  let isWaiting = false;
  let isClosed = false;

  const drained = (): void => {
    isWaiting = false;
    write();
  };

  function write(): void {
    if (isWaiting || isClosed) return;
    let text = '';
    for (const y of dirty) text += changesOf(y);
    dirty.clear();
    const place = cursor === null ? '\x1b[?25l' : `\x1b[${cursor.y + 1};${cursor.x + 1}H\x1b[?25h`;
    if (text === '' && place === lastPlace) return;
    lastPlace = place;
    // The cursor is hidden while it moves between cells.
    const body = text === '' ? place : `\x1b[?25l${text}\x1b[0m${place}`;
    isWaiting = !stdout.write(BEGIN + inLocale(body) + END);
    if (isWaiting) stdout.once('drain', drained);
  }

  /** Returns the sequences that turn a shown row into the wanted one. */
  function changesOf(y: number): string {
    const next = wanted[y] ?? [];
    const before = shown[y] ?? [];
    let text = '';
    let at = -1; // the column where the cursor is; -1 if it is elsewhere
    let sgr: string | null = null;
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
    shown[y] = [...next];
    return text;

    function put(cell: Cell): void {
      if (cell.sgr !== sgr) text += cell.sgr === '' ? '\x1b[0m' : `\x1b[0;${cell.sgr}m`;
      sgr = cell.sgr;
      text += cell.text;
    }
  }

  return {
    put(x, y, row) {
      wanted[y] ??= [];
      const line = wanted[y];
      while (line.length < x) line.push(BLANK);
      const cells = cellsOf(row);
      for (let i = 0; i < cells.length; i++) line[x + i] = cells[i] ?? BLANK;
      dirty.add(y);
    },
    flush(at) {
      cursor = at;
      write();
    },
    forget() {
      shown = [];
      wanted = [];
      lastPlace = '';
      dirty.clear();
    },
    close() {
      isClosed = true;
      stdout.off('drain', drained);
    },
  };
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
