/** Renders the changes of a session: a summary, the files, and the patch with colours. Pure. */
import { changeWords, displayText, type OutputOf } from '../protocol/index.js';
import type { Paint, Style } from './paint/paint.js';
import { plainLine } from './paint/text.js';

type Changes = OutputOf<'session.changes'>;

type Painting = (style: Style, text: string) => string;

export function diffRows(paint: Paint | Painting, changes: Changes): string[] {
  const { files, file_count, patch = '', truncated } = changes;
  const numbers = files.map(({ added, removed }) => (added === null ? 'binary' : `+${added} −${removed}`));
  const width = Math.max(0, ...numbers.map(({ length }) => length));
  return [
    paint('bold', changeWords(changes)),
    ...files.map(({ path }, at) => `  ${(numbers[at] ?? '').padStart(width)}  ${plainLine(path)}`),
    ...(file_count > files.length ? [`  … ${file_count - files.length} more`] : []),
    ...(patch === '' ? [] : ['', ...patchRows(paint, patch)]),
    ...(truncated ? ['', paint('yellow', '… the rest is longer than orchd shows; git diff has all of it')] : []),
  ];
}

const HEAD = /^(?:diff |index |--- |\+\+\+ |new file|deleted file|old mode|new mode|similarity|rename |Binary )/;

function patchRows(paint: Paint | Painting, patch: string): string[] {
  let isInHunk = false;
  return patch
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      const text = displayText(line).replaceAll('\t', '    ');
      if (line.startsWith('diff ')) isInHunk = false;
      if (line.startsWith('@@')) {
        isInHunk = true;
        return paint('cyan', text);
      }
      if (!isInHunk && HEAD.test(line)) return paint('bold', text);
      if (line.startsWith('+')) return paint('green', text);
      return line.startsWith('-') ? paint('red', text) : text;
    });
}

/** Returns the rows that begin the patch of a file. */
export const fileRows = (rows: readonly string[]): readonly number[] =>
  rows.flatMap((row, y) => (/^(?:\x1b\[[\d;]*m)?diff --git /.test(row) ? [y] : []));
