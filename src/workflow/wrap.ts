/**
 * Wraps text into rows of a terminal. Pure.
 *
 * In:   one line without tabs and control characters, and the width of a row in columns.
 * Out:  its rows, broken between words. A word that is longer than a row is broken at the row's end.
 */
import { widthOf } from './width.js';

export function wrap(line: string, columns: number): string[] {
  const rows: string[] = [];
  let [row, width] = ['', 0];
  for (const [index, word] of line.split(' ').entries()) {
    const size = widthOf(word);
    if (index > 0 && width + 1 + size <= columns) {
      row += ` ${word}`;
      width += 1 + size;
      continue;
    }
    if (index > 0) rows.push(row);
    [row, width] = size <= columns ? [word, size] : ['', 0];
    for (const char of row === '' ? word : '') {
      const own = widthOf(char);
      if (row !== '' && width + own > columns) {
        rows.push(row);
        [row, width] = ['', 0];
      }
      row += char;
      width += own;
    }
  }
  return [...rows, row];
}
