/** Renders the form of a new task or a new run: its fields with explanations. */

import { isText, WORK_FIELDS, type WorkField, type WorkForm } from '../../acts/forms/work-form.js';
import { editorRows } from '../../input/editor-rows.js';
import { textOf } from '../../input/line-editor.js';
import type { Area } from '../../paint/layout.js';
import type { Paint } from '../../paint/paint.js';
import { box, padded } from '../../paint/rows.js';
import { Rows } from '../../paint/rows-view.js';
import { cut, fill, plainLine, steadyText, wrap } from '../../paint/text.js';
import { foldersWords } from '../session-form.js';

interface WorkFormProps {
  readonly paint: Paint;
  readonly area: Area;
  readonly form: WorkForm;
}

const LABELS: Readonly<Record<WorkField, readonly [label: string, hint: string]>> = {
  prompt: ['Prompt', 'what is to be done, in words; Alt-Enter begins a new line'],
  next: ['Then', 'what happens next; ← → choose'],
  blueprint: ['Agent', 'the blueprint that does it; ← → choose'],
  input: ['Input', 'what the blueprint is given: JSON, or words like branch=main; empty: nothing'],
  adapter: ['Program', 'the agent program, if the blueprint names none; ← → choose'],
  place: ['Where', 'in a terminal you can attach to it; ← → choose'],
  directory: ['Directory', 'where the agent works; Tab completes'],
  format: ['Result', 'the form of its result; ← → choose'],
  schema: ['Schema', 'JSON Schema of the result, or the file that has it; empty: none'],
  timeout: ['Time', 'what the run may take: 90s, 10m, 2h; empty: no limit'],
  turns: ['Turns', 'how many turns the agent may take; empty: no limit'],
  cost: ['Cost', 'US dollars, such as 2.50, after which no other attempt is made; empty: no limit'],
};
const LABEL_COLS = 10;

const CHOICES: Readonly<Record<string, string>> = {
  plan: 'plan it',
  start: 'plan it, and start it when it is planned',
  keep: 'nothing: I plan it later',
  batch: 'without a terminal',
  terminal: 'in a terminal',
  json: 'JSON',
  envelope: 'an output envelope',
};

export function WorkFormView({ paint, area, form }: WorkFormProps) {
  const { width, height } = area;
  const columns = width - 4;
  const fields = WORK_FIELDS[form.kind];
  const promptRows = Math.max(1, Math.min(MAX_PROMPT_ROWS, height - 2 - fields.length - 1));
  const rows = shownRows(
    fields.map((field) => fieldRows(paint, form, field, { columns, promptRows })),
    fields.indexOf(form.at),
    height - 2 - MIN_HINT_ROWS,
  );
  const [, hint] = LABELS[form.at];
  const below = form.isSent ? ['sending …'] : [...wrap(hint, columns), ...foldersWords(form)];
  const gap = height - 2 > rows.length + below.length ? [''] : [];
  const all = [...rows, ...gap, ...below.map((line) => paint('dim', cut(line, columns)))];
  const shown = all.map((row) => ` ${padded(row, columns)} `).slice(0, height - 2);
  const title = form.kind === 'task' ? 'New task' : 'New run';
  return <Rows rows={box(paint, shown, { width, height, title, isFocused: true })} />;
}

const MAX_PROMPT_ROWS = 6;
const MIN_HINT_ROWS = 1;

/** Returns the fields that fit: from the first field on, or so that the field with the cursor is the last. */
function shownRows(fields: readonly string[][], at: number, room: number): string[] {
  let from = 0;
  while (from < at && fields.slice(from, at + 1).flat().length > room) from++;
  return fields.slice(from).flat().slice(0, Math.max(1, room));
}

function fieldRows(
  paint: Paint,
  form: WorkForm,
  field: WorkField,
  { columns, promptRows }: { readonly columns: number; readonly promptRows: number },
): string[] {
  const isAt = field === form.at;
  const label = (row: number): string => {
    const text = row === 0 ? `${isAt ? '›' : ' '} ${LABELS[field][0]}` : '';
    return paint(isAt ? ['bold', 'cyan'] : 'dim', fill(text, LABEL_COLS + 2));
  };
  const room = columns - LABEL_COLS - 2;
  return valueRows(paint, form, field, room, promptRows).map((row, y) => label(y) + row);
}

function valueRows(paint: Paint, form: WorkForm, field: WorkField, columns: number, most: number): string[] {
  if (isText(field)) {
    const line = form.texts[field];
    if (field === form.at && !form.isSent) return editorRows(paint, '', line, columns, field === 'prompt' ? most : 1);
    return [cut(steadyText(plainLine(textOf(line))), columns)];
  }
  const value = form.choices[field];
  return [cut(`‹ ${value === null ? defaultWords(form, field) : (CHOICES[value] ?? plainLine(value))} ›`, columns)];
}

function defaultWords({ kind, choices }: WorkForm, field: WorkField): string {
  if (field === 'format') return choices.blueprint === null ? 'text, or JSON with a schema' : 'as the blueprint says';
  if (field === 'adapter') return choices.blueprint === null ? 'the configured one' : 'as the blueprint says';
  return kind === 'task' ? 'the one that the planner assigns' : 'none: the program itself';
}
