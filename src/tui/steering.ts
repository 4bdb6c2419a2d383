/**
 * What keys do. Pure: where the person is, a key → where they are then, and perhaps something to carry out.
 *
 * An answer is sent only from an item's details, for the item that is shown there, and never within SEEING_MS of its appearing: keys
 * typed ahead, and pastes, answer nothing. Who types for an item that takes no answer is told so, and the text commands nothing.
 */
import { type Item, takesText } from '../protocol/index.js';
import { closedWords, optionsOf } from './item-words.js';
import type { Key } from './key-reader.js';
import { EMPTY_LINE, edit, type Line, textOf } from './line-editor.js';
import { type ItemEntry, isAlive, type Model, openItems, openItemsOf } from './model.js';

export type Mode =
  | { readonly kind: 'browse' }
  | { readonly kind: 'item'; readonly itemId: string; readonly since: number; readonly scroll: number }
  /** Typing an answer; after an option's text, if one was chosen that wants more. */
  | { readonly kind: 'typing'; readonly itemId: string; readonly option: number | null; readonly line: Line }
  | { readonly kind: 'declining'; readonly itemId: string }
  | { readonly kind: 'help'; readonly back: Mode };

export interface Place {
  readonly focus: 'inbox' | 'sessions';
  readonly itemId: string | null;
  readonly sessionId: string | null;
  /** Where the selected ones stood, for when they are gone. */
  readonly itemIndex: number;
  readonly sessionIndex: number;
  /** What the pane shows; where both are shown, which is the larger. */
  readonly pane: 'screen' | 'feed';
  readonly mode: Mode;
  /** Before the first key: the keys go where there is something to do. */
  readonly isUntouched: boolean;
  /** Items whose answer is on its way to the daemon. */
  readonly sending: readonly string[];
  readonly notice: { readonly text: string; readonly isError: boolean; readonly until: number } | null;
  /** Somebody types an answer that nothing takes: until then, and again after each key, text is no command. */
  readonly deaf: { readonly until: number; readonly hasText: boolean } | null;
}

export type Deed =
  | {
      readonly kind: 'answer';
      readonly itemId: string;
      readonly request: { readonly option?: number; readonly text?: string; readonly decline?: true };
    }
  | { readonly kind: 'attach'; readonly sessionId: string }
  | { readonly kind: 'quit' };

export interface Surroundings {
  readonly model: Model;
  readonly at: number;
  /** Whether the feed, when it is shown, hides the lists. */
  readonly isFeedAlone: boolean;
  /** Of the item shown: how far it can be scrolled, and how many of its options are in sight. */
  readonly view: () => { readonly maxScroll: number; readonly visibleOptions: number };
}

export interface Steered {
  readonly place: Place;
  readonly deed: Deed | null;
}

export const START: Place = {
  focus: 'inbox',
  itemId: null,
  sessionId: null,
  itemIndex: 0,
  sessionIndex: 0,
  pane: 'screen',
  mode: { kind: 'browse' },
  isUntouched: true,
  sending: [],
  notice: null,
  deaf: null,
};

const SEEING_MS = 200;
const NOTICE_MS = 6_000;
/** Who has not gone on typing after this has seen the notice. */
const DEAF_MS = 2_000;
const PAGE = 10;
const SCROLL = 5;

export const stay = (place: Place): Steered => ({ place, deed: null });
const go = (place: Place, mode: Mode): Steered => stay({ ...place, mode });

export function notify(place: Place, text: string, at: number, isError = false): Place {
  return { ...place, notice: { text, isError, until: at + NOTICE_MS } };
}

export function steer(place: Place, key: Key, surroundings: Surroundings): Steered {
  const isClear = place.notice === null && place.deaf === null && !place.isUntouched;
  const clear = isClear ? place : { ...place, notice: null, deaf: null, isUntouched: false };
  if (key.kind === 'ctrl' && key.letter === 'c') return { place: clear, deed: { kind: 'quit' } };
  const unheard = leaveUnheard(place, key, surroundings.at);
  if (unheard) return stay(unheard);
  switch (clear.mode.kind) {
    case 'help':
      return go(clear, clear.mode.back);
    case 'browse':
      return browse(clear, key, surroundings);
    case 'item':
      return steerItem(clear, clear.mode, key, surroundings);
    case 'typing':
      return type(clear, clear.mode, key, surroundings);
    case 'declining':
      return decline(clear, clear.mode, key, surroundings);
  }
}

