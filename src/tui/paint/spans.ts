/** Wraps and paints text that has several styles. Pure. */
import type { Paint, Style } from './paint.js';
import { split, widthOf } from './text.js';

export interface Span {
  readonly text: string;
  readonly style: readonly Style[];
}

interface Cell {
  readonly piece: string;
  readonly width: number;
  readonly style: readonly Style[];
}

/** Returns rows of at most `columns` columns, wrapped at blanks where possible. Newlines are kept. */
export function wrapSpans(paint: Paint, spans: readonly Span[], columns: number): string[] {
  const most = Math.max(1, columns);
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let word: Cell[] = [];
  const endRow = (): void => {
    while (row.at(-1)?.piece === ' ') row.pop();
    rows.push(row);
    row = [];
  };
  const endWord = (): void => {
    if (row.length > 0 && columnsOf(row) + columnsOf(word) > most) endRow();
    for (const cell of word) {
      if (columnsOf(row) + cell.width > most) endRow();
      row.push(cell);
    }
    word = [];
  };
  for (const { text, style } of spans) {
    for (const piece of split(text)) {
      if (piece !== '\n' && piece !== ' ') {
        word.push({ piece, width: widthOf(piece), style });
        continue;
      }
      endWord();
      if (piece === '\n') endRow();
      else if (columnsOf(row) < most) row.push({ piece, width: 1, style });
    }
  }
  endWord();
  endRow();
  return rows.map((cells) => paintCells(paint, cells));
}

const columnsOf = (cells: readonly Cell[]): number => cells.reduce((sum, { width }) => sum + width, 0);

/** Adjacent cells of the same style are painted together. */
function paintCells(paint: Paint, cells: readonly Cell[]): string {
  let text = '';
  for (let from = 0; from < cells.length; ) {
    const { style } = cells[from] as Cell; // from is below the length
    let to = from;
    let run = '';
    while (to < cells.length && cells[to]?.style === style) {
      run += cells[to]?.piece;
      to += 1;
    }
    text += paint(style, run);
    from = to;
  }
  return text;
}
