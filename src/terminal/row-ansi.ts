/**
 * One row of cells as text with SGR sequences; ends with its attributes reset. Trailing blanks without a background are
 * left out.
 */
import type { IBufferCell, IBufferLine } from '@xterm/headless';

const NO_ATTRIBUTES = '';

export function rowToAnsi(line: IBufferLine, cols: number): string {
  let text = '';
  let kept = 0; // length of `text` up to the last cell that shows
  let attributes = NO_ATTRIBUTES;
  let cell: IBufferCell | undefined;
  for (let x = 0; x < Math.min(cols, line.length); x++) {
    cell = line.getCell(x, cell);
    if (!cell || cell.getWidth() === 0) continue;
    const chars = cell.getChars();
    // An empty cell has only a background. A half of a wide character that was overwritten keeps its other attributes.
    const wanted = chars === '' ? background(cell) : sgr(cell);
    if (wanted !== attributes) {
      text += wanted === NO_ATTRIBUTES ? '\x1b[0m' : `\x1b[0;${wanted}m`;
      attributes = wanted;
    }
    text += chars === '' ? ' ' : chars;
    if (chars.trim() !== '' || !cell.isBgDefault() || (chars !== '' && showsOnBlank(cell))) kept = text.length;
  }
  const shown = text.slice(0, kept);
  return shown.includes('\x1b') ? `${shown}\x1b[0m` : shown;
}

const showsOnBlank = (cell: IBufferCell): boolean =>
  !cell.isBgDefault() || Boolean(cell.isInverse() || cell.isUnderline() || cell.isStrikethrough() || cell.isOverline());

/** Returns the SGR parameters of a cell's attributes; '' for none. */
export function sgr(cell: IBufferCell): string {
  if (cell.isAttributeDefault()) return NO_ATTRIBUTES;
  const codes: (number | string)[] = [];
  if (cell.isBold()) codes.push(1);
  if (cell.isDim()) codes.push(2);
  if (cell.isItalic()) codes.push(3);
  if (cell.isUnderline()) codes.push(4);
  if (cell.isBlink()) codes.push(5);
  if (cell.isInverse()) codes.push(7);
  if (cell.isInvisible()) codes.push(8);
  if (cell.isStrikethrough()) codes.push(9);
  if (cell.isOverline()) codes.push(53);
  if (cell.isFgRGB()) codes.push(rgb(38, cell.getFgColor()));
  else if (cell.isFgPalette()) codes.push(palette(30, 38, cell.getFgColor()));
  const behind = background(cell);
  if (behind !== NO_ATTRIBUTES) codes.push(behind);
  return codes.join(';');
}

function background(cell: IBufferCell): string {
  if (cell.isBgRGB()) return rgb(48, cell.getBgColor());
  return cell.isBgPalette() ? palette(40, 48, cell.getBgColor()) : NO_ATTRIBUTES;
}

const rgb = (lead: number, colour: number): string =>
  `${lead};2;${(colour >> 16) & 255};${(colour >> 8) & 255};${colour & 255}`;

/** Colours 0 to 15 of the palette have short codes; the others do not. */
function palette(base: number, lead: number, colour: number): string {
  if (colour < 8) return String(base + colour);
  if (colour < 16) return String(base + 60 + colour - 8);
  return `${lead};5;${colour}`;
}
