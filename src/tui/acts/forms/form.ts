/**
 * The form for a new session: its fields, its keys, and the request that it sends. Pure.
 *
 * Up, Down, Tab and Shift-Tab move between fields. Left and Right change a choice. Enter starts the session. In the
 * directory field, Tab first completes the path.
 */

import { splitCommand } from '../../../protocol/index.js';
import { spell } from '../../input/key-names.js';
import type { Key } from '../../input/key-reader.js';
import { EMPTY_LINE, edit, type Line, lineOf, textOf } from '../../input/line-editor.js';
import { takeFolderNames } from '../../model/folders.js';
import { go, type KeyContext, type KeyResult, type Mode, notify, stay, type UiState } from '../ui-state.js';
import type { WorkForm } from './work-form.js';

export const FIELDS = ['command', 'name', 'directory', 'branch', 'adapter', 'teach'] as const;
export type Field = (typeof FIELDS)[number];
type TextField = Exclude<Field, 'adapter' | 'teach'>;

export interface Form {
  readonly texts: Readonly<Record<TextField, Line>>;
  /** The agent's adapter; null to choose it by the program's name. */
  readonly adapter: string | null;
  readonly isTaught: boolean;
  readonly at: Field;
  /** The folders that can complete the directory as typed; null if they were not looked up. */
  readonly folders: { readonly path: string; readonly names: readonly string[] } | null;
  /** True after the request was sent to the daemon. */
  readonly isSent: boolean;
}

export const newForm = (directory: string): Form => ({
  texts: { command: EMPTY_LINE, name: EMPTY_LINE, directory: lineOf(directory), branch: EMPTY_LINE },
  adapter: null,
  isTaught: false,
  at: 'command',
  folders: null,
  isSent: false,
});

const isText = (field: Field): field is TextField => field !== 'adapter' && field !== 'teach';

export function handleFormKey(
  ui: UiState,
  { form }: Extract<Mode, { kind: 'starting' }>,
  key: Key,
  { adapters, at }: KeyContext,
): KeyResult {
  const put = (next: Partial<Form>): KeyResult => go(ui, { kind: 'starting', form: { ...form, ...next } });
  const name = spell(key);
  if (name === 'Escape') return go(ui, { kind: 'browse' });
  if (form.isSent) return stay(ui);
  if (name === 'Enter') return start(ui, form, at);
  if (name === 'Tab' && form.at === 'directory' && !isComplete(form)) {
    return { ui, effect: { kind: 'complete', path: textOf(form.texts.directory) } };
  }
  if (name === 'Tab' || name === 'Down') return put({ at: neighbour(form.at, 1), folders: null });
  if (name === 'S-Tab' || name === 'Up') return put({ at: neighbour(form.at, -1), folders: null });
  if (isText(form.at)) {
    const line = edit(form.texts[form.at], key);
    return line === null ? stay(ui) : put({ texts: { ...form.texts, [form.at]: line }, folders: null });
  }
  const step = name === 'Right' || name === 'Space' ? 1 : name === 'Left' ? -1 : 0;
  if (step === 0) return stay(ui);
  if (form.at === 'teach') return put({ isTaught: !form.isTaught });
  const choices = [null, ...adapters];
  const next = (choices.indexOf(form.adapter) + step + choices.length) % choices.length;
  return put({ adapter: choices[next] ?? null });
}

const neighbour = (field: Field, step: 1 | -1): Field =>
  FIELDS[(FIELDS.indexOf(field) + step + FIELDS.length) % FIELDS.length] ?? 'command';

/** True if the folders were looked up and none of them completes the path. */
const isComplete = ({ folders, texts }: Form): boolean => folders !== null && folders.path === textOf(texts.directory);

function start(ui: UiState, form: Form, at: number): KeyResult {
  const { command, problem } = splitCommand(textOf(form.texts.command));
  if (problem !== null) return stay(notify(ui, problem, at, true));
  const branch = textOf(form.texts.branch).trim();
  return {
    ui: { ...ui, mode: { kind: 'starting', form: { ...form, isSent: true } } },
    effect: {
      kind: 'start',
      request: {
        command,
        name: textOf(form.texts.name).trim(),
        adapter: form.adapter,
        directory: textOf(form.texts.directory).trim(),
        branch: branch === '' ? null : branch,
        isTaught: form.isTaught,
      },
    },
  };
}

/** Returns the form after the folder lookup: the path is extended by the common prefix of all matches. */
export function takeFolders<F extends Form | WorkForm>(form: F, path: string, names: readonly string[]): F {
  const completed = takeFolderNames(textOf(form.texts.directory), path, names);
  return completed === null
    ? form
    : { ...form, texts: { ...form.texts, directory: lineOf(completed.text) }, folders: completed.folders };
}
