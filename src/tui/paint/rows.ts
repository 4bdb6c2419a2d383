/** Rows and boxes as text. Every row has exactly the given width, so that borders are straight. */
import type { Paint, Style } from './paint.js';
import { cut, fill, plainLine, widthOf } from './text.js';

export interface Cell {
  readonly text: string;
  readonly style?: Style | readonly Style[] | undefined;
  /** Width in columns. A cell without it takes the remaining width; only one cell per row may do so. */
  readonly width?: number;
  readonly align?: 'left' | 'right';
}

/** `hot`: selected in the focused list; `marked`: selected in another list; `faint`: an entry of the past. */
export type RowStyle = 'plain' | 'marked' | 'hot' | 'faint';

/** Rows with fewer columns use shorter words, or leave some out. */
export const NARROW_COLS = 60;
const GAP = 2;

/**
 * Renders one row of a list: `›` if it is selected, `*` if the person has marked it, the cells, and a blank on both
 * sides. An empty cell with a width keeps its column free.
 */
export function listRow(
  paint: Paint,
  cells: readonly Cell[],
  columns: number,
  look: RowStyle,
  isMarked = false,
): string {
  const fixed = cells.reduce((sum, { width }) => sum + (width ?? 0), 0) + GAP * (cells.length - 1);
  const free = Math.max(0, columns - 3 - fixed);
  const shown = cells.map((cell) => ({ ...cell, text: fill(cell.text, cell.width ?? free, cell.align) }));
  const isSelected = look === 'hot' || look === 'marked';
  const body = shown.map(({ text, style }) =>
    look === 'hot' || style === undefined ? text : paint(look === 'faint' ? 'dim' : style, text),
  );
  const line = `${isSelected ? '›' : isMarked ? '*' : ' '}${isSelected && isMarked ? '*' : ' '}${body.join(' '.repeat(GAP))} `;
  const plain = `${isMarked ? '* ' : '  '}${shown.map(({ text }) => text).join(' '.repeat(GAP))} `;
  // The terminal is even narrower than the fixed columns.
  if (widthOf(plain) > columns) return fill(plain, columns);
  if (look === 'hot') return paint(['bold', 'inverse'], line);
  return look === 'faint' ? paint('dim', plain) : look === 'marked' ? paint('bold', line) : line;
}

interface BoxOptions {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** Text at the right end of the upper border. */
  readonly note?: string | undefined;
  /** Text at the right end of the lower border. */
  readonly foot?: string | undefined;
  readonly isFocused?: boolean;
}

/**
 * Renders a box with borders.
 * @param rows Each exactly `width - 2` columns wide; missing rows are blank.
 */
export function box(
  paint: Paint,
  rows: readonly string[],
  { width, height, title, note = '', foot = '', isFocused = false }: BoxOptions,
): string[] {
  const inner = width - 2;
  const edge = (text: string): string => paint(isFocused ? 'cyan' : 'dim', text);
  const shownTitle = cut(` ${title} `, inner - 2);
  const room = inner - 2 - widthOf(shownTitle) - 1;
  const shownNote = note !== '' && widthOf(note) + 2 <= room ? ` ${note} ` : '';
  const line = '─'.repeat(Math.max(0, inner - 2 - widthOf(shownTitle) - widthOf(shownNote)));
  const shownFoot = foot === '' ? '' : cut(` ${foot} `, inner - 2);
  const blank = ' '.repeat(inner);
  return [
    edge('╭─') +
      (isFocused ? paint(['bold', 'cyan'], shownTitle) : paint('bold', shownTitle)) +
      edge(line) +
      paint('dim', shownNote) +
      edge('─╮'),
    ...Array.from({ length: height - 2 }, (_, y) => edge('│') + (rows[y] ?? blank) + edge('│')),
    edge(`╰${'─'.repeat(Math.max(0, inner - 1 - widthOf(shownFoot)))}`) + paint('dim', shownFoot) + edge('─╯'),
  ];
}

/** Centres text in a box. */
export function centred(paint: Paint, lines: readonly string[], columns: number, rows: number): string[] {
  const shown = lines.slice(0, rows);
  const above = Math.floor((rows - shown.length) / 2);
  return [
    ...Array.from({ length: above }, () => ' '.repeat(columns)),
    ...shown.map((line) => {
      const text = cut(line, columns - 2);
      const left = Math.floor((columns - widthOf(text)) / 2);
      return paint('dim', fill(' '.repeat(left) + text, columns));
    }),
  ];
}

/** Returns the range of a list that is shown; it contains the selected entry. */
export function windowOf(
  count: number,
  selected: number,
  height: number,
): { readonly from: number; readonly to: number } {
  const from = Math.max(0, Math.min(selected - Math.floor(height / 2), count - height));
  return { from, to: Math.min(count, from + height) };
}

/**
 * Returns `Sessions 3`, or with a filter `Sessions · 2 of 3 with “api”`.
 * @param count Number of entries that match.
 * @param shown Number of entries that the filter shows.
 */
export function listTitle(
  title: string,
  {
    count,
    shown,
    all,
    filter,
  }: { readonly count: number; readonly shown: number; readonly all: number; readonly filter: string },
): string {
  if (filter.trim() !== '') return `${title} · ${shown} of ${all} with “${plainLine(filter)}”`;
  return count > 0 ? `${title} ${count}` : title;
}

/** Returns, for example, `↑ 3 more · ↓ 2 more`. */
export function hiddenWords(above: number, below: number): string {
  return [above > 0 ? `↑ ${above} more` : '', below > 0 ? `↓ ${below} more` : ''].filter(Boolean).join(' · ');
}

/** Sequences that set colours and styles. */
export const SGR = /\x1b\[[0-9;]*m/g;

/** Pads a painted row with blanks to `columns`. */
export function padded(row: string, columns: number): string {
  return row + ' '.repeat(Math.max(0, columns - widthOf(row.replaceAll(SGR, ''))));
}
