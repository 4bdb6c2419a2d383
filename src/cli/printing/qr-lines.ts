/** A QR code for terminals. */
import { encode } from 'uqr';
import type { Paint } from './paint.js';

/** The blank edge that scanners need, in modules. */
const QUIET_MODULES = 2;
const BLACK_ON_WHITE = '\u001b[38;5;16;48;5;231m';
const RESET = '\u001b[0m';

/**
 * Returns the code of a text, two rows of modules in each line. With colours it is black on white, whatever the
 * terminal's own colours are. Without, the terminal is taken for a dark one.
 */
export function qrLines(text: string, paint: Paint): string {
  const { data, size } = encode(text, { ecc: 'L', border: QUIET_MODULES });
  const isColoured = paint('bold', 'x') !== 'x';
  const isInk = (x: number, y: number): boolean => (y < size && data[y]?.[x] === true) === isColoured;
  const lines: string[] = [];
  for (let y = 0; y < size; y += 2) {
    let line = '';
    for (let x = 0; x < size; x++) line += BLOCKS[(isInk(x, y) ? 1 : 0) + (isInk(x, y + 1) ? 2 : 0)];
    lines.push(isColoured ? `${BLACK_ON_WHITE}${line}${RESET}` : line);
  }
  return lines.join('\n');
}

/** Blocks by a bit mask: bit 0 is set if the upper half has the text's colour, bit 1 if the lower half has it. */
const BLOCKS = [' ', '▀', '▄', '█'];
