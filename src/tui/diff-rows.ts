/** Renders the changes of a session: a summary, the files, and the patch with colours. Pure. */
import { displayText, type OutputOf } from '../protocol/index.js';
import type { Paint, Style } from './paint/paint.js';
import { plainLine } from './paint/text.js';

type Changes = OutputOf<'session.changes'>;

/** Returns `3 files, +20 −4`. */
function sizeWords({ file_count, added, removed }: Pick<Changes, 'file_count' | 'added' | 'removed'>): string {
  if (file_count === 0) return 'no changes';
  return `${file_count} file${file_count === 1 ? '' : 's'}, +${added} −${removed}`;
}

/** Returns `fix-login: 3 files, +20 −4 in 2 commits since 1a2b3c4`. */
export function changeWords(changes: Changes): string {
  const { branch, commits, base, is_worktree } = changes;
  const name = branch === null ? 'detached' : plainLine(branch);
  const count = commits === 0 ? '' : ` with ${commits} commit${commits === 1 ? '' : 's'}`;
  const since = base === null ? '' : is_worktree ? ` since ${base.slice(0, 7)}` : ' since the last commit';
  return `${name}: ${sizeWords(changes)}${count}${since}`;
}

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
