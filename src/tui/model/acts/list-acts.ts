/**
 * The actions in the lists: moving, changing the list, attaching, zooming. Pure; actions.ts assigns the keys.
 */
import { EMPTY_LINE, lineOf } from '../../input/line-editor.js';
import { isAlive, type Model, openItems, openItemsOf } from '../model.js';
import { browse, go, type ListName, notify, type Place, type Steered, type Surroundings, stay } from '../place.js';
import { sessionRows } from '../session-rows.js';
import { shownFeed, shownItems, shownSessions } from '../shown.js';

/** Moves the selection by `step` lines; it stops at both ends. */
export function move(place: Place, step: number, model: Model): Place {
  const clamp = (index: number, count: number): number => Math.max(0, Math.min(count - 1, index + step));
  switch (place.focus) {
    case 'inbox': {
      const items = shownItems(model, place);
      const itemIndex = clamp(place.itemIndex, items.length);
      return { ...place, itemIndex, itemId: items[itemIndex]?.item.id ?? null };
    }
    case 'sessions': {
      const rows = sessionRows(model, place);
      const sessionIndex = clamp(place.sessionIndex, rows.length);
      return { ...place, sessionIndex, sessionId: rows[sessionIndex]?.id ?? null };
    }
    case 'feed':
      return { ...place, feedSeq: scrolledFeed(place, step, model) };
  }
}

/** Returns the `seq` of the event at the bottom after scrolling; null at the newest. */
function scrolledFeed(place: Place, step: number, model: Model): number | null {
  const lines = shownFeed(model, place);
  const last = lines.length - 1;
  const at = feedIndex(place, model);
  const next = Math.max(0, Math.min(last, at + step));
  return next >= last ? null : (lines[next]?.event.seq ?? null);
}

/** Returns the index of the feed line shown at the bottom. */
export function feedIndex(place: Place, model: Pick<Model, 'feed' | 'sessions' | 'workflows'>): number {
  const lines = shownFeed(model, place);
  if (place.feedSeq === null) return lines.length - 1;
  const found = lines.findLastIndex(({ event }) => event.seq <= (place.feedSeq ?? 0));
  return Math.max(0, found);
}

export function focusOn(before: Place, focus: ListName): Place {
  const place: Place = { ...before, view: 'lists', focus };
  return focus === 'feed' ? { ...place, pane: 'feed' } : { ...place, list: focus };
}

/** Moves the focus to another list. The feed counts as a list while the pane shows it. */
export function focusNext(place: Place, step: 1 | -1): Place {
  const lists: readonly ListName[] = place.pane === 'feed' ? ['inbox', 'sessions', 'feed'] : ['inbox', 'sessions'];
  const at = lists.indexOf(place.focus);
  return focusOn(place, lists[(at + step + lists.length) % lists.length] ?? 'inbox');
}

export const switchPane = (place: Place): Place =>
  place.focus === 'feed'
    ? { ...place, pane: 'screen', focus: place.list, feedSeq: null }
    : place.pane === 'feed' && !place.isZoomed
      ? { ...place, pane: 'screen', feedSeq: null }
      : focusOn(place, 'feed');

/** Leaves the innermost state: marks, then a filter, then the zoom, then the feed. */
export function leave(place: Place): Place {
  if (place.focus === 'sessions' && place.marked.size > 0) return { ...place, marked: new Set() };
  if (place.filters[place.focus] !== '') return { ...place, filters: { ...place.filters, [place.focus]: '' } };
  if (place.isZoomed) return { ...place, isZoomed: false };
  return place.focus === 'feed' ? switchPane(place) : place;
}

export function attach(
  place: Place,
  sessionId: string | null,
  { model, at }: Pick<Surroundings, 'model' | 'at'>,
): Steered {
  const session = model.sessions.find(({ id }) => id === sessionId);
  const other = model.others.find((one) => one.session.id === sessionId);
  if (!session && !other) return stay(place);
  if (model.connection.kind !== 'connected') return stay(notify(place, 'the daemon is away', at, true));
  if (other) {
    const { machine, away } = other;
    if (away !== '') return stay(notify(place, `${machine} is ${away}: its sessions cannot be shown`, at, true));
    return { place, effect: { kind: 'attach', sessionId: other.session.id, machine } };
  }
  if (!session) return stay(place);
  if (!isAlive(session)) {
    return { place, effect: { kind: 'look_back', sessionId: session.id } };
  }
  return { place, effect: { kind: 'attach', sessionId: session.id } };
}

