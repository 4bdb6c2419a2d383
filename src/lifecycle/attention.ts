/** What a program itself asks of the person (a dialog, a notification, a bell) as an inbox item: opened, chosen in, over. */
import type { AttentionFinding, AttentionOverFinding } from '../ears/index.js';
import type { Item } from '../protocol/index.js';
import type { BookItem } from './book.js';
import type { Draft } from './draft.js';
import { answerFromTerminal, confirm, isOpenAttention, withdraw } from './items.js';
import { timestamp } from './timestamp.js';

export function takeAttention(draft: Draft, finding: AttentionFinding, itemId: string): void {
  const { session } = draft;
  const { source, text, choices, origin, time } = finding;
  // Its hook and its screen ask the same; only on the screen there is something to choose.
  if (source === 'hook' && draft.items.some((entry) => isOpenAttention(entry) && isFrom(entry, 'dialog'))) return;
  if (source === 'dialog') {
    const said = draft.items.filter((entry) => isOpenAttention(entry) && isFrom(entry, 'hook'));
    for (const entry of said) withdraw(draft, entry, 'gone', time);
  }
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
  draft.emit('item_opened', time, { item_id: itemId, type: item.type, data, message_id: null });
  draft.addItem(
    item,
    choices.map(({ keys }) => keys),
  );
  if (stopsIt(item)) draft.judge({ kind: 'attention' }, time);
}

const isFrom = ({ item }: BookItem, source: AttentionFinding['source']): boolean => item.data['source'] === source;

/** A dialog holds the program up; a bell or a notification may come from one that goes on. */
const stopsIt = ({ data }: Item): boolean => data['source'] === 'dialog' || data['source'] === 'hook';

export function endAttention(draft: Draft, { source, wasTyped, time }: AttentionOverFinding): void {
  const isMeant = (entry: BookItem): boolean => entry.item.type === 'attention' && isFrom(entry, source);
  for (const entry of draft.items.filter((entry) => isMeant(entry) && entry.item.state === 'open')) {
    if (wasTyped) answerFromTerminal(draft, entry, time);
    else withdraw(draft, entry, 'gone', time);
  }
  if (!draft.items.some(isOpenAttention)) draft.judge({ kind: 'attention_over' }, time);
  // The dialog went away after the keys that choose in it: that is what they were for.
  for (const entry of draft.items.filter(isMeant)) {
    if (entry.item.answer && entry.isWritten) confirm(draft, entry, 'the dialog is gone', time);
  }
}
