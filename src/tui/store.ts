/**
 * The TUI's state in one place: what is known (model), where the person is (place), the screen in the pane, size and time.
 *
 * In:   model inputs, keys, views, sizes, ticks. Out: a state, and deeds to carry out.
 * Listeners hear of changes at most every FRAME_MS, of keys at once. Does no I/O.
 */
import type { Session, Size } from '../protocol/index.js';
import { areasOf, viewItemIn } from './item-view.js';
import { deadlineOf } from './item-words.js';
import type { Key } from './key-reader.js';
import { layoutOf } from './layout.js';
import { EMPTY_MODEL, type ItemEntry, type Model, type ModelInput, reduce } from './model.js';
import type { Paint } from './paint.js';
import { type Deed, notify, type Place, START, settle, steer } from './steering.js';
import type { ScreenView } from './watch-session.js';

export interface State {
  readonly model: Model;
  readonly place: Place;
  readonly view: ScreenView | null;
  readonly size: Size;
  readonly now: number;
  readonly paint: Paint;
  readonly prefix: string;
  readonly version: string;
}

export interface Store {
  readonly subscribe: (listener: () => void) => () => void;
  readonly get: () => State;
  take(input: ModelInput): void;
  /** @returns What the key asks to be done. */
  press(key: Key): Deed | null;
  show(view: ScreenView): void;
  resize(size: Size): void;
  tick(): void;
  /** An item's answer was sent, or could not be; says why. */
  answered(itemId: string, problem: string | null): void;
  say(text: string): void;
  /** The state is on the terminal. */
  drawn(): void;
  close(): void;
}

export interface StoreOptions {
  readonly size: Size;
  readonly paint: Paint;
  readonly prefix: string;
  readonly version: string;
  readonly now: () => number;
}

/** 20 frames a second; fewer where drawing one takes long, so that about a fourth of the time goes into it. */
const FRAME_MS = 50;
const REST_FACTOR = 4;
/** The first frames, drawn by code that is still cold, hold nothing up. */
const MOST_REST_MS = 200;
/** How exact ages are where nothing is younger than a minute. */
const MINUTE_MS = 60_000;
const CALM_MS = 15_000;

export function createStore({ size, paint, prefix, version, now }: StoreOptions): Store {
  let state: State = { model: EMPTY_MODEL, place: START, view: null, size, now: now(), paint, prefix, version };
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let lastFrame = 0;
  let nextFrame = 0;

  const emit = (): void => {
    clearTimeout(timer);
    timer = undefined;
    lastFrame = now();
    nextFrame = lastFrame + FRAME_MS;
    for (const listener of listeners) listener();
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

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: () => state,
    take: (input) => changeModel(reduce(state.model, input)),
    press(key) {
      const at = now();
      const view = () =>
        viewItemIn(paint, layoutOf(state.size), state.place, state.model.items, at) ?? {
          maxScroll: 0,
          visibleOptions: 0,
        };
      const { place, deed } = steer(state.place, key, {
        model: state.model,
        at,
        view,
        isFeedAlone: isFeedAlone(state),
      });
      change({ place, now: at }, true);
      return deed;
    },
    show: (view) => change({ view }),
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
      change({ place: problem === null ? place : notify(place, problem, now(), true) });
    },
    say: (text) => change({ place: notify(state.place, text, now()) }),
    drawn() {
      const restMs = Math.min(MOST_REST_MS, REST_FACTOR * (now() - lastFrame));
      nextFrame = Math.max(nextFrame, lastFrame + restMs);
    },
    close: () => clearTimeout(timer),
  };
}

/** Whether something is shown whose age or deadline changes with every second. */
function countsSeconds({ model: { items, sessions } }: State, at: number): boolean {
  const isYoung = (timestamp: string | null): boolean =>
    timestamp !== null && at - Date.parse(timestamp) < MINUTE_MS + CALM_MS;
  return (
    items.some(({ item }) => isYoung(item.opened_at) || (item.state === 'open' && deadlineOf(item) !== null)) ||
    sessions.some(({ ended_at }) => isYoung(ended_at))
  );
}

/** The session that the pane shows: the item's, or the selected one. */
export function shownSession({ model, place }: Pick<State, 'model' | 'place'>): Session | null {
  const itemId = 'itemId' in place.mode ? place.mode.itemId : place.focus === 'inbox' ? place.itemId : null;
  const item = model.items.find((entry) => entry.item.id === itemId)?.item;
  const sessionId = item?.session_id ?? place.sessionId;
  return model.sessions.find(({ id }) => id === sessionId) ?? null;
}

/** The item that is open in details. */
export function entryOf({ model, place }: Pick<State, 'model' | 'place'>): ItemEntry | null {
  const itemId = 'itemId' in place.mode ? place.mode.itemId : null;
  return itemId === null ? null : (model.items.find(({ item }) => item.id === itemId) ?? null);
}

/** Whether there is room for the feed only instead of the lists. */
export const isFeedAlone = ({ size }: Pick<State, 'size'>): boolean => layoutOf(size).kind === 'single';

/** Whether a screen is in sight at all; what is not seen is not watched. */
export function isScreenShown(state: State): boolean {
  const { size, place, paint } = state;
  if (place.mode.kind === 'help') return false;
  const layout = layoutOf(size);
  const entry = entryOf(state);
  if (entry) return areasOf(paint, layout, entry).screen !== null;
  return layout.kind === 'columns' || (layout.kind === 'stacked' && place.pane === 'screen');
}
