/**
 * The rows of copy mode: the session's rows with the cursor, the marked rows and the search result, and the row at the
 * foot. Pure.
 */
import { type Line, textOf } from '../../../input/line-editor.js';
import { cropRow } from '../../../paint/ansi-row.js';
import type { Paint } from '../../../paint/paint.js';
import { cut, fill, widthOf } from '../../../paint/text.js';
import { type CopyCursor, indexIn } from './copy-cursor.js';

/** Something that the person may choose by a key. It asks first: for `y`, or for a text. */
export interface CopyChoice {
  readonly key: string;
  readonly question: string;
  /** True if a text is asked for. Without a text, nothing is chosen. */
  readonly takesText: boolean;
}

/** The prompt in the foot row: a text to search for, or the question of a choice. */
export type Prompt =
  | { readonly kind: 'search'; readonly line: Line; readonly isBackward: boolean }
  | { readonly kind: 'choice'; readonly line: Line; readonly choice: CopyChoice };

interface Shown {
  readonly paint: Paint;
  readonly cursor: CopyCursor;
  /** The rows with SGR sequences, and the same rows without them. */
  readonly rows: readonly string[];
  readonly plain: readonly string[];
  /** '' before the first search. */
  readonly searched: string;
}

/** Returns row `y`, exactly `columns` wide. Rows beyond the last one are empty. */
export function shownRow({ paint, cursor, rows, plain, searched }: Shown, y: number, columns: number): string {
  const row = rows[y];
  if (row === undefined) return ' '.repeat(columns);
  const text = plain[y] ?? '';
  const { marked } = cursor;
  const isMarked = marked !== null && y >= marked.from && y <= marked.to;
  if (isMarked) return paint('inverse', cropRow(text, { columns, hasColour: false }));
  const options = { columns, ...(y === cursor.at && { cursorX: 0 }) };
  const found = searched === '' ? -1 : indexIn(text, searched);
  if (found < 0) return cropRow(row, { ...options, hasColour: paint.hasColour });
  const end = found + searched.length;
  const highlighted = `${text.slice(0, found)}\x1b[7m${text.slice(found, end)}\x1b[0m${text.slice(end)}`;
  return cropRow(highlighted, { ...options, hasColour: false });
}

interface Foot {
  readonly paint: Paint;
  readonly cursor: CopyCursor;
  readonly rowCount: number;
  readonly title: string;
  /** The keys that it names while nothing is marked. */
  readonly keys: string;
  readonly prompt: Prompt | null;
  readonly notice: string | null;
}

export function footRow({ paint, cursor, rowCount, title, keys, prompt, notice }: Foot, columns: number): string {
  if (prompt) return paint('inverse', fill(` ${promptText(prompt)}`, columns));
  const position = ` ${title === '' ? '' : `${title} · `}${cursor.at + 1} of ${rowCount} `;
  const words = ` ${notice ?? markedText(cursor) ?? keys}`;
  return paint('inverse', fill(words, Math.max(0, columns - widthOf(position))) + cut(position, columns));
}

function promptText(prompt: Prompt): string {
  const { kind, line } = prompt;
  if (kind === 'search') return `${prompt.isBackward ? '?' : '/'}${textOf(line)}█`;
  const { question, takesText } = prompt.choice;
  return `${question}${takesText ? ` ${textOf(line)}█` : '  y: yes, any other key: no'}`;
}

function markedText({ marked }: CopyCursor): string | null {
  if (marked === null) return null;
  const count = marked.to - marked.from + 1;
  return `${count} line${count === 1 ? '' : 's'} marked  y copies  v unmarks`;
}
