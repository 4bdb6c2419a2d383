/**
 * Restores coloured rows without text. xterm's serializer leaves them out below the last text, so a program that
 * cleared its screen in a colour would lose the colour.
 */
import type { IBufferCell, Terminal } from '@xterm/headless';
import { sgr } from './row-ansi.js';

/** Returns sequences that paint these rows. The cursor and its attributes are undefined afterwards. */
export function paintBlankRows(terminal: Terminal): string {
  const buffer = terminal.buffer.active;
  let text = '';
  for (let y = 0; y < terminal.rows; y++) {
    const line = buffer.getLine(buffer.baseY + y);
    if (line?.translateToString(true) !== '') continue;
    // The serializer scrolls rows in. They then have the background of the text before them.
    text += `\x1b[${y + 1}H\x1b[0m\x1b[2K`;
    for (let x = 0; x < terminal.cols; ) {
      const cell = line.getCell(x);
      const from = x;
      if (!cell || cell.isBgDefault()) {
        x++;
        continue;
      }
      const colour = sgr(cell);
      do x++;
      while (x < terminal.cols && isSame(line.getCell(x), colour));
      text += `\x1b[${y + 1};${from + 1}H\x1b[0;${colour}m\x1b[${x - from}X`;
    }
  }
  return text;
}

const isSame = (cell: IBufferCell | undefined, colour: string): boolean =>
  cell !== undefined && !cell.isBgDefault() && sgr(cell) === colour;
