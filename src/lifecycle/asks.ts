/**
 * What a hook of the agent waits for, and the dialog by which the agent asks the same: one item, whichever comes first.
 *
 *     no dialog                                   the item is the hook's: its text, its choices
 *     a dialog that shows what the hook asks      the item is the dialog's, with what the hook can do beyond: words
 *     a dialog of which no choice can be read     the item has the hook's text and choices, and goes with the dialog
 *     a dialog about something else               stands alone, and the hook waits behind it: who sees one thing never
 *                                                 decides another
 *
 * What the hook can decide it decides; any other choice is pressed in the dialog. When the hook is gone, all are.
 */
import type { AttentionFinding } from '../ears/index.js';
import type { Item } from '../protocol/index.js';
import { withoutBlanks } from './answer-text.js';
import type { BookAsk, BookItem } from './book.js';
import type { Draft } from './draft.js';
import { fail } from './items.js';
import { isUnderWay } from './passing.js';

type Choices = AttentionFinding['choices'];
/** What an item says and offers, and how each of it is chosen. */
export type Offer = Pick<BookItem, 'keys' | 'decides' | 'labels'> & { readonly data: Item['data'] };

/**
 * @param ask     Which waits for it as well; null for none.
 * @param before  What was offered until now. It keeps its numbers: who has seen them chooses by them.
 */
export function offerOf(
  { source, text, choices }: Attention,
  ask: BookAsk | null,
  before: readonly string[] = [],
): Offer {
  const labels = choices.map(({ label }) => label);
  const isReadable = canChoose(choices);
  if (!ask) {
    // What only a person can choose, in the terminal itself, is no option, but worth reading.
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

/** Whether a dialog asks what the hook does. */
export const isShown = ({ shows }: Pick<BookAsk, 'shows'>, text: string): boolean =>
  shows !== null && withoutBlanks(shows) !== '' && withoutBlanks(text).includes(withoutBlanks(shows));

/** The item says and offers something else from now on. */
export function change(draft: Draft, { item }: BookItem, { data, ...how }: Offer, ask: BookAsk, time: number): void {
  draft.changeItems(
    (other) => other.item.id === item.id,
    (other) => ({ ...other, ...how, item: { ...other.item, data, call_id: ask.callId, awaited: true } }),
  );
  draft.emit('item_changed', time, { item_id: item.id, data });
  place(draft, ask, item.id);
}

/** @param itemId  Where it is asked from now on; null: nowhere yet. */
export function place(draft: Draft, ask: BookAsk, itemId: string | null): void {
  draft.asks = [...draft.asks.filter(({ callId }) => callId !== ask.callId), { ...ask, itemId }];
}

/** The agent's turn is over: what it had asked and nobody was shown, it asks no more. */
export function dropAsks(draft: Draft): void {
  draft.asks = draft.asks.filter(({ itemId }) => itemId !== null);
}

/** The hook is gone: what its item offers can be pressed, or only be chosen in the terminal. */
export function unask(draft: Draft, callId: string, time: number): void {
  const ask = draft.asks.find((one) => one.callId === callId);
  draft.asks = draft.asks.filter((one) => one !== ask);
  const entry = draft.items.find(({ item }) => item.id === ask?.itemId && item.awaited);
  if (!entry || entry.isWritten) return;
  const { item, keys = [], writeId } = entry;
  const { options: _none, ...plain } = item.data;
  const data = keys.some((key) => key !== null) ? item.data : plain;
  draft.changeItems(
    (other) => other === entry,
    () => unasked({ ...entry, item: { ...item, data } }),
  );
  if (item.state === 'open' && data !== item.data) draft.emit('item_changed', time, { item_id: item.id, data });
  if (writeId === null || !isUnderWay(item.answer)) return;
  const key = keys[(item.answer?.option ?? 0) - 1] ?? null;
  if (key === null) fail(draft, item.id, writeId, 'dialog_gone', time);
  else draft.effects.push({ kind: 'write', itemId: item.id, writeId });
}

/** Its answer is pressed. */
export function unasked({ decides: _decides, ...entry }: BookItem): BookItem {
  const { awaited: _awaited, call_id: _call, ...item } = entry.item;
  return { ...entry, item };
}
