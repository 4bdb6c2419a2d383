/**
 * The actions on an item's details. Pure; actions.ts assigns the keys.
 *
 * An answer is sent only from an item's details, for the item shown there, and not within SEEING_MS after it appeared.
 * Keys typed ahead and pasted text therefore answer nothing. Text typed for an item that takes no answer causes a
 * notice, and its letters are not taken as keys.
 */
import { type Item, takesText } from '../../../protocol/index.js';
import { EMPTY_LINE, lineOf } from '../../input/line-editor.js';
import { SEEING_MS } from '../../timing.js';
import { closedWords, optionsOf } from '../items/item-words.js';
import { type Model, openItems } from '../model.js';
import {
  browse,
  type Effect,
  go,
  type Mode,
  notify,
  type Place,
  type Steered,
  type Surroundings,
  stay,
} from '../place.js';
import { attach, openItem, selectItem } from './list-acts.js';

/** Milliseconds for which keys are ignored after such a notice. A person who stops typing has seen it. */
export const MUTE_MS = 2_000;
const SCROLL = 5;

export const itemIdOf = ({ mode, itemId }: Place): string | null => ('itemId' in mode ? mode.itemId : itemId);

/** True if the item has been visible for less than SEEING_MS. */
const isUnseen = ({ mode }: Place, at: number): boolean => mode.kind === 'item' && at - mode.since < SEEING_MS;

export function scrollItem(place: Place, direction: 1 | -1, { view }: Surroundings): Steered {
  const { mode } = place;
  if (mode.kind !== 'item') return stay(place);
  const scroll = Math.max(0, Math.min(view().maxScroll, mode.scroll + direction * SCROLL));
  return go(place, { ...mode, scroll });
}

/**
 * Continues from an item. An open one is answered, here or in the program's terminal. From a closed one, the next open
 * item is shown.
 */
export function goOn(place: Place, surroundings: Surroundings): Steered {
  const { model, at } = surroundings;
  const item = answerable(place, itemIdOf(place), model);
  if (!item) return nextItem(place, surroundings);
  if (isUnseen(place, at)) return stay(place);
  if (place.mode.kind === 'item' && place.mode.option !== undefined)
    return choose(place, place.mode.option, surroundings);
  return takesText(item) ? startTyping(place, surroundings) : attach(place, item.session_id, surroundings);
}

/** Opens the next open item, first those of the same task, workflow or session; goes back if there is none. */
function nextItem(place: Place, { model, at }: Surroundings): Steered {
  const open = openItems(model);
  const now = model.items.find((entry) => entry.item.id === itemIdOf(place))?.item;
  const isBeside = (other: Item): boolean =>
    now?.task_id !== undefined
      ? other.task_id === now.task_id
      : now?.workflow_id !== undefined
        ? other.workflow_id === now.workflow_id
        : other.session_id === now?.session_id;
  const item = open.find(isBeside) ?? open[0];
  return item ? openItem(selectItem(place, item.id, model), item.id, at) : stay(browse(place));
}

/**
 * Handles a digit. In the details it sends that option. In the list it only opens the item, because unseen items must
 * not be answered.
 */
export function choose(place: Place, option: number, surroundings: Surroundings): Steered {
  const { model, at } = surroundings;
  const item = answerable(place, itemIdOf(place), model);
  if (!item) return stay(refuse(place, itemIdOf(place), model, at));
  const chosen = optionsOf(item)[option - 1];
  if (!chosen) return stay(notify(place, offeredWords(item), at, true));
  if (place.mode.kind !== 'item' || isUnseen(place, at)) {
    const what = chosen.wantsText ? 'to go on with' : 'to send';
    const { place: there, effect } = openItem(place, item.id, at);
    return { place: notify(there, `press ${option} again ${what} “${chosen.label}”`, at), effect };
  }
  const { visibleOptions, hiddenOptions = 0 } = surroundings.view();
  if (option <= hiddenOptions || option > hiddenOptions + visibleOptions) {
    const words = `option ${option} is not in sight: ↓ goes to it`;
    return stay(notify(place, words, at, true));
  }
  if (chosen.wantsText) return go(place, { kind: 'typing', itemId: item.id, option, line: EMPTY_LINE });
  return send(place, item.id, { option }, at);
}

