/**
 * The actions on an item's details. Pure; actions.ts assigns the keys.
 *
 * An answer is sent only from an item's details, for the item shown there, and not within SEEING_MS after it appeared.
 * Keys typed ahead and pasted text therefore answer nothing. Text typed for an item that takes no answer causes a
 * notice, and its letters are not taken as keys.
 */
import { type Item, takesText } from '../../protocol/index.js';
import { EMPTY_LINE, lineOf } from '../input/line-editor.js';
import { closedWords, optionsOf } from '../model/items/item-words.js';
import { entryOfItem, type Model, openItems } from '../model/model.js';
import { SEEING_MS } from '../model/timing.js';
import { attach, openItem, selectItem } from './list-acts.js';
import {
  browse,
  type Effect,
  go,
  type KeyContext,
  type KeyResult,
  type Mode,
  notify,
  scrolled,
  stay,
  type UiState,
} from './ui-state.js';

/** Milliseconds for which keys are ignored after such a notice. A person who stops typing has seen it. */
export const MUTE_MS = 2_000;

export const itemIdOf = ({ mode, itemId }: UiState): string | null => ('itemId' in mode ? mode.itemId : itemId);

/** True if the item has been visible for less than SEEING_MS. */
const isUnseen = ({ mode }: UiState, at: number): boolean => mode.kind === 'item' && at - mode.since < SEEING_MS;

export function scrollItem(ui: UiState, direction: 1 | -1, context: KeyContext): KeyResult {
  const { mode } = ui;
  if (mode.kind !== 'item') return stay(ui);
  return go(ui, { ...mode, scroll: scrolled(mode.scroll, direction, context) });
}

/**
 * Continues from an item. An open one is answered, here or in the program's terminal. From a closed one, the next open
 * item is shown.
 */
export function goOn(ui: UiState, context: KeyContext): KeyResult {
  const { model, at } = context;
  const item = answerable(ui, itemIdOf(ui), model);
  if (!item) return nextItem(ui, context);
  if (isUnseen(ui, at)) return stay(ui);
  if (ui.mode.kind === 'item' && ui.mode.option !== undefined) return choose(ui, ui.mode.option, context);
  return takesText(item) ? startTyping(ui, context) : attach(ui, item.session_id, context);
}

/** Opens the next open item, first those of the same task, workflow or session; goes back if there is none. */
function nextItem(ui: UiState, { model, at }: KeyContext): KeyResult {
  const open = openItems(model);
  const now = entryOfItem(model, itemIdOf(ui))?.item;
  const isBeside = (other: Item): boolean =>
    now?.task_id !== undefined
      ? other.task_id === now.task_id
      : now?.workflow_id !== undefined
        ? other.workflow_id === now.workflow_id
        : other.session_id === now?.session_id;
  const item = open.find(isBeside) ?? open[0];
  return item ? openItem(selectItem(ui, item.id, model), item.id, at) : stay(browse(ui));
}

/**
 * Handles a digit. In the details it sends that option. In the list it only opens the item and selects the option,
 * because unseen items must not be answered.
 */
export function choose(ui: UiState, option: number, context: KeyContext): KeyResult {
  const { model, at } = context;
  const item = answerable(ui, itemIdOf(ui), model);
  if (!item) return stay(refuse(ui, itemIdOf(ui), model, at));
  const chosen = optionsOf(item)[option - 1];
  if (!chosen) return stay(notify(ui, offeredWords(item), at, true));
  if (ui.mode.kind !== 'item' || isUnseen(ui, at)) {
    const what = chosen.wantsText ? 'to go on with' : 'to send';
    const words = `press ${optionKey(option)} again or Enter ${what} “${chosen.label}”`;
    return go(notify(ui, words, at), { kind: 'item', itemId: item.id, since: at, scroll: 0, option });
  }
  const { visibleOptions, hiddenOptions = 0 } = context.view();
  if (option <= hiddenOptions || option > hiddenOptions + visibleOptions) {
    const words = `option ${option} is not in sight: ↓ goes to it`;
    return stay(notify(ui, words, at, true));
  }
  if (chosen.wantsText) return go(ui, { kind: 'typing', itemId: item.id, option, line: EMPTY_LINE });
  return send(ui, item.id, { option }, at);
}

/** Selects the next option of an open item, or the one before. Returns null if the item has no options to select. */
export function selectOption(ui: UiState, step: number, { model }: KeyContext): UiState | null {
  const { mode } = ui;
  const item = answerable(ui, itemIdOf(ui), model);
  if (mode.kind !== 'item' || !item) return null;
  const count = optionsOf(item).length;
  if (count === 0) return null;
  const from = mode.option ?? (step > 0 ? 0 : count + 1);
  return { ...ui, mode: { ...mode, option: Math.max(1, Math.min(count, from + step)) } };
}

