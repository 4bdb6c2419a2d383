/** What a program itself asks of the person (a dialog, a notification, a bell) as an inbox item: opened, chosen in, over. */
import type { AttentionFinding, AttentionOverFinding } from '../ears/index.js';
import type { Item } from '../protocol/index.js';
import type { BookItem } from './book.js';
import type { Draft } from './draft.js';
import { answerFromTerminal, confirm, fail, isOpenAttention, withdraw } from './items.js';
import { timestamp } from './timestamp.js';

export function takeAttention(draft: Draft, finding: AttentionFinding, itemId: string): void {
  const { session } = draft;
  const { source, text, choices, origin, time } = finding;
  const labels = choices.map(({ label }) => label);
  const isAnswerable = choices.some(({ keys }) => keys !== null);
  // What only a person can choose, in the terminal itself, is no option, but worth reading.
  const data = isAnswerable ? { text, source, options: labels } : { text: [text, ...labels].join('\n'), source };
  const item: Item = {
    id: itemId,
    session_id: session.id,
    session_name: session.name,
    type: 'attention',
    data,
    state: 'open',
    opened_at: timestamp(time),
    answer: null,
    message_id: null,
    origin,
  };
  if (draft.items.some((entry) => isOpenAttention(entry) && isSame(entry.item, item))) return;
  // Agents whose dialog can be seen tell of it by a hook as well, later or before.
  if (source === 'hook' && draft.standing.beneath !== undefined) return;
  if (source === 'dialog') for (const entry of openOf(draft, 'hook')) withdraw(draft, entry, 'gone', time);
  draft.emit('item_opened', time, { item_id: itemId, type: item.type, data, message_id: null });
  draft.addItem(
    item,
    choices.map(({ keys }) => keys),
  );
  if (stopsIt(item)) draft.judge({ kind: 'attention' }, time);
}

/** A dialog holds the program up; a bell or a notification may come from one that goes on. */
const stopsIt = ({ data }: Item): boolean => data['source'] === 'dialog' || data['source'] === 'hook';

export function endAttention(draft: Draft, { source, wasTyped, isAgain, time }: AttentionOverFinding): void {
  const isMeant = ({ item }: BookItem): boolean => item.type === 'attention' && item.data['source'] === source;
  if (isAgain) {
    askAgain(draft, draft.items.filter(isMeant), time);
    return;
  }
  for (const entry of openOf(draft, source)) {
    if (wasTyped) answerFromTerminal(draft, entry, time);
    else withdraw(draft, entry, 'gone', time);
  }
  const isHeldUp = draft.items.some((entry) => isOpenAttention(entry) && stopsIt(entry.item));
  if ((source === 'dialog' || source === 'hook') && !isHeldUp) draft.judge({ kind: 'attention_over' }, time);
  // The dialog went away after the keys that choose in it: that is what they were for.
  for (const entry of draft.items.filter(isMeant)) {
    if (entry.item.answer && entry.isWritten) confirm(draft, entry, 'the dialog is gone', time);
  }
}

const openOf = (draft: Draft, source: AttentionFinding['source']): BookItem[] =>
  draft.items.filter((entry) => isOpenAttention(entry) && entry.item.data['source'] === source);

/** An item that is still open goes on; one that was answered, in vain, is told to be, and another takes its place. */
function askAgain(draft: Draft, entries: readonly BookItem[], time: number): void {
  for (const { item, writeId, isWritten } of entries) {
    if (item.state === 'answered' && writeId !== null && isWritten) fail(draft, item.id, writeId, 'dialog_stays', time);
  }
}

const isSame = (one: Item, other: Item): boolean =>
  one.data['source'] === other.data['source'] && one.data['text'] === other.data['text'];
