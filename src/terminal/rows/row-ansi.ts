/**
 * One row of cells as text with SGR sequences; ends with its attributes reset. Trailing blanks without a background are
 * left out.
 *
 * The cells are read as numbers. Their attributes are computed only where these numbers change.
 */
import * as cell from '../xterm/cell-layout.js';
import type { Attributes, Line } from '../xterm/xterm-core.js';

const NO_ATTRIBUTES = '';
/** A cell with one of these shows even if its text is blank. */
const SHOWS_ON_BLANK = cell.INVERSE | cell.UNDERLINE | cell.STRIKETHROUGH;

export function rowToAnsi(line: Pick<Line, '_data' | '_combined' | '_extendedAttrs'>, cols: number): string {
  const { _data: data, _combined: combined, _extendedAttrs: extended } = line;
  const length = Math.min(cols, data.length / cell.CELL);
  let text = '';
  let kept = 0; // length of `text` up to the last cell that shows
  let attributes = NO_ATTRIBUTES;
  let [lastFg, lastBg, lastIsEmpty, wanted] = [0, 0, false, NO_ATTRIBUTES];
  for (let x = 0; x < length; x++) {
    const content = data[x * cell.CELL] ?? 0;
    if (content >>> cell.WIDTH_SHIFT === 0) continue; // the right half of a wide character
    const isEmpty = (content & cell.HAS_CONTENT) === 0;
    const fg = data[x * cell.CELL + 1] ?? 0;
    const bg = data[x * cell.CELL + 2] ?? 0;
    if (fg !== lastFg || bg !== lastBg || isEmpty !== lastIsEmpty || (bg & cell.HAS_EXTENDED) !== 0) {
      // An empty cell has only a background. A half of a wide character that was overwritten keeps its other
      // attributes.
      wanted = isEmpty ? background(bg) : sgr({ fg, bg, extended: extended[x] });
      [lastFg, lastBg, lastIsEmpty] = [fg, bg, isEmpty];
    }
    if (wanted !== attributes) {
      text += wanted === NO_ATTRIBUTES ? '\x1b[0m' : `\x1b[0;${wanted}m`;
      attributes = wanted;
    }
    const chars = isEmpty
      ? ' '
      : content & cell.IS_COMBINED
        ? (combined[x] ?? '')
        : String.fromCodePoint(content & cell.CODE_POINT);
    text += chars;
    const isShown = (bg & cell.KIND) !== cell.DEFAULT || (!isEmpty && showsOnBlank(fg, bg, extended[x]));
    if (isShown || (chars !== ' ' && chars.trim() !== '')) kept = text.length;
  }
  const shown = text.slice(0, kept);
  return shown.includes('\x1b') ? `${shown}\x1b[0m` : shown;
}

type Extended = Line['_extendedAttrs'][number];

const showsOnBlank = (fg: number, bg: number, extended: Extended): boolean =>
  (fg & SHOWS_ON_BLANK) !== 0 || (bg & cell.OVERLINE) !== 0 || isUnderlined(fg, bg, extended);

const isUnderlined = (fg: number, bg: number, extended: Extended): boolean =>
  ((bg & cell.HAS_EXTENDED) !== 0 && extended !== undefined && extended.underlineStyle !== 0) ||
  (fg & cell.UNDERLINE) !== 0;

type Style = Pick<Attributes, 'fg' | 'bg'> & { readonly extended?: Extended };

/** Returns the SGR parameters of a cell's attributes; '' for none. */
function sgr({ fg, bg, extended }: Style): string {
  if (fg === 0 && bg === 0) return NO_ATTRIBUTES;
  const codes: (number | string)[] = [];
  if (fg & cell.BOLD) codes.push(1);
  if (bg & cell.DIM) codes.push(2);
  if (bg & cell.ITALIC) codes.push(3);
  if (isUnderlined(fg, bg, extended)) codes.push(4);
  if (fg & cell.BLINK) codes.push(5);
  if (fg & cell.INVERSE) codes.push(7);
  if (fg & cell.INVISIBLE) codes.push(8);
  if (fg & cell.STRIKETHROUGH) codes.push(9);
  if (bg & cell.OVERLINE) codes.push(53);
  if ((fg & cell.KIND) !== cell.DEFAULT) codes.push(colour(30, fg));
  if ((bg & cell.KIND) !== cell.DEFAULT) codes.push(colour(40, bg));
  return codes.join(';');
}

/** The same for a cell of the API of xterm.js, or for its pen: both have these fields. */
export const sgrOf = (pen: unknown): string => sgr(pen as Style);

const background = (bg: number): string => ((bg & cell.KIND) === cell.DEFAULT ? NO_ATTRIBUTES : colour(40, bg));

/**
 * Colours 0 to 15 of the palette have short codes; the others do not.
 * @param base  30 for text, 40 for a background.
 */
function colour(base: number, value: number): string {
  if ((value & cell.KIND) === cell.IS_RGB)
    return `${base + 8};2;${((value & cell.RGB) >> 16) & 255};${(value >> 8) & 255};${value & 255}`;
  const number = value & cell.NUMBER;
  if (number < 8) return String(base + number);
  if (number < 16) return String(base + 60 + number - 8);
  return `${base + 8};5;${number}`;
}
