/** The changes of a session in git, in words for lists. */

import type { DaemonStatusOutput, SessionChangesOutput } from '../generated/types.js';
import { counted, displayLine } from '../text/index.js';

export type ChangeSize = Pick<
  NonNullable<DaemonStatusOutput['changes']>[number],
  'branch' | 'file_count' | 'added' | 'removed'
>;

/** Returns `+20 −4`; `+0 −0` for files without lines, such as pictures; '' without changes. */
export const lineWords = ({ file_count, added, removed }: ChangeSize): string =>
  file_count === 0 ? '' : `+${added} −${removed}`;

/** The branch in at most `room` characters, because the numbers matter more: `feature/lo… +20 −4`. */
export function branchWords(size: ChangeSize, room = Number.POSITIVE_INFINITY): string {
  const name = size.branch === null ? 'detached' : displayLine(size.branch);
  const lines = lineWords(size);
  const left = Math.max(4, room - (lines === '' ? 0 : lines.length + 1));
  return `${name.length <= left ? name : `${name.slice(0, left - 1)}…`}${lines === '' ? '' : ` ${lines}`}`;
}

/** Returns `3 files, +20 −4`. */
function sizeWords({
  file_count,
  added,
  removed,
}: Pick<SessionChangesOutput, 'file_count' | 'added' | 'removed'>): string {
  if (file_count === 0) return 'no changes';
  return `${file_count} file${file_count === 1 ? '' : 's'}, +${added} −${removed}`;
}

/** Returns `fix-login: 3 files, +20 −4 in 2 commits since 1a2b3c4`. */
export function changeWords(changes: SessionChangesOutput): string {
  const { branch, commits, base, is_worktree } = changes;
  const name = branch === null ? 'detached' : displayLine(branch);
  const count = commits === 0 ? '' : ` with ${counted(commits, 'commit')}`;
  const since = base === null ? '' : is_worktree ? ` since ${base.slice(0, 7)}` : ' since the last commit';
  return `${name}: ${sizeWords(changes)}${count}${since}`;
}
