/** The form of a new session: its fields with explanations, and the resulting command. */
import { splitCommand } from '../../protocol/index.js';
import { FIELDS, type Field, type Form } from '../acts/forms/form.js';
import { editorRows } from '../input/editor-rows.js';
import { textOf } from '../input/line-editor.js';
import type { Area } from '../paint/layout.js';
import type { Paint } from '../paint/paint.js';
import { box, padded } from '../paint/rows.js';
import { Rows } from '../paint/rows-view.js';
import { cut, fill, plainLine, steadyText, wrap } from '../paint/text.js';

interface SessionFormProps {
  readonly paint: Paint;
  readonly area: Area;
  readonly form: Form;
}

const LABELS: Readonly<Record<Field, readonly [label: string, hint: string]>> = {
  command: ['Command', 'the program and its arguments, such as claude, or make test'],
  name: ['Name', 'how it is called; empty: as the program'],
  directory: ['Directory', 'where it runs; Tab completes'],
  branch: ['Worktree', 'a new branch, in a git worktree beside the repository; empty: none'],
  adapter: ['Adapter', 'what is known of the program; ← → choose'],
  teach: ['Teach', 'whether the agent is given the protocol; ← → choose'],
};
const LABEL_COLS = 11;

/** Shows the form of a new session. */
export function SessionForm({ paint, area, form }: SessionFormProps) {
  const { width, height } = area;
  const columns = width - 4;
  const rows = FIELDS.map((field) => {
    const isAt = field === form.at;
    const [label] = LABELS[field];
    const start = paint(isAt ? ['bold', 'cyan'] : 'dim', fill(`${isAt ? '›' : ' '} ${label}`, LABEL_COLS + 1));
    return start + value(paint, form, field, columns - LABEL_COLS - 1);
  });
  const [, hint] = LABELS[form.at];
  const below = form.isSent
    ? ['starting …']
    : [...wrap(hint, columns), ...shellWords(form), ...foldersWords(form)].map((line) => cut(line, columns));
  const gap = height - 2 > rows.length + below.length ? [''] : [];
  const all = [...rows, ...gap, ...below.map((line) => paint('dim', line))];
  const shown = all.map((row) => ` ${padded(row, columns)} `).slice(0, height - 2);
  return <Rows rows={box(paint, shown, { width, height, title: 'New session', isFocused: true })} />;
}

function value(paint: Paint, form: Form, field: Field, columns: number): string {
  if (field === 'adapter') return choice(form.adapter === null ? 'by the program’s name' : form.adapter, columns);
  if (field === 'teach') return choice(form.isTaught ? 'yes' : 'no', columns);
  const line = form.texts[field];
  if (field !== form.at || form.isSent) return cut(steadyText(plainLine(textOf(line))), columns);
  return editorRows(paint, '', line, columns, 1)[0] ?? '';
}

const choice = (text: string, columns: number): string => cut(`‹ ${text} ›`, columns);

/** Says whether the command will be run by a shell. */
function shellWords({ at, texts }: Form): string[] {
  return at === 'command' && splitCommand(textOf(texts.command)).needsShell ? ['It is started as sh -c “…”.'] : [];
}

/** Returns the folders that complete the directory of a form, as one row. */
export const foldersWords = ({ at, folders }: Pick<Form, 'folders'> & { readonly at: string }): string[] =>
  at !== 'directory' || folders === null || folders.names.length === 0
    ? []
    : [`Folders: ${folders.names.map(plainLine).join('  ')}`];