/** What the line of an answer would have taken, where there is none: the Enter at its end, too. Null for a command. */
function leaveUnheard(place: Place, key: Key, at: number): Place | null {
  const { deaf, notice } = place;
  if (deaf === null || at >= deaf.until) return null;
  if (deaf.hasText && key.kind === 'named' && key.name === 'enter') return { ...place, deaf: null };
  if (edit(EMPTY_LINE, key) === null) return null;
  return {
    ...place,
    deaf: { until: at + DEAF_MS, hasText: true },
    notice: notice && { ...notice, until: at + NOTICE_MS },
  };
}

/** After the model changed: the selected ones are still there, or their successors are selected; nobody types for a closed item. */
export function settle(before: Place, { items, sessions }: Model, at: number): Place {
  const place = stopTyping(before, items, at);
  const itemIndex = indexOf(
    items.map(({ item }) => item.id),
    place.itemId,
    place.itemIndex,
  );
  const sessionIndex = indexOf(
    sessions.map(({ id }) => id),
    place.sessionId,
    place.sessionIndex,
  );
  const itemId = items[itemIndex]?.item.id ?? null;
  const sessionId = sessions[sessionIndex]?.id ?? null;
  const focus = !place.isUntouched ? place.focus : items.length > 0 || sessions.length === 0 ? 'inbox' : 'sessions';
  const isSame =
    focus === place.focus &&
    itemId === place.itemId &&
    sessionId === place.sessionId &&
    itemIndex === place.itemIndex &&
    sessionIndex === place.sessionIndex;
  return isSame ? place : { ...place, focus, itemId, sessionId, itemIndex, sessionIndex };
}

function stopTyping(place: Place, items: readonly ItemEntry[], at: number): Place {
  const { mode } = place;
  if (mode.kind !== 'typing' && mode.kind !== 'declining') return place;
  const entry = items.find(({ item }) => item.id === mode.itemId);
  if (entry?.item.state === 'open') return place;
  const how = entry ? closedWords(entry) : 'the item was withdrawn';
  const deaf = { until: at + DEAF_MS, hasText: true };
  return notify({ ...place, deaf, mode: { kind: 'item', itemId: mode.itemId, since: at, scroll: 0 } }, how, at, true);
}

function indexOf(ids: readonly string[], id: string | null, before: number): number {
  const found = id === null ? -1 : ids.indexOf(id);
  return found >= 0 ? found : Math.max(0, Math.min(before, ids.length - 1));
}

// ── browsing ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

function browse(place: Place, key: Key, surroundings: Surroundings): Steered {
  const { model, at, isFeedAlone } = surroundings;
  if (isFeedAlone && place.pane === 'feed' && !/^[?q]$/.test(nameOf(key))) return stay({ ...place, pane: 'screen' });
  const step = stepOf(key);
  if (step !== 0) return stay(move(place, step, model));
  switch (nameOf(key)) {
    case 'tab':
    case 'backtab':
      return stay({ ...place, focus: place.focus === 'inbox' ? 'sessions' : 'inbox' });
    case 'enter':
      return place.focus === 'inbox' ? enterItem(place, at) : attach(place, place.sessionId, surroundings);
    case 'a':
      return place.focus === 'inbox' ? startTyping(place, place.itemId, surroundings) : stay(place);
    case 'g':
      return stay(place.focus === 'inbox' ? goToSession(place, place.itemId, model) : place);
    case 'i':
      return place.focus === 'sessions' ? goToItem(place, surroundings) : stay(place);
    case 'f':
      return stay({ ...place, pane: place.pane === 'screen' ? 'feed' : 'screen' });
    case '?':
      return go(place, { kind: 'help', back: place.mode });
    case 'q':
      return { place, deed: { kind: 'quit' } };
    default:
      return place.focus === 'inbox' && isDigit(key) ? offer(place, Number(nameOf(key)), surroundings) : stay(place);
  }
}

function stepOf(key: Key): number {
  switch (nameOf(key)) {
    case 'j':
    case 'down':
      return 1;
    case 'k':
    case 'up':
      return -1;
    case 'pagedown':
      return PAGE;
    case 'pageup':
      return -PAGE;
    case 'home':
      return Number.NEGATIVE_INFINITY;
    case 'end':
      return Number.POSITIVE_INFINITY;
    default:
      return 0;
  }
}

