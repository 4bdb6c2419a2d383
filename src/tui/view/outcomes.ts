/**
 * Changes of the state after an effect was carried out: an answer was sent, a session was started, a task was made.
 * Pure.
 */
import type { Run, Session, Task } from '../../protocol/index.js';
import { type Form, takeFolders } from '../acts/forms/form.js';
import type { WorkForm } from '../acts/forms/work-form.js';
import { keepDraft } from '../acts/item-acts.js';
import { settle } from '../acts/key-handler.js';
import { browse, notify, type UiState } from '../acts/ui-state.js';
import { lineOf } from '../input/line-editor.js';
import { type Model, reduce } from '../model/model.js';

/** The outcome of an action on a task or a run, with a sentence that describes it. */
export type Made = ({ readonly kind: 'task'; readonly task: Task } | { readonly kind: 'run'; readonly run: Run }) & {
  readonly words: string;
  /** True if it was just created: the TUI then opens it. */
  readonly isNew?: true;
};

interface Before {
  readonly model: Model;
  readonly ui: UiState;
}

/** @param problem  Why the answer was not sent. Its text is then kept as a draft, to be sent again or copied. */
export function afterAnswer(ui: UiState, itemId: string, problem: string | null, at: number): UiState {
  const next = { ...ui, sending: ui.sending.filter((id) => id !== itemId) };
  return problem === null ? keepDraft(next, itemId, '') : notify(next, problem, at, true);
}

/** @returns Null if that answer is no longer being typed. */
export function afterEditor(ui: UiState, itemId: string, text: string): UiState | null {
  const { mode } = ui;
  if (mode.kind !== 'typing' || mode.itemId !== itemId) return null;
  return keepDraft({ ...ui, mode: { ...mode, line: lineOf(text) } }, itemId, text);
}

/** Completes the path that is being typed in a form with the folders that were found for it. */
export function afterFolders(ui: UiState, path: string, names: readonly string[]): UiState {
  const started = changeForm(ui, (form) => takeFolders(form, path, names));
  return changeWorkForm(started, (form) => takeFolders(form, path, names));
}

/** @param session  Null if it could not be started. */
export function afterStart(before: Before, session: Session | null, problem: string | null, at: number): Before {
  const { ui } = before;
  if (session === null) {
    const open = changeForm(ui, (form) => ({ ...form, isSent: false }));
    return { ...before, ui: notify(open, problem ?? 'not started', at, true) };
  }
  const there: UiState = { ...browse(ui), view: 'lists', focus: 'sessions', list: 'sessions', sessionId: session.id };
  const model = reduce(before.model, { kind: 'started', session });
  const next = notify(ui.mode.kind === 'starting' ? there : ui, `${session.name} runs`, at);
  return { model, ui: settle(next, model, at) };
}

/** @param made  A text says why the action failed. */
export function afterMaking({ model: known, ui }: Before, made: Made | string, at: number): Before {
  if (typeof made === 'string') {
    const open = changeWorkForm(ui, (form) => ({ ...form, isSent: false }));
    return { model: known, ui: notify(open, made, at, true) };
  }
  const isOther = made.kind === 'task' && known.work.task?.id !== made.task.id;
  // The history belongs to another task; this task's history comes with the next reply.
  const work = made.kind === 'run' ? { run: made.run } : { task: made.task, ...(isOther && { history: [] }) };
  const model = reduce(known, { kind: 'work', work });
  const isLed = made.isNew && (ui.mode.kind === 'filling' || ui.view === 'run' || ui.view === 'runs');
  const there: UiState =
    made.kind === 'task'
      ? { ...browse(ui), view: 'task', taskId: made.task.id, scroll: 0, workList: 'tasks' }
      : { ...browse(ui), view: 'run', runId: made.run.id, scroll: 0, workList: 'runs', runBack: 'runs' };
  return { model, ui: settle(notify(isLed ? there : ui, made.words, at), model, at) };
}

function changeForm(ui: UiState, step: (form: Form) => Form): UiState {
  const { mode } = ui;
  return mode.kind === 'starting' ? { ...ui, mode: { ...mode, form: step(mode.form) } } : ui;
}

function changeWorkForm(ui: UiState, step: (form: WorkForm) => WorkForm): UiState {
  const { mode } = ui;
  return mode.kind === 'filling' ? { ...ui, mode: { ...mode, form: step(mode.form) } } : ui;
}
