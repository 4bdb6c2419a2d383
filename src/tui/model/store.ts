/**
 * The TUI's state: the model (what the daemon said), the place (what the person looks at), the pane's screen, size and
 * time.
 *
 * In:   model inputs, keys, views, sizes, ticks, results of effects.
 * Out:  a state, and effects to carry out.
 * Listeners are called at most once per frame (frame-timer.ts), but immediately after a key. Does no I/O.
 */
import {
  isRunOver,
  isTaskOver,
  type Segments,
  type Session,
  type Size,
  type TuiSegment,
} from '../../protocol/index.js';
import type { ScreenView } from '../attach/watch-session.js';
import type { Key } from '../input/key-reader.js';
import type { Keymap } from '../input/keymap.js';
import { maxHelpScroll } from '../paint/help-rows.js';
import { layoutFor } from '../paint/layout/fitted-layout.js';
import { targetAt } from '../paint/layout/regions.js';
import type { Paint } from '../paint/paint.js';
import { maxWorkScroll } from '../work/details/work-areas.js';
import type { Work } from '../work/work-model.js';
import { maxStepScroll } from '../workflow/workflow-areas.js';
import { isOver } from '../workflow/workflow-model.js';
import { settle, steer } from './acts/steering.js';
import { FrameTimer } from './frame-timer.js';
import { viewItemIn } from './items/item-view.js';
import { deadlineOf } from './items/item-words.js';
import { EMPTY_MODEL, type Model, type ModelInput, reduce } from './model.js';
import { afterAnswer, afterEditor, afterFolders, afterMaking, afterStart, type Made } from './outcomes.js';
import { type Effect, notify, type Place, START } from './place.js';

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

interface StoreOptions extends Setting {
  readonly size: Size;
  readonly now: () => number;
  /** Answers that were begun in an earlier TUI. */
  readonly drafts?: Place['drafts'];
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
    const place: Place = { ...START, drafts };
    this.#now = now;
    this.#state = { ...setting, adapters: [], model: EMPTY_MODEL, place, view: null, size, now: now() };
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
    const { place, effect } = steer(state.place, key, {
      model,
      at,
      keymap,
      adapters,
      directory,
      view: () =>
        viewItemIn(paint, layoutFor(state), state.place, model, at) ?? {
          maxScroll: state.place.view === 'step' ? maxStepScroll(state) : maxWorkScroll(state),
          visibleOptions: 0,
        },
      maxHelpScroll: () => maxHelpScroll(state),
      targetAt: (x, y) => targetAt(state, x, y),
    });
    this.#change({ place: settle(place, model, at), now: at }, true);
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
    const { place } = this.#state;
    const { notice, mode } = place;
    const shownId = 'itemId' in mode ? mode.itemId : null;
    if (notice && notice.until <= at) this.#change({ place: { ...place, notice: null } });
    this.#changeModel(reduce(this.#state.model, { kind: 'tick', at, shownId }));
    if (at - this.#state.now >= CALM_MS || countsSeconds(this.#state, at)) this.#change({ now: at });
  }

  answered(itemId: string, problem: string | null): void {
    this.#change({ place: afterAnswer(this.#state.place, itemId, problem, this.#now()) });
  }

  edited(itemId: string, text: string): boolean {
    const place = afterEditor(this.#state.place, itemId, text);
    if (place) this.#change({ place });
    return place !== null;
  }

  completed(path: string, names: readonly string[]): void {
    this.#change({ place: afterFolders(this.#state.place, path, names) });
  }

  started(session: Session | null, problem: string | null): void {
    this.#change(afterStart(this.#state, session, problem, this.#now()));
  }

  made(made: Made | string): void {
    this.#change(afterMaking(this.#state, made, this.#now()));
  }

  say(text: string, isError = false): void {
    this.#change({ place: notify(this.#state.place, text, this.#now(), isError) });
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
    this.#change({ model, place: settle(this.#state.place, model, this.#now()) }, isUrgent);
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
