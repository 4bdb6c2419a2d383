/**
 * Joins an agent's hook and the dialog that asks the same question into one item, whichever of them comes first.
 *
 *     no dialog                                   the item has the hook's text and choices
 *     a dialog that shows the hook's question     the item has the dialog's text and choices, and those of the hook's
 *                                                 answers that take text
 *     a dialog with unreadable choices            the item has the hook's text and choices, and closes with the dialog
 *     a dialog about something else               the item is the dialog's alone, and the hook waits until it closes.
 *                                                 A person must never decide one thing while seeing another.
 *
 * Choices that the hook offers are answered through the hook; every other choice is pressed in the dialog. When the
 * hook is gone, all choices are pressed.
 */
import type { AttentionFinding } from '../../ears/index.js';
import type { Item } from '../../protocol/index.js';
import { withoutTypedBlanks } from '../answers/answer-text.js';
import { isDeliveryPending } from '../answers/delivery-pending.js';
import type { TrackedAsk, TrackedItem } from './aggregate.js';
import type { Draft } from './draft.js';
import { fail } from './items.js';

type Choices = AttentionFinding['choices'];
/** The text and the options of an item, and how each option is chosen. */
export type Offer = Pick<TrackedItem, 'keys' | 'decides' | 'labels'> & { readonly data: Item['data'] };

/**
 * @param ask The hook that waits for the same question; null for none.
 * @param before The options offered so far. They keep their numbers, because a person may already have seen them.
 */
export function offerOf(
  { source, text, choices }: Attention,
  ask: TrackedAsk | null,
  before: readonly string[] = [],
): Offer {
  const labels = choices.map(({ label }) => label);
  const isReadable = canChoose(choices);
  if (!ask) {
    // A choice that can only be made in the terminal is not an option, but its text is shown.
    const data = isReadable ? { text, source, options: labels } : { text: linesOf(text, labels), source };
    return { data, keys: choices.map(({ keys }) => keys) };
  }
  const words = ask.choices.filter((label) => label.endsWith(' '));
  const options = [...new Set([...before, ...(isReadable ? [...labels, ...words] : ask.choices)])];
  const keys = options.map((label) => choices.find((one) => one.label === label)?.keys ?? null);
  const decides = options.map((label) => ask.choices.includes(label));
  return {
    data: { text: isReadable ? text : ask.text, source, options },
    keys,
    decides,
    ...(isReadable && { labels }),
  };
}

type Attention = Pick<AttentionFinding, 'source' | 'text' | 'choices'>;
const linesOf = (text: string, labels: readonly string[]): string => [text, ...labels].join('\n');
export const canChoose = (choices: Choices): boolean => choices.some(({ keys }) => keys !== null);

/** True if the dialog with this text asks the hook's question. */
export const isShown = ({ shows }: Pick<TrackedAsk, 'shows'>, text: string): boolean =>
  shows !== null && withoutTypedBlanks(shows) !== '' && withoutTypedBlanks(text).includes(withoutTypedBlanks(shows));

/** Changes the text and the options of an item. */
export function change(
  draft: Draft,
  { item }: TrackedItem,
  { data, ...how }: Offer,
  ask: TrackedAsk,
  time: number,
): void {
  draft.changeItems(
    (other) => other.item.id === item.id,
    (other) => ({ ...other, ...how, item: { ...other.item, data, call_id: ask.callId, awaited: true } }),
  );
  draft.emit('item_changed', time, { item_id: item.id, data });
  place(draft, ask, item.id);
}

/** @param itemId  The item that represents the hook's question from now on; null if there is none yet. */
export function place(draft: Draft, ask: TrackedAsk, itemId: string | null): void {
  draft.asks = [...draft.asks.filter(({ callId }) => callId !== ask.callId), { ...ask, itemId }];
}

/** Removes the questions that were never shown as an item: the agent's turn has ended. */
export function dropAsks(draft: Draft): void {
  if (draft.asks.some(({ itemId }) => itemId === null)) draft.asks = draft.asks.filter(({ itemId }) => itemId !== null);
}

/** Handles the end of a hook: its item's choices can now only be pressed, or made in the terminal. */
export function unask(draft: Draft, callId: string, time: number): void {
  const ask = draft.asks.find((one) => one.callId === callId);
  if (!ask) return;
  draft.asks = draft.asks.filter((one) => one !== ask);
  const entry = draft.items.find(({ item }) => item.id === ask.itemId && item.awaited);
  if (!entry || entry.isWritten) return;
  const { item, keys = [], writeId } = entry;
  const { options: _none, ...plain } = item.data;
  const data = keys.some((key) => key !== null) ? item.data : plain;
  draft.changeItems(
    (other) => other === entry,
    () => unasked({ ...entry, item: { ...item, data } }),
  );
  if (item.state === 'open' && data !== item.data) draft.emit('item_changed', time, { item_id: item.id, data });
  if (writeId === null || !isDeliveryPending(item.answer)) return;
  const key = keys[(item.answer?.option ?? 0) - 1] ?? null;
  if (key === null) fail(draft, item.id, writeId, 'dialog_gone', time);
  else draft.effects.push({ kind: 'write', itemId: item.id, writeId });
}

/** Returns the item with its answer to be pressed instead of given to the hook. */
function unasked({ decides: _decides, ...entry }: TrackedItem): TrackedItem {
  const { awaited: _awaited, call_id: _call, ...item } = entry.item;
  return { ...entry, item };
}