const nameOf = (key: Key): string => (key.kind === 'named' ? key.name : key.kind === 'char' ? key.text : '');
const isDigit = (key: Key): boolean => /^[1-9]$/.test(nameOf(key));

function move(place: Place, step: number, { items, sessions }: Model): Place {
  if (place.focus === 'inbox') {
    const itemIndex = Math.max(0, Math.min(items.length - 1, place.itemIndex + step));
    return { ...place, itemIndex, itemId: items[itemIndex]?.item.id ?? null };
  }
  const sessionIndex = Math.max(0, Math.min(sessions.length - 1, place.sessionIndex + step));
  return { ...place, sessionIndex, sessionId: sessions[sessionIndex]?.id ?? null };
}

const enterItem = (place: Place, at: number): Steered =>
  place.itemId === null ? stay(place) : go(place, { kind: 'item', itemId: place.itemId, since: at, scroll: 0 });

/** A digit sends nothing that has not been seen: it opens the item, and the same once more sends. */
function offer(place: Place, option: number, { model, at }: Surroundings): Steered {
  const item = answerable(place, place.itemId, model);
  if (!item) return stay(refuse(place, place.itemId, model, at));
  const chosen = optionsOf(item)[option - 1];
  if (!chosen) return stay(notify(place, offeredWords(item), at, true));
  const what = chosen.wantsText ? 'to go on with' : 'to send';
  const { place: there, deed } = enterItem(place, at);
  return { place: notify(there, `press ${option} again ${what} “${chosen.label}”`, at), deed };
}

function attach(place: Place, sessionId: string | null, { model, at }: Surroundings): Steered {
  const session = model.sessions.find(({ id }) => id === sessionId);
  if (!session) return stay(place);
  if (model.connection.kind !== 'connected') return stay(notify(place, 'the daemon is away', at, true));
  if (!isAlive(session))
    return stay(notify(place, `${session.name} has ended; what it showed last stands in the pane`, at));
  return { place, deed: { kind: 'attach', sessionId: session.id } };
}

function goToSession(place: Place, itemId: string | null, { items, sessions }: Model): Place {
  const item = items.find((entry) => entry.item.id === itemId)?.item;
  const sessionIndex = sessions.findIndex(({ id }) => id === item?.session_id);
  if (!item || sessionIndex < 0) return place;
  return { ...place, mode: { kind: 'browse' }, focus: 'sessions', sessionId: item.session_id, sessionIndex };
}

function goToItem(place: Place, { model, at }: Surroundings): Steered {
  const [item] = place.sessionId === null ? [] : openItemsOf(model, place.sessionId);
  return item ? showItem(place, item, model, at) : stay(notify(place, 'this session has no open item', at));
}

function showItem(place: Place, item: Item, { items }: Model, at: number): Steered {
  const itemIndex = items.findIndex((entry) => entry.item.id === item.id);
  const there: Place = { ...place, focus: 'inbox', itemId: item.id, itemIndex };
  return enterItem(there, at);
}

// ── an item's details ────────────────────────────────────────────────────────────────────────────────────────────────────────

function steerItem(place: Place, mode: Extract<Mode, { kind: 'item' }>, key: Key, surroundings: Surroundings): Steered {
  const { model, at } = surroundings;
  const name = nameOf(key);
  const item = answerable(place, mode.itemId, model);
  if (name === 'pagedown' || name === 'pageup') {
    const { maxScroll } = surroundings.view();
    const scroll = Math.max(0, Math.min(maxScroll, mode.scroll + (name === 'pagedown' ? SCROLL : -SCROLL)));
    return go(place, { ...mode, scroll });
  }
  const step = stepOf(key);
  if (step !== 0) return enterItem(move({ ...place, focus: 'inbox' }, step, model), at);
  if (name === 'escape' || name === 'q' || name === 'left' || name === 'tab') return go(place, { kind: 'browse' });
  if (name === '?') return go(place, { kind: 'help', back: place.mode });
  if (name === 'g') return stay(goToSession(place, mode.itemId, model));
  if (!item) {
    if (name === 'a') return startTyping(place, mode.itemId, surroundings);
    if (name === 'enter') return nextItem(place, surroundings);
    return stay(name === 'x' || isDigit(key) ? refuse(place, mode.itemId, model, at) : place);
  }
  if (at - mode.since < SEEING_MS) return isDigit(key) ? offer(place, Number(name), surroundings) : stay(place);
  if (name === 'x') return go(place, { kind: 'declining', itemId: item.id });
  if (name === 'enter' && !takesText(item)) return attach(place, item.session_id, surroundings);
  if (name === 'enter' || name === 'a') return startTyping(place, item.id, surroundings);
  if (isDigit(key)) return choose(place, item, Number(name), surroundings);
  return stay(place);
}

