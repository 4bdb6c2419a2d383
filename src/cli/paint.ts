/** Colour for people, none for NO_COLOR, pipes and dumb terminals; tables that know wide characters. */
import { STATE_LOOKS, type Style, styled } from '../protocol/looks.js';

export type Paint = (style: Style, text: string) => string;

export function createPaint(env: NodeJS.ProcessEnv, isTerminal: () => boolean): Paint {
  const isForced = Boolean(env['FORCE_COLOR']) && env['FORCE_COLOR'] !== '0';
  const isColoured = !env['NO_COLOR'] && (isForced || (env['TERM'] !== 'dumb' && isTerminal()));
  return (style, text) => (isColoured ? styled(style, text) : text);
}

export interface Cell {
  readonly text: string;
  readonly style?: Style;
}

/**
 * Columns as wide as their widest cell; the last is cut at the terminal's edge.
 *
 * @param columns  Of the terminal; Infinity for a pipe.
 */
export async function table(
  paint: Paint,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  columns: number,
): Promise<string> {
  const stringWidth = await createMeasure([...head, ...rows.flatMap((row) => row.map(({ text }) => text))]);
  const widths = head.map((title, x) =>
    Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[x]?.text ?? ''))),
  );
  const pad = (text: string, x: number) =>
    x === head.length - 1 ? text : text + ' '.repeat((widths[x] ?? 0) - stringWidth(text));
  const lead = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const fitted = (text: string, x: number) => (x === head.length - 1 ? cut(text, columns - lead, stringWidth) : text);
  const lines = rows.map((row) =>
    row.map((cell, x) => {
      const padded = pad(fitted(cell.text, x), x);
      return cell.style ? paint(cell.style, padded) : padded;
    }),
  );
  const titles = head.map((title, x) => paint('dim', pad(title, x)));
  return `${[titles, ...lines].map((line) => line.join('  ').trimEnd()).join('\n')}\n`;
}

/** How wide text is. The tables for all of Unicode take 15 ms to load, so only text that needs them pays. */
async function createMeasure(texts: readonly string[]): Promise<(text: string) => number> {
  if (texts.every(isNarrow)) return (text) => text.length;
  return (await import('string-width')).default;
}

/** One column each: printable ASCII, Latin letters, and our own marks. By hand: a pattern is compiled first, and used a few times. */
function isNarrow(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code <= 0x7e) continue;
    if ((code < 0xc0 || code > 0x2af) && !MARKS.includes(text.charAt(at))) return false;
  }
  return true;
}

const MARKS = ['…', ...Object.values(STATE_LOOKS).map(({ mark }) => mark)];

function cut(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text;
  let kept = '';
  for (const char of text) {
    if (measure(kept + char) > width - 1) break;
    kept += char;
  }
  return `${kept}…`;
}
