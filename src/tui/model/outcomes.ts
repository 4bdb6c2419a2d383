/**
 * Changes of the state after an effect was carried out: an answer was sent, a session was started, a task was made.
 * Pure.
 */
import type { Run, Session, Task } from '../../protocol/index.js';
import { type Form, takeFolders } from '../input/form.js';
import { lineOf } from '../input/line-editor.js';
import { takeWorkFolders, type WorkForm } from '../work/form/work-form.js';
import { keepDraft } from './acts/item-acts.js';
import { settle } from './acts/steering.js';
import { type Model, reduce } from './model.js';
import { browse, notify, type Place } from './place.js';

/** The outcome of an action on a task or a run, with a sentence that describes it. */
export type Made = ({ readonly kind: 'task'; readonly task: Task } | { readonly kind: 'run'; readonly run: Run }) & {
  readonly words: string;
  /** True if it was just created: the TUI then opens it. */
  readonly isNew?: true;
};

interface Before {
  readonly model: Model;
  readonly place: Place;
}

/** @param problem  Why the answer was not sent. Its text is then kept as a draft, to be sent again or copied. */
export function afterAnswer(place: Place, itemId: string, problem: string | null, at: number): Place {
  const next = { ...place, sending: place.sending.filter((id) => id !== itemId) };
  return problem === null ? keepDraft(next, itemId, '') : notify(next, problem, at, true);
}

/** @returns Null if that answer is no longer being typed. */
export function afterEditor(place: Place, itemId: string, text: string): Place | null {
  const { mode } = place;
  if (mode.kind !== 'typing' || mode.itemId !== itemId) return null;
  return keepDraft({ ...place, mode: { ...mode, line: lineOf(text) } }, itemId, text);
}

/** Completes the path that is being typed in a form with the folders that were found for it. */
export function afterFolders(place: Place, path: string, names: readonly string[]): Place {
  const started = changeForm(place, (form) => takeFolders(form, path, names));
  return changeWorkForm(started, (form) => takeWorkFolders(form, path, names));
}

/** @param session  Null if it could not be started. */
export function afterStart(before: Before, session: Session | null, problem: string | null, at: number): Before {
  const { place } = before;
  if (session === null) {
    const open = changeForm(place, (form) => ({ ...form, isSent: false }));
    return { ...before, place: notify(open, problem ?? 'not started', at, true) };
  }
  const there: Place = { ...browse(place), view: 'lists', focus: 'sessions', list: 'sessions', sessionId: session.id };
  const model = reduce(before.model, { kind: 'started', session });
  const next = notify(place.mode.kind === 'starting' ? there : place, `${session.name} runs`, at);
  return { model, place: settle(next, model, at) };
}

/** @param made  A text says why the action failed. */
export function afterMaking({ model: known, place }: Before, made: Made | string, at: number): Before {
  if (typeof made === 'string') {
    const open = changeWorkForm(place, (form) => ({ ...form, isSent: false }));
    return { model: known, place: notify(open, made, at, true) };
  }
  const isOther = made.kind === 'task' && known.work.task?.id !== made.task.id;
  // The history belongs to another task; this task's history comes with the next reply.
  const work = made.kind === 'run' ? { run: made.run } : { task: made.task, ...(isOther && { history: [] }) };
  const model = reduce(known, { kind: 'work', work });
  const isLed = made.isNew && (place.mode.kind === 'filling' || place.view === 'run' || place.view === 'runs');
  const there: Place =
    made.kind === 'task'
      ? { ...browse(place), view: 'task', taskId: made.task.id, scroll: 0, workList: 'tasks' }
      : { ...browse(place), view: 'run', runId: made.run.id, scroll: 0, workList: 'runs', runBack: 'runs' };
  return { model, place: settle(notify(isLed ? there : place, made.words, at), model, at) };
}

function changeForm(place: Place, step: (form: Form) => Form): Place {
  const { mode } = place;
  return mode.kind === 'starting' ? { ...place, mode: { ...mode, form: step(mode.form) } } : place;
}

function changeWorkForm(place: Place, step: (form: WorkForm) => WorkForm): Place {
  const { mode } = place;
  return mode.kind === 'filling' ? { ...place, mode: { ...mode, form: step(mode.form) } } : place;
}
