/**
 * The TUI's state: the model (what the daemon said), the UI state (what the person looks at), the pane's screen, size
 * and time.
 *
 * In:   model inputs, keys, views, sizes, ticks, results of effects.
 * Out:  a state, and effects to carry out.
 * Listeners are called at most once per frame (frame-timer.ts), but immediately after a key. Does no I/O.
 */
import {
  isRunOver,
  isTaskOver,
  isWorkflowOver,
  type Segments,
  type Session,
  type Size,
  type TuiSegment,
} from '../../protocol/index.js';
import { keepDraft } from '../acts/item-acts.js';
import { handleKey, settle } from '../acts/key-handler.js';
import type { Keymap } from '../acts/keymap.js';
import { type Effect, notify, START, type UiState } from '../acts/ui-state.js';
import type { Key } from '../input/key-reader.js';
import { FrameTimer } from '../model/frame-timer.js';
import { deadlineOf } from '../model/items/item-words.js';
import { EMPTY_MODEL, type Model, type ModelInput, reduce } from '../model/model.js';
import type { ScreenView } from '../model/watch-session.js';
import type { Work } from '../model/work-model.js';
import type { Paint } from '../paint/paint.js';
import { viewItemIn } from '../rows/item-view.js';
import { layoutFor } from './fitted-layout.js';
import { maxHelpScroll } from './help-rows.js';
import { afterAnswer, afterEditor, afterFolders, afterMaking, afterStart, type Made } from './outcomes.js';
import { targetAt } from './regions.js';
import { maxWorkScroll } from './work-areas.js';
import { maxStepScroll } from './workflow-areas.js';

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
  readonly ui: UiState;
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
  /** Called with a text that was begun for an item elsewhere, such as in an attached terminal. */
  draft(itemId: string, text: string): void;
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

interface StoreOptions extends Setting {
  readonly size: Size;
  readonly now: () => number;
  /** Answers that were begun in an earlier TUI. */
  readonly drafts?: UiState['drafts'];
}

/** Precision of ages when everything shown is older than a minute. */
const MINUTE_MS = 60_000;
const CALM_MS = 15_000;

export const createStore = (options: StoreOptions): Store => new TuiStore(options);

class TuiStore implements Store {
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  readonly #viewListeners = new Set<() => void>();
  readonly #frames: FrameTimer;
  #state: State;

  constructor({ size, now, drafts = START.drafts, ...setting }: StoreOptions) {
    const ui: UiState = { ...START, drafts };
    this.#now = now;
    this.#state = { ...setting, adapters: [], model: EMPTY_MODEL, ui, view: null, size, now: now() };
    this.#frames = new FrameTimer({
      now,
      draw: () => callAll(this.#listeners),
      drawView: () => callAll(this.#viewListeners),
    });
  }

  readonly get = (): State => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => added(this.#listeners, listener);

  readonly onView = (listener: () => void): (() => void) => added(this.#viewListeners, listener);

  take(input: ModelInput): void {
    // The person waits for the first sessions: they are drawn at once, however slow the frame before was.
    this.#changeModel(reduce(this.#state.model, input), input.kind === 'snapshot');
  }

  know(adapters: readonly string[]): void {
    this.#change({ adapters });
  }

  press(key: Key): Effect | null {
    const at = this.#now();
    const state = this.#state;
    const { paint, model, keymap, adapters, directory } = state;
    const { ui, effect } = handleKey(state.ui, key, {
      model,
      at,
      keymap,
      adapters,
      directory,
      view: () =>
        viewItemIn(paint, layoutFor(state), state.ui, model, at) ?? {
          maxScroll: state.ui.view === 'step' ? maxStepScroll(state) : maxWorkScroll(state),
          visibleOptions: 0,
        },
      maxHelpScroll: () => maxHelpScroll(state),
      targetAt: (x, y) => targetAt(state, x, y),
    });
    this.#change({ ui: settle(ui, model, at), now: at }, true);
    return effect;
  }

  readonly show = (view: ScreenView): void => {
    if (this.#viewListeners.size === 0) {
      this.#change({ view });
      return;
    }
    this.#state = { ...this.#state, view };
    this.#frames.requestView();
  };

  resize(size: Size): void {
    this.#change({ size }, true);
  }

  tick(): void {
    const at = this.#now();
    const { ui } = this.#state;
    const { notice, mode } = ui;
    const shownId = 'itemId' in mode ? mode.itemId : null;
    if (notice && notice.until <= at) this.#change({ ui: { ...ui, notice: null } });
    this.#changeModel(reduce(this.#state.model, { kind: 'tick', at, shownId }));
    if (at - this.#state.now >= CALM_MS || countsSeconds(this.#state, at)) this.#change({ now: at });
  }

  answered(itemId: string, problem: string | null): void {
    this.#change({ ui: afterAnswer(this.#state.ui, itemId, problem, this.#now()) });
  }

  edited(itemId: string, text: string): boolean {
    const ui = afterEditor(this.#state.ui, itemId, text);
    if (ui) this.#change({ ui });
    return ui !== null;
  }

  draft(itemId: string, text: string): void {
    this.#change({ ui: keepDraft(this.#state.ui, itemId, text) });
  }

  completed(path: string, names: readonly string[]): void {
    this.#change({ ui: afterFolders(this.#state.ui, path, names) });
  }

  started(session: Session | null, problem: string | null): void {
    this.#change(afterStart(this.#state, session, problem, this.#now()));
  }

  made(made: Made | string): void {
    this.#change(afterMaking(this.#state, made, this.#now()));
  }

  say(text: string, isError = false): void {
    this.#change({ ui: notify(this.#state.ui, text, this.#now(), isError) });
  }

  drawn(): void {
    this.#frames.drawn();
  }

  close(): void {
    this.#frames.close();
  }

  #change(part: Partial<State>, isUrgent = false): void {
    this.#state = { ...this.#state, ...part };
    this.#frames.request(isUrgent);
  }

  #changeModel(model: Model, isUrgent = false): void {
    if (model === this.#state.model) return;
    this.#change({ model, ui: settle(this.#state.ui, model, this.#now()) }, isUrgent);
  }
}

function callAll(listeners: ReadonlySet<() => void>): void {
  for (const listener of listeners) listener();
}

function added(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** True if an age or a deadline is shown that changes every second. */
function countsSeconds({ model: { items, sessions, workflows, work }, ui }: State, at: number): boolean {
  const isYoung = (timestamp: string | null): boolean =>
    timestamp !== null && at - Date.parse(timestamp) < MINUTE_MS + CALM_MS;
  return (
    (ui.view !== 'lists' && (workflows.some((one) => !isWorkflowOver(one)) || isWorking(work))) ||
    items.some(({ item }) => isYoung(item.opened_at) || (item.state === 'open' && deadlineOf(item) !== null)) ||
    sessions.some(({ ended_at }) => isYoung(ended_at))
  );
}

const isWorking = ({ tasks, runs }: Work): boolean =>
  tasks.some((task) => !isTaskOver(task)) || runs.some((run) => !isRunOver(run));
