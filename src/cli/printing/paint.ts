/** Colours for people, but not for NO_COLOR, pipes and dumb terminals; tables that handle wide characters. */
import { isAsciiLocale, STATE_BADGES, type Style, styled } from '../../protocol/index.js';

export type Paint = (style: Style, text: string) => string;

export function createPaint(env: NodeJS.ProcessEnv, isTerminal: () => boolean): Paint {
  const isForced = Boolean(env['FORCE_COLOR']) && env['FORCE_COLOR'] !== '0';
  const isColoured = !env['NO_COLOR'] && (isForced || (env['TERM'] !== 'dumb' && isTerminal()));
  return (style, text) => (isColoured ? styled(style, text) : text);
}

/** For standard error, which may be a terminal while standard output is a file. */
export const errorPaint = ({ env }: { readonly env: NodeJS.ProcessEnv }): Paint =>
  createPaint(env, () => process.stderr.isTTY === true);

export interface Cell {
  readonly text: string;
  readonly style?: Style;
}

/**
 * Formats a table. Columns are as wide as their widest cell. On a narrow terminal the widest columns are cut, except
 * the first, which contains ids. The last column is cut at the terminal's edge, so no row is wider than the terminal.
 *
 * @param columns Width of the terminal; Infinity for a pipe.
 * @param dispensable Titles of the columns that a narrow terminal leaves out, the first one first.
 */
export async function table(
  paint: Paint,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  columns: number,
  dispensable: readonly string[] = [],
): Promise<string> {
  const stringWidth = await createMeasure([...head, ...rows.flatMap((row) => row.map(({ text }) => text))]);
  const wanted = head.map((title, x) =>
    Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[x]?.text ?? ''))),
  );
  const [leftOut, ...later] = dispensable;
  if (leftOut !== undefined && leastWidth(wanted) > columns) {
    const without = <T>(all: readonly T[]): T[] => all.filter((_, x) => head[x] !== leftOut);
    return table(paint, without(head), rows.map(without), columns, later);
  }
  const widths = fittedWidths(wanted, columns);
  const lead = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP, 0);
  const isLast = (x: number) => x === head.length - 1;
  const pad = (text: string, x: number) =>
    isLast(x) ? text : text + ' '.repeat(Math.max(0, (widths[x] ?? 0) - stringWidth(text)));
  const fitted = (text: string, x: number) => cut(text, isLast(x) ? columns - lead : (widths[x] ?? 0), stringWidth);
  const lines = rows.map((row) =>
    row.map((cell, x) => {
      const padded = pad(fitted(cell.text, x), x);
      return cell.style ? paint(cell.style, padded) : padded;
    }),
  );
  const titles = head.map((title, x) => paint('dim', pad(fitted(title, x), x)));
  const made = `${[titles, ...lines].map((line) => line.join(' '.repeat(GAP)).trimEnd()).join('\n')}\n`;
  // A pipe gets the names as they are: a program compares them.
  if (columns === Number.POSITIVE_INFINITY || !isAsciiLocale(process.env)) return made;
  const { asciiOf } = await import('../../tui/paint/ascii.js');
  return asciiOf(made);
}

const GAP = 2;
/** Minimum widths of a cut column and of the last column, if the terminal is wide enough. */
const MIN_WIDTHS = { cut: 10, last: 7 } as const;

/** Returns the width of the table with all columns cut as far as is useful. */
const leastWidth = (wanted: readonly number[]): number =>
  wanted.reduce((sum, width, x) => {
    const least = x === 0 ? width : Math.min(width, x === wanted.length - 1 ? MIN_WIDTHS.last : MIN_WIDTHS.cut);
    return sum + least + GAP;
  }, -GAP);

/** Reduces the widest column by one until the last column has room. */
function fittedWidths(wanted: readonly number[], columns: number): number[] {
  const widths = [...wanted];
  const last = Math.min(MIN_WIDTHS.last, wanted.at(-1) ?? 0);
  const lead = () => widths.slice(0, -1).reduce((sum, width) => sum + width + GAP, 0);
  while (lead() + last > columns) {
    const widest = Math.max(...widths.slice(1, -1));
    if (!(widest > MIN_WIDTHS.cut)) break;
    widths[widths.indexOf(widest, 1)] = widest - 1;
  }
  return widths;
}

/**
 * Returns a function that measures text. Loading the Unicode tables takes 15 ms, so it happens only if a text needs
 * them.
 */
async function createMeasure(texts: readonly string[]): Promise<(text: string) => number> {
  if (texts.every(isNarrow)) return (text) => text.length;
  return (await import('string-width')).default;
}

/**
 * True if every character is one column wide: printable ASCII, Latin letters, and orchd's own marks. A loop, because
 * compiling a regular expression for a few uses takes longer.
 */
function isNarrow(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code <= 0x7e) continue;
    if ((code < 0xc0 || code > 0x2af) && !MARKS.includes(text.charAt(at))) return false;
  }
  return true;
}

const MARKS = ['…', '−', ...Object.values(STATE_BADGES).map(({ mark }) => mark)];

function cut(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text;
  if (width <= 0) return '';
  let kept = '';
  for (const char of text) {
    if (measure(kept + char) > width - 1) break;
    kept += char;
  }
  return `${kept}…`;
}