/** Letters that choose the options after the ninth. */
export const OPTION_LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Returns the key that chooses an option; `·` if it has none. */
export const optionKey = (option: number): string =>
  option <= 9 ? String(option) : (OPTION_LETTERS[option - 10] ?? '·');

function offeredWords(item: Item): string {
  const { length } = optionsOf(item);
  const instead = takesText(item) ? 'a types an answer' : 'Enter attaches';
  return `this item has ${length === 0 ? `no options: ${instead}` : `options 1 to ${length}`}`;
}

/**
 * Starts an answer to the current item only, because the text that follows is meant for it. Starts it at once, also if
 * the item has just appeared: the letters of a fast typist would be commands, and only Enter sends the text.
 */
export function startTyping(ui: UiState, context: KeyContext): KeyResult {
  const { model, at } = context;
  const itemId = itemIdOf(ui);
  const item = answerable(ui, itemId, model);
  if (item && !takesText(item)) {
    const words = 'the program itself asks this: choose one of its options, or attach (Enter)';
    const there = openItem(selectItem(ui, item.id, model), item.id, at).ui;
    return stay({ ...notify(there, words, at, true), muted: { until: at + MUTE_MS, hasText: false } });
  }
  if (item) return go(ui, { kind: 'typing', itemId: item.id, option: null, line: lineOf(draftOf(ui, item.id)) });
  return stay({ ...refuse(ui, itemId, model, at), muted: { until: at + MUTE_MS, hasText: false } });
}

/** Opens the person's own editor for the answer, directly from the details. */
export function startEditor(ui: UiState, context: KeyContext): KeyResult {
  const { ui: there } = startTyping(ui, context);
  if (there.mode.kind !== 'typing') return stay(there);
  const { itemId, option } = there.mode;
  return { ui: there, effect: { kind: 'edit', itemId, option, text: draftOf(there, itemId) } };
}

export function startDeclining(ui: UiState, { model, at }: KeyContext): KeyResult {
  const item = answerable(ui, itemIdOf(ui), model);
  if (!item) return stay(refuse(ui, itemIdOf(ui), model, at));
  return isUnseen(ui, at) ? stay(ui) : go(ui, { kind: 'declining', itemId: item.id });
}

/** Takes the answer back. Only the daemon knows whether its typing has begun. */
export function takeBack(ui: UiState, { model, at }: KeyContext): KeyResult {
  const itemId = itemIdOf(ui);
  const entry = entryOfItem(model, itemId);
  if (!entry) return stay(ui);
  const { item, elsewhere } = entry;
  if (elsewhere) return stay(notify(ui, `only ${elsewhere.machine} itself can take an answer back`, at, true));
  if (item.answer === null) return stay(notify(ui, 'this item has no answer that could be taken back', at));
  return { ui, effect: { kind: 'take_back', itemId: item.id } };
}

const draftOf = ({ drafts }: UiState, itemId: string): string => drafts.get(itemId) ?? '';

export function keepDraft(ui: UiState, itemId: string, text: string): UiState {
  if (draftOf(ui, itemId) === text) return ui;
  const drafts = new Map(ui.drafts);
  if (text === '') drafts.delete(itemId);
  else drafts.set(itemId, text);
  return { ...ui, drafts };
}

function answerable({ sending }: UiState, itemId: string | null, model: Model): Item | null {
  const item = entryOfItem(model, itemId)?.item;
  return item?.state === 'open' && !sending.includes(item.id) ? item : null;
}

function refuse(ui: UiState, itemId: string | null, model: Model, at: number): UiState {
  const entry = entryOfItem(model, itemId);
  return notify(ui, entry ? closedWords(entry) : 'nothing waits for an answer', at, true);
}

/** Returns to the item's details; SEEING_MS starts again. */
export const backToItem = (ui: UiState, itemId: string, at: number): UiState => {
  const mode: Mode = { kind: 'item', itemId, since: at, scroll: 0 };
  return { ...ui, mode };
};

export function send(
  ui: UiState,
  itemId: string,
  request: Extract<Effect, { kind: 'answer' }>['request'],
  at: number,
): KeyResult {
  return {
    ui: { ...backToItem(ui, itemId, at), sending: [...ui.sending, itemId] },
    effect: { kind: 'answer', itemId, request },
  };
}
