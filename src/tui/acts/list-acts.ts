/** The actions in the lists: moving, changing the list, attaching, zooming. Pure; actions.ts assigns the keys. */
import { EMPTY_LINE, lineOf } from '../input/line-editor.js';
import { entryOfItem, isAlive, type Model, openItems, openItemsOf } from '../model/model.js';
import { sessionRows } from './session-rows.js';
import { shownFeed, shownItems, shownSessions } from './shown.js';
import { browse, go, type KeyContext, type KeyResult, type ListName, notify, stay, type UiState } from './ui-state.js';

/** Moves the selection by `step` lines; it stops at both ends. */
export function move(ui: UiState, step: number, model: Model): UiState {
  const clamp = (index: number, count: number): number => Math.max(0, Math.min(count - 1, index + step));
  switch (ui.focus) {
    case 'inbox': {
      const items = shownItems(model, ui);
      const itemIndex = clamp(ui.itemIndex, items.length);
      return { ...ui, itemIndex, itemId: items[itemIndex]?.item.id ?? null };
    }
    case 'sessions': {
      const rows = sessionRows(model, ui);
      const sessionIndex = clamp(ui.sessionIndex, rows.length);
      return { ...ui, sessionIndex, sessionId: rows[sessionIndex]?.id ?? null };
    }
    case 'feed':
      return { ...ui, feedSeq: scrolledFeed(ui, step, model) };
  }
}

/** Returns the `seq` of the event at the bottom after scrolling; null at the newest. */
function scrolledFeed(ui: UiState, step: number, model: Model): number | null {
  const lines = shownFeed(model, ui);
  const last = lines.length - 1;
  const at = feedIndex(ui, model);
  const next = Math.max(0, Math.min(last, at + step));
  return next >= last ? null : (lines[next]?.event.seq ?? null);
}

/** Returns the index of the feed line shown at the bottom. */
export function feedIndex(ui: UiState, model: Pick<Model, 'feed' | 'sessions' | 'workflows'>): number {
  const lines = shownFeed(model, ui);
  if (ui.feedSeq === null) return lines.length - 1;
  const found = lines.findLastIndex(({ event }) => event.seq <= (ui.feedSeq ?? 0));
  return Math.max(0, found);
}

export function focusOn(before: UiState, focus: ListName): UiState {
  const ui: UiState = { ...before, view: 'lists', focus };
  return focus === 'feed' ? { ...ui, pane: 'feed' } : { ...ui, list: focus };
}

/**
 * Moves the focus to another list. The feed counts as a list while the pane shows it. An empty inbox is passed over,
 * because the keys for sessions have no meaning in it.
 */
export function focusNext(ui: UiState, step: 1 | -1, { model, at }: KeyContext): UiState {
  const isEmpty = shownItems(model, ui).length === 0 && ui.filters.inbox === '';
  const lists: readonly ListName[] = [
    ...(isEmpty && sessionRows(model, ui).length > 0 ? [] : (['inbox'] as const)),
    'sessions',
    ...(ui.pane === 'feed' ? (['feed'] as const) : []),
  ];
  const from = lists.indexOf(ui.focus);
  const next = lists[(from + step + lists.length) % lists.length] ?? 'inbox';
  return next === ui.focus ? notify(ui, 'the inbox is empty', at) : focusOn(ui, next);
}

export const switchPane = (ui: UiState): UiState =>
  ui.focus === 'feed'
    ? { ...ui, pane: 'screen', focus: ui.list, feedSeq: null }
    : ui.pane === 'feed' && !ui.isZoomed
      ? { ...ui, pane: 'screen', feedSeq: null }
      : focusOn(ui, 'feed');

/** Leaves the innermost state: marks, then a filter, then the zoom, then the feed. */
export function leave(ui: UiState): UiState {
  if (ui.focus === 'sessions' && ui.marked.size > 0) return { ...ui, marked: new Set() };
  if (ui.filters[ui.focus] !== '') return { ...ui, filters: { ...ui.filters, [ui.focus]: '' } };
  if (ui.isZoomed) return { ...ui, isZoomed: false };
  return ui.focus === 'feed' ? switchPane(ui) : ui;
}