export function goToSession(place: Place, itemId: string | null, model: Model): Place {
  const item = model.items.find((entry) => entry.item.id === itemId)?.item;
  if (!item || !model.sessions.some(({ id }) => id === item.session_id)) return place;
  const there = unfiltered(focusOn(browse(place), 'sessions'), 'sessions', () =>
    shownSessions(model, place).some(({ id }) => id === item.session_id),
  );
  // The selected session is shown even if its group is folded.
  const sessionIndex = sessionRows(model, { ...there, sessionId: item.session_id }).findIndex(
    ({ id }) => id === item.session_id,
  );
  return { ...there, sessionId: item.session_id, sessionIndex };
}

/** Selects the item in the inbox and removes a filter that would hide it. The view does not change. */
export function selectItem(place: Place, itemId: string, model: Model): Place {
  const isIn = (at: Place): boolean => shownItems(model, at).some(({ item }) => item.id === itemId);
  const inbox = { ...focusOn(place, 'inbox'), view: place.view };
  const there = unfiltered(inbox, 'inbox', () => isIn(place));
  const itemIndex = shownItems(model, there).findIndex(({ item }) => item.id === itemId);
  return { ...there, itemId, itemIndex };
}

const unfiltered = (place: Place, list: ListName, isShown: () => boolean): Place =>
  isShown() ? place : { ...place, filters: { ...place.filters, [list]: '' } };

export function openItem(place: Place, itemId: string | null, at: number): Steered {
  return itemId === null ? stay(place) : go(place, { kind: 'item', itemId, since: at, scroll: 0 });
}

/** Opens the session's oldest open item. */
export function goToItem(place: Place, { model, at }: Surroundings): Steered {
  const [item] = place.sessionId === null ? [] : openItemsOf(model, place.sessionId);
  if (!item) return stay(notify(place, 'this session has no open item', at));
  return openItem(selectItem(place, item.id, model), item.id, at);
}

/** Selects the next open item after the selected one. In details, it opens that item's details. */
export function nextWaiting(place: Place, step: 1 | -1, { model, at }: Surroundings): Steered {
  const open = openItems(model);
  if (open.length === 0) return stay(notify(place, 'nothing waits for you', at));
  const { mode } = place;
  // From a workflow view the item is opened; leaving it returns to that view.
  const isIn = mode.kind === 'item' || place.view !== 'lists';
  const here = mode.kind === 'item' || (!isIn && place.focus === 'inbox') ? place.itemId : null;
  const order = model.items.map(({ item }) => item.id);
  const from = here === null ? -1 : order.indexOf(here);
  const after = step > 0 ? open : open.toReversed();
  const next = after.find(({ id }) => (order.indexOf(id) - from) * step > 0 && from >= 0) ?? after[0];
  if (!next) return stay(place);
  const there = selectItem(place, next.id, model);
  return isIn ? openItem(there, next.id, at) : stay({ ...there, isZoomed: false });
}

// ── asking for a line ───────────────────────────────────────────────────────────────────────────────────────────────

export const startFilter = (place: Place): Steered =>
  go(place, { kind: 'filtering', list: place.focus, line: lineOf(place.filters[place.focus]) });

export const startPalette = (place: Place): Steered =>
  go(place, { kind: 'palette', line: EMPTY_LINE, selected: 0, back: place.mode });

/** Starts the demo. Its key is refused while sessions run: a slip would start three agents among them. */
export function startDemo(place: Place, { model, at }: Surroundings): Steered {
  if (model.sessions.some(isAlive))
    return stay(notify(place, 'sessions run already; `orchd demo` starts the demo beside them', at));
  return { place: notify(place, 'starting the demo …', at), effect: { kind: 'demo' } };
}
