/**
 * Viewers: pagers and editors, which show files. The agent has not said the text of a file.
 *
 *     less, more, man   :   (END)   notes.md (END)   --More--(12%)   Manual page ls(1) line 1
 *     vim, vi           -- INSERT --   "notes.md" 12L, 340B   12,1   50%   rows of `~` below the end of the text
 *     nano, emacs       ^G Help  ^O Write Out   -UUU:----F1  notes.md   All   L1
 *     micro, mc         notes.md (1,1) | ft:markdown | unix | utf-8   1Help 2UnWrap … 10Quit
 *     helix, kakoune    NOR  notes.md  1 sel  1:1   notes.md 1:1 - client0@[42]
 *     joe               IW  notes.md  Row 1  Col 1, in the highest row
 *
 * In:   the rows of a screen and its cursor.
 * Out:  whether the screen is that of a viewer, by its lowest rows and its highest one.
 */
import type { PlainRow } from './rows.js';
import type { Cursor } from './tearing.js';

const LAST: readonly RegExp[] = [
  /\(END\)$/,
  /^--More--/i,
  /^lines \d+-\d+/,
  /^Manual page \S+ line \d+/,
  /^Waiting for data\.\.\. \(\S+ to abort\)$/,
  /^Pattern not found {2}\(press RETURN\)$/,
  /^-- (?:INSERT|REPLACE|VISUAL|VISUAL LINE|VISUAL BLOCK|SELECT|\(insert\)|TERMINAL) --/,
  /^"[^"]+"(?: \[[^\]]+\])? \d+L, \d+[BC]\b/,
  /\b\d+,\d+(?:-\d+)? +(?:All|Top|Bot|\d{1,2}%)$/,
  /\^[GX] (?:Get )?(?:Help|Exit)\b/,
  /\| ft:\S+ \| (?:unix|dos) \|/,
  /^1Help +2\S.* ?9\S* *10Quit$/,
  /\b\d+:\d+ .*\bclient\d+@\[\d+\]$/,
];
/** The mode lines of Emacs and Helix, which are above the row for messages. */
const MODE_LINE = /^[-U\\][-\w\\]*:[-*%]{2}.* (?:All|Top|Bot|\d{1,2}%) |^(?:NOR|INS|SEL) .* \d+ sels? .*\b\d+:\d+/;
/** The status line of joe. */
const FIRST = /^I\S* .* Row \d+ +Col \d+\b/;
/** Matches the prompts behind which a pager leaves the cursor, in the lowest row. */
const PROMPTS: readonly RegExp[] = [/^:$/, /^[\w./-]+\.\w{1,8}$/];
/** Minimum number of `~` rows above the lowest row by which vim is recognized. */
const MIN_FILLERS = 2;

export function isViewer(screen: readonly PlainRow[], cursor: Cursor): boolean {
  const at = screen.length - 1;
  const last = screen[at]?.text.trim() ?? '';
  if (FIRST.test(screen[0]?.text.trim() ?? '')) return true;
  if (LAST.some((sign) => sign.test(last)) || MODE_LINE.test(screen[at - 1]?.text.trim() ?? '')) return true;
  if (cursor.y === at && cursor.x === last.length && PROMPTS.some((sign) => sign.test(last))) return true;
  const above = screen.slice(Math.max(0, at - MIN_FILLERS), at);
  return above.length === MIN_FILLERS && above.every(({ text }) => text.trimEnd() === '~');
}
