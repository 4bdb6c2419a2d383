/**
 * The forms for a new task and a new run: their fields, their keys, and the requests that they send. Pure.
 *
 * Up, Down, Tab and Shift-Tab move between fields. Left and Right change a choice. Enter sends. Alt-Enter or Ctrl-J
 * starts a new line of the prompt. In the directory field, Tab first completes the path.
 */

import { type BlueprintLimits, errorMessage } from '../../../protocol/index.js';
import { spell } from '../../input/key-names.js';
import type { Key } from '../../input/key-reader.js';
import { EMPTY_LINE, edit, editText, type Line, lineOf, newline, textOf } from '../../input/line-editor.js';
import { go, type KeyContext, type KeyResult, type Mode, notify, stay, type UiState } from '../ui-state.js';
import { readLimits } from './run-limits.js';

type WorkFormKind = 'task' | 'run';
const TEXTS = ['prompt', 'input', 'directory', 'schema', 'timeout', 'turns', 'cost'] as const;
type WorkText = (typeof TEXTS)[number];
export type WorkField = WorkText | 'blueprint' | 'adapter' | 'place' | 'next' | 'format';
type WorkChoice = Exclude<WorkField, WorkText>;

export const WORK_FIELDS: Readonly<Record<WorkFormKind, readonly WorkField[]>> = {
  task: ['prompt', 'next', 'blueprint', 'adapter', 'directory'],
  run: [
    'prompt',
    'blueprint',
    'input',
    'adapter',
    'place',
    'directory',
    'format',
    'schema',
    'timeout',
    'turns',
    'cost',
  ],
};

/** The next step after the task is created. */
const NEXT = ['plan', 'start', 'keep'] as const;
/** The modes of a run's agent: `batch` without a terminal, `terminal` in a session with one. */
const PLACES = ['batch', 'terminal'] as const;
/** The format of a run's result; null for the blueprint's format, or text if there is none. */
const FORMATS = [null, 'json', 'envelope'] as const;

export interface WorkForm {
  readonly kind: WorkFormKind;
  readonly texts: Readonly<Record<WorkText, Line>>;
  /** The chosen values; null for the default. */
  readonly choices: Readonly<Record<WorkChoice, string | null>>;
  readonly at: WorkField;
  /** The folders that can complete the directory as typed; null if they were not looked up. */
  readonly folders: { readonly path: string; readonly names: readonly string[] } | null;
  /** True after the request was sent to the daemon. */
  readonly isSent: boolean;
}

export interface WorkRequest {
  readonly kind: WorkFormKind;
  readonly prompt: string;
  readonly blueprint: string | null;
  readonly adapter: string | null;
  /** The input of the run; undefined for none. */
  readonly input: unknown;
  readonly isInteractive: boolean;
  readonly format: 'json' | 'envelope' | null;
  /** A JSON Schema, or the path of a file that contains one; '' for none. */
  readonly schema: string;
  /** The limits of the run; undefined for none. */
  readonly limits: BlueprintLimits | undefined;
  readonly directory: string;
  readonly next: (typeof NEXT)[number];
}

export const newWorkForm = (kind: WorkFormKind, directory: string, blueprint: string | null): WorkForm => ({
  kind,
  texts: {
    prompt: EMPTY_LINE,
    input: EMPTY_LINE,
    directory: lineOf(directory),
    schema: EMPTY_LINE,
    timeout: EMPTY_LINE,
    turns: EMPTY_LINE,
    cost: EMPTY_LINE,
  },
  choices: { blueprint, adapter: null, place: 'batch', next: 'plan', format: null },
  at: 'prompt',
  folders: null,
  isSent: false,
});

export const isText = (field: WorkField): field is WorkText => TEXTS.some((text) => text === field);

/** Returns the choices of a field; null is the default. */
function choicesFor(field: WorkChoice, { adapters, model }: KeyContext): readonly (string | null)[] {
  switch (field) {
    case 'blueprint':
      return [null, ...model.work.blueprints.filter(({ problem }) => !problem).map(({ name }) => name)];
    case 'adapter':
      return [null, ...adapters];
    case 'place':
      return PLACES;
    case 'next':
      return NEXT;
    case 'format':
      return FORMATS;
  }
}

