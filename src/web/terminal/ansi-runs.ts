/**
 * The rows of a screen, text with SGR sequences, as runs of equal colours. For thumbnails. Pure.
 *
 * In:   rows as the daemon's `view` sends them. Other control sequences are passed over.
 */
import { widthOf } from '../../protocol/index.js';

export interface CanvasColours {
  readonly foreground: string;
  readonly background: string;
  /** The colours 0 to 15. */
  readonly ansi: readonly string[];
}

interface Run {
  readonly text: string;
  /** The first column of the run. */
  readonly x: number;
  readonly columns: number;
  readonly foreground: string | null;
  readonly background: string | null;
  readonly isBold: boolean;
  readonly isDim: boolean;
}

interface Pen {
  foreground: string | null;
  background: string | null;
  isBold: boolean;
  isDim: boolean;
  isInverse: boolean;
  isHidden: boolean;
}

const PLAIN: Pen = {
  foreground: null,
  background: null,
  isBold: false,
  isDim: false,
  isInverse: false,
  isHidden: false,
};
const TOKEN = /\x1b\[([\d;:]*)m|\x1b\[[\d;:?]*[ -/]*[@-~]|\x1b|([^\x1b]+)/g;

/** Returns the runs of equal colours of one row. */
export function runsOf(row: string, colours: CanvasColours): Run[] {
  const runs: Run[] = [];
  let pen: Pen = { ...PLAIN };
  let x = 0;
  for (const [, codes, text] of row.matchAll(TOKEN)) {
    if (codes !== undefined) pen = changed(pen, codes, colours);
    if (text === undefined) continue;
    const columns = widthOf(text);
    const { isInverse, isBold, isDim } = pen;
    const [foreground, background] = isInverse
      ? [pen.background ?? colours.background, pen.foreground ?? colours.foreground]
      : [pen.foreground, pen.background];
    runs.push({ text: pen.isHidden ? ' '.repeat(columns) : text, x, columns, foreground, background, isBold, isDim });
    x += columns;
  }
  return runs;
}

function changed(pen: Pen, codes: string, colours: CanvasColours): Pen {
  const next = { ...pen };
  const numbers = codes.split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0;
    if (code === 0) Object.assign(next, PLAIN);
    else if (code === 1) next.isBold = true;
    else if (code === 2) next.isDim = true;
    else if (code === 7) next.isInverse = true;
    else if (code === 8) next.isHidden = true;
    else if (code === 22) Object.assign(next, { isBold: false, isDim: false });
    else if (code === 27) next.isInverse = false;
    else if (code === 28) next.isHidden = false;
    else if (code === 39) next.foreground = null;
    else if (code === 49) next.background = null;
    else if (code >= 30 && code <= 37) next.foreground = colours.ansi[code - 30] ?? null;
    else if (code >= 40 && code <= 47) next.background = colours.ansi[code - 40] ?? null;
    else if (code >= 90 && code <= 97) next.foreground = colours.ansi[code - 82] ?? null;
    else if (code >= 100 && code <= 107) next.background = colours.ansi[code - 92] ?? null;
    else if (code === 38 || code === 48 || code === 58) {
      const isIndexed = numbers[at + 1] === 5;
      const colour = isIndexed
        ? indexed(numbers[at + 2] ?? 0, colours)
        : rgb(numbers[at + 2] ?? 0, numbers[at + 3] ?? 0, numbers[at + 4] ?? 0);
      if (code === 38) next.foreground = colour;
      if (code === 48) next.background = colour;
      at += isIndexed ? 2 : 4;
    }
  }
  return next;
}

/** A colour of the palette of 256: 16 of the theme, a cube of 6 x 6 x 6, and 24 greys. */
function indexed(index: number, { ansi }: CanvasColours): string {
  if (index < 16) return ansi[index] ?? '#000000';
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return rgb(grey, grey, grey);
  }
  const part = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const at = index - 16;
  return rgb(part(Math.floor(at / 36)), part(Math.floor(at / 6) % 6), part(at % 6));
}

const rgb = (red: number, green: number, blue: number): string =>
  `#${[red, green, blue]
    .map((part) =>
      Math.min(255, Math.max(0, Math.round(part)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** The largest part of a screen that a thumbnail shows. */
const MAX_SIZE: Size = { cols: 90, rows: 20 };

/** Returns the part of a screen that a thumbnail shows: the left of the rows that end with the last written one. */
export function partOf(
  rows: readonly string[],
  { cols, rows: height }: Size,
): { readonly first: number; readonly size: Size } {
  const shown = { cols: Math.min(cols, MAX_SIZE.cols), rows: Math.min(height, MAX_SIZE.rows) };
  const last = rows.findLastIndex((row) => row !== '');
  return { first: Math.max(0, Math.min(last + 1, height) - shown.rows), size: shown };
}
