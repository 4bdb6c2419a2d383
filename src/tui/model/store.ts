/**
 * The TUI's state: the model (what the daemon said), the place (what the person looks at), the pane's screen, size and
 * time.
 *
 * In:   model inputs, keys, views, sizes, ticks, results of effects.
 * Out:  a state, and effects to carry out.
 * Listeners are called at most every FRAME_MS, but immediately after a key. Does no I/O.
 */
import {
  isRunOver,
  isTaskOver,
  type Run,
  type Segments,
  type Session,
  type Size,
  type Task,
  type TuiSegment,
} from '../../protocol/index.js';
import type { ScreenView } from '../attach/watch-session.js';
import { type Form, takeFolders } from '../input/form.js';
import type { Key } from '../input/key-reader.js';
import type { Keymap } from '../input/keymap.js';
import { lineOf } from '../input/line-editor.js';
import { layoutFor } from '../paint/layout/fitted-layout.js';
import { maxHelpScroll } from '../paint/help-rows.js';
import type { Paint } from '../paint/paint.js';
import { targetAt } from '../paint/layout/regions.js';
import { maxWorkScroll } from '../work/details/work-areas.js';
import { takeWorkFolders, type WorkForm } from '../work/form/work-form.js';
import type { Work } from '../work/work-model.js';
import { maxStepScroll } from '../workflow/workflow-areas.js';
import { isOver } from '../workflow/workflow-model.js';
import { keepDraft } from './acts/item-acts.js';
import { viewItemIn } from './items/item-view.js';
import { deadlineOf } from './items/item-words.js';
import { EMPTY_MODEL, type Model, type ModelInput, reduce } from './model.js';
import { browse, type Effect, notify, type Place, START } from './place.js';
import { settle, steer } from './acts/steering.js';

/** Values that do not change while the TUI runs. */
interface Setting {
  readonly paint: Paint;
  readonly keymap: Keymap;
  readonly prefix: string;
  readonly version: string;
  readonly segments: Segments<TuiSegment>;
  /** The directory in which the TUI was started. */
  readonly directory: string;
}

export interface State extends Setting {
  /** Names of the adapters that a new session can use. */
  readonly adapters: readonly string[];
  readonly model: Model;
  readonly place: Place;
  readonly view: ScreenView | null;
  readonly size: Size;
  readonly now: number;
}

export interface Store {
  readonly subscribe: (listener: () => void) => () => void;
  readonly get: () => State;
  /** Called when only a session's screen has changed. `subscribe` does not report these changes. */
  readonly onView: (listener: () => void) => () => void;
  take(input: ModelInput): void;
  know(adapters: readonly string[]): void;
  /** @returns The effect to carry out, or null. */
  press(key: Key): Effect | null;
  show(view: ScreenView): void;
  resize(size: Size): void;
  tick(): void;
  /** Called after an item's answer was sent. A problem says why it could not be sent. */
  answered(itemId: string, problem: string | null): void;
  /**
   * Called after the person's editor has ended.
   * @returns False if that answer is no longer being typed.
   */
  edited(itemId: string, text: string): boolean;
  /** Called with the folders that can complete a path. */
  completed(path: string, names: readonly string[]): void;
  /** Called after a session was started. A problem says why it could not be started. */
  started(session: Session | null, problem: string | null): void;
  /** Called after a task or a run was created or changed. A text says why that failed. */
  made(made: Made | string): void;
  say(text: string, isError?: boolean): void;
  /** Called after the state was drawn on the terminal. */
  drawn(): void;
  close(): void;
}

/** The outcome of an action on a task or a run, with a sentence that describes it. */
export type Made = ({ readonly kind: 'task'; readonly task: Task } | { readonly kind: 'run'; readonly run: Run }) & {
  readonly words: string;
  /** True if it was just created: the TUI then opens it. */
  readonly isNew?: true;
};

interface StoreOptions extends Setting {
  readonly size: Size;
  readonly now: () => number;
  /** Answers that were begun in an earlier TUI. */
  readonly drafts?: Place['drafts'];
}

/** 20 frames a second, fewer if drawing is slow: drawing takes at most about a fourth of the time. */
const FRAME_MS = 50;
const REST_FACTOR = 4;
/** Maximum pause between frames. The first frames are slow, because the code is not compiled yet. */
const MOST_REST_MS = 200;
/** Precision of ages when everything shown is older than a minute. */
const MINUTE_MS = 60_000;
const CALM_MS = 15_000;