/** The next one that is open, or back where there is none. */
function nextItem(place: Place, { model, at }: Surroundings): Steered {
  const [item] = openItems(model);
  return item ? showItem(place, item, model, at) : go(place, { kind: 'browse' });
}

function choose(place: Place, item: Item, option: number, { view, at }: Surroundings): Steered {
  const chosen = optionsOf(item)[option - 1];
  if (!chosen) return stay(notify(place, offeredWords(item), at, true));
  if (option > view().visibleOptions)
    return stay(
      notify(place, `option ${option} is not in sight: make the terminal larger, or type its text`, at, true),
    );
  if (chosen.wantsText) return go(place, { kind: 'typing', itemId: item.id, option, line: EMPTY_LINE });
  return send(place, item.id, { option }, at);
}

function offeredWords(item: Item): string {
  const { length } = optionsOf(item);
  const instead = takesText(item) ? 'a types an answer' : 'Enter attaches';
  return `this item has ${length === 0 ? `no options: ${instead}` : `options 1 to ${length}`}`;
}

/** Never goes on to another item: what is typed next was meant for this one. */
function startTyping(place: Place, itemId: string | null, { model, at }: Surroundings): Steered {
  const item = answerable(place, itemId, model);
  if (item && !takesText(item)) {
    const words = 'the program itself asks this: choose one of its options, or attach (Enter)';
    const there = showItem(place, item, model, at).place;
    return stay({ ...notify(there, words, at, true), deaf: { until: at + DEAF_MS, hasText: false } });
  }
  if (item) return go(place, { kind: 'typing', itemId: item.id, option: null, line: EMPTY_LINE });
  return stay({ ...refuse(place, itemId, model, at), deaf: { until: at + DEAF_MS, hasText: false } });
}

function answerable({ sending }: Place, itemId: string | null, { items }: Model): Item | null {
  const item = items.find((entry) => entry.item.id === itemId)?.item;
  return item?.state === 'open' && !sending.includes(item.id) ? item : null;
}

function refuse(place: Place, itemId: string | null, { items }: Model, at: number): Place {
  const entry = items.find(({ item }) => item.id === itemId);
  return notify(place, entry ? closedWords(entry) : 'nothing waits for an answer', at, true);
}

function type(place: Place, mode: Extract<Mode, { kind: 'typing' }>, key: Key, { at }: Surroundings): Steered {
  const back: Mode = { kind: 'item', itemId: mode.itemId, since: at, scroll: 0 };
  if (key.kind === 'named' && key.name === 'escape') return go(place, back);
  if (key.kind === 'named' && key.name === 'enter') {
    const text = textOf(mode.line);
    if (text.trim() === '') return stay(notify(place, 'an empty answer is not sent', at, true));
    const request = mode.option === null ? { text } : { option: mode.option, text };
    return send(place, mode.itemId, request, at);
  }
  const line = edit(mode.line, key);
  return line ? go(place, { ...mode, line }) : stay(place);
}

function decline(place: Place, mode: Extract<Mode, { kind: 'declining' }>, key: Key, { at }: Surroundings): Steered {
  if (nameOf(key) === 'y') return send(place, mode.itemId, { decline: true }, at);
  return go(place, { kind: 'item', itemId: mode.itemId, since: at, scroll: 0 });
}

function send(
  place: Place,
  itemId: string,
  request: Extract<Deed, { kind: 'answer' }>['request'],
  at: number,
): Steered {
  const mode: Mode = { kind: 'item', itemId, since: at, scroll: 0 };
  return {
    place: { ...place, mode, sending: [...place.sending, itemId] },
    deed: { kind: 'answer', itemId, request },
  };
}