export function attach(
  ui: UiState,
  sessionId: string | null,
  { model, at }: Pick<KeyContext, 'model' | 'at'>,
): KeyResult {
  const session = model.sessions.find(({ id }) => id === sessionId);
  const other = model.others.find((one) => one.session.id === sessionId);
  if (!session && !other) return stay(ui);
  if (model.connection.kind !== 'connected') return stay(notify(ui, 'the daemon is away', at, true));
  if (other) {
    const { machine, away } = other;
    if (away !== '') return stay(notify(ui, `${machine} is ${away}: its sessions cannot be shown`, at, true));
    return { ui, effect: { kind: 'attach', sessionId: other.session.id, machine } };
  }
  if (!session) return stay(ui);
  if (!isAlive(session)) {
    return { ui, effect: { kind: 'look_back', sessionId: session.id } };
  }
  return { ui, effect: { kind: 'attach', sessionId: session.id } };
}

export function goToSession(ui: UiState, itemId: string | null, model: Model): UiState {
  const item = entryOfItem(model, itemId)?.item;
  if (!item || !model.sessions.some(({ id }) => id === item.session_id)) return ui;
  const there = unfiltered(focusOn(browse(ui), 'sessions'), 'sessions', () =>
    shownSessions(model, ui).some(({ id }) => id === item.session_id),
  );
  // The selected session is shown even if its group is folded.
  const sessionIndex = sessionRows(model, { ...there, sessionId: item.session_id }).findIndex(
    ({ id }) => id === item.session_id,
  );
  return { ...there, sessionId: item.session_id, sessionIndex };
}

/** Selects the item in the inbox and removes a filter that would hide it. The view does not change. */
export function selectItem(ui: UiState, itemId: string, model: Model): UiState {
  const isIn = (at: UiState): boolean => shownItems(model, at).some(({ item }) => item.id === itemId);
  const inbox = { ...focusOn(ui, 'inbox'), view: ui.view };
  const there = unfiltered(inbox, 'inbox', () => isIn(ui));
  const itemIndex = shownItems(model, there).findIndex(({ item }) => item.id === itemId);
  return { ...there, itemId, itemIndex };
}

const unfiltered = (ui: UiState, list: ListName, isShown: () => boolean): UiState =>
  isShown() ? ui : { ...ui, filters: { ...ui.filters, [list]: '' } };

export function openItem(ui: UiState, itemId: string | null, at: number): KeyResult {
  return itemId === null ? stay(ui) : go(ui, { kind: 'item', itemId, since: at, scroll: 0 });
}

/** Opens the session's oldest open item. */
export function goToItem(ui: UiState, { model, at }: KeyContext): KeyResult {
  const [item] = ui.sessionId === null ? [] : openItemsOf(model, ui.sessionId);
  if (!item) return stay(notify(ui, 'this session has no open item', at));
  return openItem(selectItem(ui, item.id, model), item.id, at);
}

/** Selects the next open item after the selected one. In details, it opens that item's details. */
export function nextWaiting(ui: UiState, step: 1 | -1, { model, at }: KeyContext): KeyResult {
  const open = openItems(model);
  if (open.length === 0) return stay(notify(ui, 'nothing waits for you', at));
  const { mode } = ui;
  // From a workflow view the item is opened; leaving it returns to that view.
  const isIn = mode.kind === 'item' || ui.view !== 'lists';
  const here = mode.kind === 'item' || (!isIn && ui.focus === 'inbox') ? ui.itemId : null;
  const order = model.items.map(({ item }) => item.id);
  const from = here === null ? -1 : order.indexOf(here);
  const after = step > 0 ? open : open.toReversed();
  const next = after.find(({ id }) => (order.indexOf(id) - from) * step > 0 && from >= 0) ?? after[0];
  if (!next) return stay(ui);
  const there = selectItem(ui, next.id, model);
  return isIn ? openItem(there, next.id, at) : stay({ ...there, isZoomed: false });
}

// ── asking for a line ───────────────────────────────────────────────────────────────────────────────────────────────

export const startFilter = (ui: UiState): KeyResult =>
  go(ui, { kind: 'filtering', list: ui.focus, line: lineOf(ui.filters[ui.focus]) });

export const startPalette = (ui: UiState): KeyResult =>
  go(ui, { kind: 'palette', line: EMPTY_LINE, selected: 0, back: ui.mode });

/** Starts the demo. Its key is refused while sessions run: a slip would start three agents among them. */
export function startDemo(ui: UiState, { model, at }: KeyContext): KeyResult {
  if (model.sessions.some(isAlive))
    return stay(notify(ui, 'sessions run already; `orchd demo` starts the demo beside them', at));
  return { ui: notify(ui, 'starting the demo …', at), effect: { kind: 'demo' } };
}