export function createStore({ size, now, drafts = START.drafts, ...setting }: StoreOptions): Store {
  const place: Place = { ...START, drafts };
  let state: State = { ...setting, adapters: [], model: EMPTY_MODEL, place, view: null, size, now: now() };
  const listeners = new Set<() => void>();
  const viewListeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let viewTimer: NodeJS.Timeout | undefined;
  let lastFrame = 0;
  let nextFrame = 0;

  const emit = (): void => {
    clearTimeout(timer);
    clearTimeout(viewTimer); // the frame includes what this timer would draw
    timer = undefined;
    viewTimer = undefined;
    lastFrame = now();
    nextFrame = lastFrame + FRAME_MS;
    for (const listener of listeners) listener();
  };
  const emitView = (): void => {
    viewTimer = undefined;
    nextFrame = now() + FRAME_MS;
    for (const listener of viewListeners) listener();
  };
  const change = (part: Partial<State>, isUrgent = false): void => {
    state = { ...state, ...part };
    if (isUrgent) emit();
    else timer ??= setTimeout(emit, Math.max(0, nextFrame - now()));
  };
  const changeModel = (model: Model): void => {
    if (model === state.model) return;
    change({ model, place: settle(state.place, model, now()) });
  };
  const changeForm = (step: (form: Form) => Form): void => {
    const { mode } = state.place;
    if (mode.kind === 'starting') change({ place: { ...state.place, mode: { ...mode, form: step(mode.form) } } });
  };

  const changeWorkForm = (step: (form: WorkForm) => WorkForm): void => {
    const { mode } = state.place;
    if (mode.kind === 'filling') change({ place: { ...state.place, mode: { ...mode, form: step(mode.form) } } });
  };

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: () => state,
    know: (adapters) => change({ adapters }),
    take: (input) => changeModel(reduce(state.model, input)),
    press(key) {
      const at = now();
      const { paint, model, keymap, adapters, directory } = state;
      const view = () =>
        viewItemIn(paint, layoutFor(state), state.place, model, at) ?? {
          maxScroll: state.place.view === 'step' ? maxStepScroll(state) : maxWorkScroll(state),
          visibleOptions: 0,
        };
      const { place, effect } = steer(state.place, key, {
        model,
        at,
        keymap,
        adapters,
        directory,
        view,
        maxHelpScroll: () => maxHelpScroll(state),
        targetAt: (x, y) => targetAt(state, x, y),
      });
      change({ place: settle(place, model, at), now: at }, true);
      return effect;
    },
    onView(listener) {
      viewListeners.add(listener);
      return () => viewListeners.delete(listener);
    },
    show(view) {
      if (viewListeners.size === 0) return change({ view });
      state = { ...state, view };
      if (timer === undefined) viewTimer ??= setTimeout(emitView, Math.max(0, nextFrame - now()));
    },
    resize: (next) => change({ size: next }, true),
    tick() {
      const at = now();
      const { notice, mode } = state.place;
      const shownId = 'itemId' in mode ? mode.itemId : null;
      if (notice && notice.until <= at) change({ place: { ...state.place, notice: null } });
      changeModel(reduce(state.model, { kind: 'tick', at, shownId }));
      if (at - state.now >= CALM_MS || countsSeconds(state, at)) change({ now: at });
    },
    answered(itemId, problem) {
      const sending = state.place.sending.filter((id) => id !== itemId);
      const place = { ...state.place, sending };
      // The text of a failed answer is kept as a draft, to be sent again or copied.
      change({ place: problem === null ? keepDraft(place, itemId, '') : notify(place, problem, now(), true) });
    },
    edited(itemId, text) {
      const { place } = state;
      const { mode } = place;
      if (mode.kind !== 'typing' || mode.itemId !== itemId) return false;
      change({ place: keepDraft({ ...place, mode: { ...mode, line: lineOf(text) } }, itemId, text) });
      return true;
    },
    completed(path, names) {
      changeForm((form) => takeFolders(form, path, names));
      changeWorkForm((form) => takeWorkFolders(form, path, names));
    },
    made(made) {
      const { place } = state;
      if (typeof made === 'string') {
        changeWorkForm((form) => ({ ...form, isSent: false }));
        change({ place: notify(state.place, made, now(), true) });
        return;
      }
      const isOther = made.kind === 'task' && state.model.work.task?.id !== made.task.id;
      // The history belongs to another task; this task's history comes with the next reply.
      const work = made.kind === 'run' ? { run: made.run } : { task: made.task, ...(isOther && { history: [] }) };
      const model = reduce(state.model, { kind: 'work', work });
      const isLed = made.isNew && (place.mode.kind === 'filling' || place.view === 'run' || place.view === 'runs');
      const there: Place =
        made.kind === 'task'
          ? { ...browse(place), view: 'task', taskId: made.task.id, scroll: 0, workList: 'tasks' }
          : { ...browse(place), view: 'run', runId: made.run.id, scroll: 0, workList: 'runs', runBack: 'runs' };
      const next = notify(isLed ? there : place, made.words, now());
      change({ model, place: settle(next, model, now()) });
    },
    started(session, problem) {
      const { place } = state;
      if (session === null) {
        changeForm((form) => ({ ...form, isSent: false }));
        change({ place: notify(state.place, problem ?? 'not started', now(), true) });
        return;
      }
      const isHere = place.mode.kind === 'starting';
      const there: Place = {
        ...browse(place),
        view: 'lists',
        focus: 'sessions',
        list: 'sessions',
        sessionId: session.id,
      };
      const model = reduce(state.model, { kind: 'started', session });
      const next = notify(isHere ? there : place, `${session.name} runs`, now());
      change({ model, place: settle(next, model, now()) });
    },
    say: (text, isError = false) => change({ place: notify(state.place, text, now(), isError) }),
    drawn() {
      const restMs = Math.min(MOST_REST_MS, REST_FACTOR * (now() - lastFrame));
      nextFrame = Math.max(nextFrame, lastFrame + restMs);
    },
    close() {
      clearTimeout(timer);
      clearTimeout(viewTimer);
    },
  };
}

/** True if an age or a deadline is shown that changes every second. */
function countsSeconds({ model: { items, sessions, workflows, work }, place }: State, at: number): boolean {
  const isYoung = (timestamp: string | null): boolean =>
    timestamp !== null && at - Date.parse(timestamp) < MINUTE_MS + CALM_MS;
  return (
    (place.view !== 'lists' && (workflows.some((one) => !isOver(one)) || isWorking(work))) ||
    items.some(({ item }) => isYoung(item.opened_at) || (item.state === 'open' && deadlineOf(item) !== null)) ||
    sessions.some(({ ended_at }) => isYoung(ended_at))
  );
}

const isWorking = ({ tasks, runs }: Work): boolean =>
  tasks.some((task) => !isTaskOver(task)) || runs.some((run) => !isRunOver(run));