export function handleWorkFormKey(
  ui: UiState,
  { form }: Extract<Mode, { kind: 'filling' }>,
  key: Key,
  context: KeyContext,
): KeyResult {
  const put = (next: Partial<WorkForm>): KeyResult => go(ui, { kind: 'filling', form: { ...form, ...next } });
  const name = spell(key);
  const { at: field } = form;
  if (name === 'Escape') return go(ui, { kind: 'browse' });
  if (form.isSent) return stay(ui);
  if (name === 'Enter') return send(ui, form, context);
  if (field === 'prompt' && (name === 'M-Enter' || name === 'S-Enter' || name === 'C-j'))
    return put({ texts: { ...form.texts, prompt: newline(form.texts.prompt) } });
  if (name === 'Tab' && field === 'directory' && form.folders?.path !== textOf(form.texts.directory))
    return { ui, effect: { kind: 'complete', path: textOf(form.texts.directory) } };
  if (name === 'Tab' || name === 'Down') return put({ at: neighbour(form, 1), folders: null });
  if (name === 'S-Tab' || name === 'Up') return put({ at: neighbour(form, -1), folders: null });
  if (isText(field)) {
    const line = (field === 'prompt' ? editText : edit)(form.texts[field], key);
    return line === null ? stay(ui) : put({ texts: { ...form.texts, [field]: line }, folders: null });
  }
  const step = name === 'Right' || name === 'Space' ? 1 : name === 'Left' ? -1 : 0;
  if (step === 0) return stay(ui);
  const choices = choicesFor(field, context);
  const next = choices[(choices.indexOf(form.choices[field]) + step + choices.length) % choices.length] ?? null;
  return put({ choices: { ...form.choices, [field]: next } });
}

function neighbour({ kind, at }: WorkForm, step: 1 | -1): WorkField {
  const fields = WORK_FIELDS[kind];
  return fields[(fields.indexOf(at) + step + fields.length) % fields.length] ?? 'prompt';
}

function send(ui: UiState, form: WorkForm, { at, model }: KeyContext): KeyResult {
  const { texts, choices, kind } = form;
  const prompt = textOf(texts.prompt).trim();
  const blueprint = model.work.blueprints.find(({ name }) => name === choices.blueprint);
  if (prompt === '' && (kind === 'task' || blueprint?.prompt === undefined))
    return stay(notify(ui, 'say what is to be done', at, true));
  const wordsOf = (field: WorkText): string => textOf(texts[field]).trim();
  const input = readInput(wordsOf('input'));
  if ('problem' in input) return stay(notify(ui, input.problem, at, true));
  const read = readLimits({ timeout: wordsOf('timeout'), turns: wordsOf('turns'), cost: wordsOf('cost') });
  if ('problem' in read) return stay(notify(ui, read.problem, at, true));
  return {
    ui: { ...ui, mode: { kind: 'filling', form: { ...form, isSent: true } } },
    effect: {
      kind: 'create_work',
      request: {
        kind,
        prompt,
        blueprint: choices.blueprint,
        adapter: choices.adapter,
        input: input.value,
        isInteractive: choices.place === 'terminal',
        format: FORMATS.find((one) => one === choices.format) ?? null,
        schema: wordsOf('schema'),
        limits: read.limits,
        directory: wordsOf('directory'),
        next: NEXT.find((one) => one === choices.next) ?? 'plan',
      },
    },
  };
}

/** Parses JSON, or words `k=v`. An empty text gives undefined. */
function readInput(text: string): { readonly value: unknown } | { readonly problem: string } {
  if (text === '') return { value: undefined };
  if (/^[[{"\d]/.test(text)) {
    try {
      return { value: JSON.parse(text) };
    } catch (error) {
      return { problem: `the input is no JSON: ${errorMessage(error)}` };
    }
  }
  const pairs = text.split(/\s+/).map((word) => /^([^=]+)=(.*)$/.exec(word));
  if (pairs.some((pair) => pair === null)) return { problem: 'the input is JSON, or words like branch=main' };
  return { value: Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? ''])) };
}
