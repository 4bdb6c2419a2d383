/** Renders a text that is being typed as wrapped rows with a cursor, cut to the rows around the cursor. Pure. */

import type { Paint } from '../paint/paint.js';
import { cut, steadyText, widthOf } from '../paint/text.js';
import type { Line } from './line-editor.js';

/** Minimum number of columns for the text beside a label. */
const MIN_COLUMNS = 12;

/**
 * @param label Text before the first row; the other rows are indented to its width.
 * @param mostRows Maximum number of rows. Rows around the cursor are kept.
 */
export function editorRows(paint: Paint, label: string, line: Line, columns: number, mostRows: number): string[] {
  const shownLabel = cut(label, Math.max(0, Math.min(Math.floor(columns / 2), columns - MIN_COLUMNS)));
  const room = columns - widthOf(shownLabel);
  const { rows, cursorRow } = wrapped(paint, line, room);
  const first = Math.max(0, Math.min(cursorRow - Math.floor(mostRows / 2), rows.length - mostRows));
  const indent = ' '.repeat(widthOf(shownLabel));
  return rows
    .slice(first, first + mostRows)
    .map((row, y) => (first + y === 0 ? paint(['bold', 'cyan'], shownLabel) : indent) + row);
}

/** The cursor's cell is inverted. At the end of the text it is a blank. */
function wrapped(paint: Paint, { pieces, at }: Line, room: number) {
  const rows: string[] = [];
  let row = '';
  let width = 0;
  let cursorRow = 0;
  const end = (): void => {
    rows.push(row);
    row = '';
    width = 0;
  };
  for (let i = 0; i <= pieces.length; i++) {
    const piece = pieces[i] ?? '\n';
    const text = piece === '\n' ? ' ' : steadyText(piece);
    const wide = widthOf(text);
    const isCursor = i === at;
    if (width + wide > room && (piece !== '\n' || isCursor)) end();
    if (isCursor) cursorRow = rows.length;
    if (isCursor) row += paint('inverse', text);
    else if (piece !== '\n') row += text;
    width += wide;
    if (piece === '\n') end();
  }
  return { rows, cursorRow };
}