/** Selects the next option of an open item, or the one before. Returns null if the item has no options to select. */
export function selectOption(place: Place, step: number, { model }: Surroundings): Place | null {
  const { mode } = place;
  const item = answerable(place, itemIdOf(place), model);
  if (mode.kind !== 'item' || !item) return null;
  const count = optionsOf(item).length;
  if (count === 0) return null;
  const from = mode.option ?? (step > 0 ? 0 : count + 1);
  return { ...place, mode: { ...mode, option: Math.max(1, Math.min(count, from + step)) } };
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

/** Starts an answer to the current item only, because the text that follows is meant for it. */
export function startTyping(place: Place, surroundings: Surroundings): Steered {
  const { model, at } = surroundings;
  const itemId = itemIdOf(place);
  const item = answerable(place, itemId, model);
  if (item && isUnseen(place, at)) return stay(place);
  if (item && !takesText(item)) {
    const words = 'the program itself asks this: choose one of its options, or attach (Enter)';
    const there = openItem(selectItem(place, item.id, model), item.id, at).place;
    return stay({ ...notify(there, words, at, true), muted: { until: at + MUTE_MS, hasText: false } });
  }
  if (item) return go(place, { kind: 'typing', itemId: item.id, option: null, line: lineOf(draftOf(place, item.id)) });
  return stay({ ...refuse(place, itemId, model, at), muted: { until: at + MUTE_MS, hasText: false } });
}

/** Opens the person's own editor for the answer, directly from the details. */
export function startEditor(place: Place, surroundings: Surroundings): Steered {
  const { place: there } = startTyping(place, surroundings);
  if (there.mode.kind !== 'typing') return stay(there);
  const { itemId, option } = there.mode;
  return { place: there, effect: { kind: 'edit', itemId, option, text: draftOf(there, itemId) } };
}

export function startDeclining(place: Place, { model, at }: Surroundings): Steered {
  const item = answerable(place, itemIdOf(place), model);
  if (!item) return stay(refuse(place, itemIdOf(place), model, at));
  return isUnseen(place, at) ? stay(place) : go(place, { kind: 'declining', itemId: item.id });
}

/** Takes the answer back. Only the daemon knows whether its typing has begun. */
export function takeBack(place: Place, { model, at }: Surroundings): Steered {
  const itemId = itemIdOf(place);
  const entry = model.items.find(({ item }) => item.id === itemId);
  if (!entry) return stay(place);
  const { item, elsewhere } = entry;
  if (elsewhere) return stay(notify(place, `only ${elsewhere.machine} itself can take an answer back`, at, true));
  if (item.answer === null) return stay(notify(place, 'this item has no answer that could be taken back', at));
  return { place, effect: { kind: 'take_back', itemId: item.id } };
}

const draftOf = ({ drafts }: Place, itemId: string): string => drafts.get(itemId) ?? '';

export function keepDraft(place: Place, itemId: string, text: string): Place {
  if (draftOf(place, itemId) === text) return place;
  const drafts = new Map(place.drafts);
  if (text === '') drafts.delete(itemId);
  else drafts.set(itemId, text);
  return { ...place, drafts };
}

function answerable({ sending }: Place, itemId: string | null, { items }: Model): Item | null {
  const item = items.find((entry) => entry.item.id === itemId)?.item;
  return item?.state === 'open' && !sending.includes(item.id) ? item : null;
}

function refuse(place: Place, itemId: string | null, { items }: Model, at: number): Place {
  const entry = items.find(({ item }) => item.id === itemId);
  return notify(place, entry ? closedWords(entry) : 'nothing waits for an answer', at, true);
}

/** Returns to the item's details; SEEING_MS starts again. */
export const backToItem = (place: Place, itemId: string, at: number): Place => {
  const mode: Mode = { kind: 'item', itemId, since: at, scroll: 0 };
  return { ...place, mode };
};

export function send(
  place: Place,
  itemId: string,
  request: Extract<Effect, { kind: 'answer' }>['request'],
  at: number,
): Steered {
  return {
    place: { ...backToItem(place, itemId, at), sending: [...place.sending, itemId] },
    effect: { kind: 'answer', itemId, request },
  };
}
