/**
 * Crops one row of a session's screen to the width of a pane.
 *
 * In:   text with SGR sequences, as the daemon's view sends it. Every other control sequence is removed.
 * Out:  the columns from 0 to the width, padded with blanks, with attributes reset at the end. Columns are counted as
 *       the emulator counted them, one character at a time. A joined emoji is therefore shown as its parts, side by
 *       side.
 */
import { widthOf } from './text.js';

interface RowOptions {
  readonly columns: number;
  /** Column of the cursor, which is shown inverted. Undefined if the cursor is on another row. */
  readonly cursorX?: number | undefined;
  readonly hasColour: boolean;
}

const TOKEN = /\x1b\[([0-9;]*)m|\x1b|([\s\S])/gu;
const UNSAFE = /^[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]$/u;
const JOINING = /^(?:[\u200b-\u200d\u2060]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e007f}])$/u;
const SKIN_TONE = /^[\u{1f3fb}-\u{1f3ff}]$/u;
const RESET = '\x1b[0m';

export function cropRow(row: string, { columns, cursorX, hasColour }: RowOptions): string {
  let text = '';
  let sgr = '';
  let x = 0;
  const put = (piece: string, width: number): void => {
    const isCursor = cursorX !== undefined && cursorX >= x && cursorX < x + Math.max(1, width);
    text += isCursor && width > 0 ? `\x1b[7m${piece}${RESET}${sgr}` : piece;
    x += width;
  };
  for (const [, params, char] of row.matchAll(TOKEN)) {
    if (params !== undefined) {
      const code = hasColour ? params : withoutColour(params);
      if (code === null) continue;
      sgr = code === '' || code === '0' ? '' : `\x1b[${code}m`;
      text += `\x1b[${code}m`;
    } else if (char !== undefined && !UNSAFE.test(char) && !JOINING.test(char)) {
      const width = widthOf(char);
      if (x + width > columns) break;
      // The emulator gave a skin tone its own columns, but a terminal would join it with the character before it.
      if (SKIN_TONE.test(char)) put('  ', 2);
      else put(char, width);
    }
  }
  if (text.includes('\x1b') && !text.endsWith(RESET)) text += RESET;
  sgr = '';
  while (x < columns) put(' ', 1);
  return text;
}

/** Removes colours from SGR parameters. Returns null if no parameter is left. */
function withoutColour(params: string): string | null {
  const codes = params.split(';');
  const kept: string[] = [];
  for (let i = 0; i < codes.length; i++) {
    const code = Number(codes[i]);
    if (code === 38 || code === 48 || code === 58) i += codes[i + 1] === '5' ? 2 : 4;
    else if (code < 30 || (code > 49 && code < 58)) kept.push(codes[i] ?? '');
  }
  return kept.length === 0 ? null : kept.join(';');
}

/** Returns the first row that a pane shows. The pane ends with the row written last and always contains the cursor. */
export function firstRow(
  rows: readonly string[],
  cursor: { readonly y: number; readonly visible: boolean },
  height: number,
): number {
  let last = rows.length - 1;
  while (last > 0 && (rows[last] ?? '') === '') last -= 1;
  if (cursor.visible) last = Math.max(last, cursor.y);
  const first = Math.max(0, last - height + 1);
  return cursor.visible ? Math.min(first, cursor.y) : first;
}
