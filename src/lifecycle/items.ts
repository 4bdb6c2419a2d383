/** What happens to items and their answers, one step each; decide.ts and attention.ts say when. */
import type { Answer, Item, ItemType, NewEventOf } from '../protocol/index.js';
import type { BookItem, Input, StallReason } from './book.js';
import type { Draft } from './draft.js';
import { isUnderWay } from './passing.js';
import { timestamp } from './timestamp.js';

export type WithdrawReason = Extract<NewEventOf, { event_type: 'item_withdrawn' }>['reason'];

/** Of messages. */
export const OPENS_ITEM: ReadonlySet<string> = new Set<ItemType>(['QUESTION', 'BLOCKED', 'REQUEST_REVIEW']);

/** A task or a workflow asks it, and takes the answer. */
export const isPosed = ({ task_id, workflow_id }: Item): boolean => task_id !== undefined || workflow_id !== undefined;

/** A run's agent asked it, without a terminal and waiting for nothing: its answer goes into the run's next attempt. */
export const isOfRun = ({ run_id, awaited }: Item): boolean => run_id !== undefined && !awaited;

/** Its answer is taken from the item: nothing is typed, and it outlives the session in which it was asked. */
export const outlivesSession = (item: Item): boolean => isPosed(item) || isOfRun(item);

export const isOpenAttention = ({ item }: BookItem): boolean => item.type === 'attention' && item.state === 'open';

export function confirm(draft: Draft, entry: BookItem, evidence: string, time: number): void {
  const { item, writeId } = entry;
  if (writeId === null || item.answer?.delivery === 'acknowledged') return;
  draft.emit('answer_acknowledged', time, { item_id: item.id, write_id: writeId, evidence });
  draft.changeItems(
    (other) => other.item.id === item.id,
    (other) => deliver(other, 'acknowledged', { evidence }),
  );
}

export function answerFromTerminal(draft: Draft, entry: BookItem, time: number): void {
  const answer: Answer = { text: '', by: 'terminal', at: timestamp(time) };
  draft.emit('item_answered', time, { item_id: entry.item.id, answer });
  draft.changeItems(
    (other) => other.item.id === entry.item.id,
    (other) => ({ ...other, item: { ...other.item, state: 'answered', answer } }),
  );
}

export function withdraw(draft: Draft, entry: BookItem, reason: WithdrawReason, time: number): void {
  draft.emit('item_withdrawn', time, { item_id: entry.item.id, reason });
  draft.changeItems(
    (other) => other.item.id === entry.item.id,
    (other) => ({ ...other, item: { ...other.item, state: 'withdrawn' } }),
  );
}

/** Once: the item has its id from the task or the workflow. */
export function pose(draft: Draft, { itemId, by, question, options, time }: Extract<Input, { kind: 'posed' }>): void {
  const { session } = draft;
  const data = { question, ...(options.length > 0 && { options: [...options] }) };
  const item: Item = {
    ...{ id: itemId, session_id: session.id, session_name: session.name, type: 'QUESTION', data },
    ...{ state: 'open', opened_at: timestamp(time), answer: null, message_id: null, ...by },
    origin: { ear: 'tool', from: 0, to: 0 },
  };
  const about = { item_id: itemId, type: item.type, data: item.data, message_id: null, ...by };
  draft.emit('item_opened', time, about);
  draft.addItem(item);
}

/** The person is told of an item, once; one that needs no answer any more is let be. */
export function tell(draft: Draft, { itemId, title, text, time }: Extract<Input, { kind: 'notified' }>): void {
  const entry = draft.items.find(({ item }) => item.id === itemId);
  if (entry?.item.state !== 'open' || entry.item.notified_at !== undefined) return;
  draft.emit('item_notified', time, { item_id: itemId, title, text });
  draft.changeItems(
    (other) => other === entry,
    (other) => ({ ...other, item: { ...other.item, notified_at: timestamp(time) } }),
  );
}

/** The write that repeats the Enter of another, once. */
export const enterAgain = (writeId: string): string => `${writeId}.enter`;

/** Its answer is typed. */
export function unawaited(entry: BookItem): BookItem {
  const { awaited: _awaited, ...item } = entry.item;
  return { ...entry, item };
}

/** The caller has made sure that the item is open in this book. */
export function takeAnswer(
  draft: Draft,
  { itemId, answer, writeId, time }: Extract<Input, { kind: 'answered' }>,
): void {
  const entry = draft.items.find(({ item }) => item.id === itemId);
  const at = (answer.option ?? 0) - 1;
  const keys = entry?.keys?.[at] ?? undefined;
  const isDecided = entry?.decides?.[at] === true;
  const isPressed = entry?.decides !== undefined && !isDecided;
  const isWords = entry !== undefined && entry.item.type !== 'attention' && !outlivesSession(entry.item);
  // An attention for which nothing is typed or given is only put away; what a task, a run or a workflow asks, it takes
  // from the item.
  const isSent = keys !== undefined || isDecided || isWords;
  const accepted: Answer = isSent ? { ...answer, delivery: 'accepted' } : answer;
  draft.emit('item_answered', time, { item_id: itemId, answer: accepted });
  if (isSent) draft.emit('answer_accepted', time, { item_id: itemId, write_id: writeId });
  draft.changeItems(
    ({ item }) => item.id === itemId,
    (other) => {
      const kept = isPressed ? unawaited(other) : other;
      return { ...kept, writeId: isSent ? writeId : null, item: { ...kept.item, state: 'answered', answer: accepted } };
    },
  );
  if (isSent && (isPressed || !entry?.item.awaited)) draft.effects.push({ kind: 'write', itemId, writeId });
}

/** What is not written yet waits, or never will be. */
export function stall(draft: Draft, writeId: string, reason: StallReason, time: number, seen?: string): void {
  const entry = draft.items.find((other) => other.writeId === writeId);
  if (entry && mayStall(entry, reason)) fail(draft, entry.item.id, writeId, reason, time, seen);
}

export function fail(
  draft: Draft,
  itemId: string,
  writeId: string,
  reason: StallReason,
  time: number,
  seen?: string,
): void {
  const shown = seen === undefined ? {} : { seen };
  draft.emit('answer_stalled', time, { item_id: itemId, write_id: writeId, reason, ...shown });
  draft.changeItems(
    ({ item }) => item.id === itemId,
    (entry) => ({
      ...deliver(entry, 'stalled', { stalled_reason: reason, ...shown }),
      ...(reason === 'not_submitted' && { isWatched: true as const }),
    }),
  );
}

/**
 * The reason that holds an answer up may change. Once it is written, the one thing that can hold it up is that it was
 * not submitted.
 */
function mayStall({ item: { answer } }: BookItem, reason: StallReason): boolean {
  if (reason === 'not_submitted') return answer?.delivery === 'written';
  return isUnderWay(answer) && answer?.stalled_reason !== reason;
}

export function deliver(
  entry: BookItem,
  delivery: NonNullable<Answer['delivery']>,
  more: Partial<Answer> = {},
): BookItem {
  const { answer } = entry.item;
  if (!answer) return entry;
  const { stalled_reason: _reason, seen: _seen, ...rest } = answer;
  return {
    ...entry,
    item: { ...entry.item, answer: { ...rest, ...more, delivery } },
  };
}
