/** The single steps in the life of items and their answers. decide.ts and attention.ts decide when each is taken. */
import { type Answer, defaultAnswerOf, type Item, type NewEventOf, takesText } from '../../protocol/index.js';
import { isDeliveryPending } from '../answers/delivery-pending.js';
import { timestamp } from '../timestamp.js';
import type { Input, StallReason, TrackedItem } from './aggregate.js';
import type { Draft } from './draft.js';

type WithdrawReason = Extract<NewEventOf, { event_type: 'item_withdrawn' }>['reason'];

/** True if a task or a workflow asks the question and takes the answer. */
export const isOfTaskOrWorkflow = ({ task_id, workflow_id }: Item): boolean =>
  task_id !== undefined || workflow_id !== undefined;

/**
 * True if a run's agent without a terminal asked it and does not wait: the answer becomes the prompt of the run's next
 * attempt.
 */
export const isOfRun = ({ run_id, awaited }: Item): boolean => run_id !== undefined && !awaited;

/**
 * True if a task, run or workflow reads the answer from the item. The answer is then not typed, and the item stays open
 * after its session has ended.
 */
export const outlivesSession = (item: Item): boolean => isOfTaskOrWorkflow(item) || isOfRun(item);

/**
 * Maximum number of open items of a session, and of their characters as JSON. Further messages are events, but open no
 * item: no person reads more of one program, each decision would go through all of them, and each list of the inbox
 * would hold them.
 */
export const MAX_OPEN_ITEMS = 500;
export const MAX_OPEN_CHARS = 256 * 1024;

/** Items are never changed in place, so each is measured once. */
const sizes = new WeakMap<Item, number>();

function sizeOf(item: Item): number {
  const known = sizes.get(item) ?? JSON.stringify(item).length;
  sizes.set(item, known);
  return known;
}

/** Cached results of `hasRoom`, by the session's list of items, which most messages do not change. */
const rooms = new WeakMap<readonly TrackedItem[], boolean>();

/** True if the session may open one more item. */
export function hasRoom(entries: readonly TrackedItem[]): boolean {
  const room = rooms.get(entries) ?? findRoom(entries);
  rooms.set(entries, room);
  return room;
}

function findRoom(entries: readonly TrackedItem[]): boolean {
  let open = 0;
  let chars = 0;
  for (const { item } of entries) {
    if (item.state !== 'open') continue;
    open++;
    chars += sizeOf(item);
  }
  return open < MAX_OPEN_ITEMS && chars < MAX_OPEN_CHARS;
}

export const isOpenAttention = ({ item }: TrackedItem): boolean => item.type === 'attention' && item.state === 'open';

export function confirm(draft: Draft, entry: TrackedItem, evidence: string, time: number): void {
  const { item, writeId } = entry;
  if (writeId === null) {
    draft.because(`the answer of item ${item.id} was not typed by orchd`);
    return;
  }
  if (item.answer?.delivery === 'acknowledged') {
    draft.because(`the answer of item ${item.id} is acknowledged already`);
    return;
  }
  draft.emit('answer_acknowledged', time, { item_id: item.id, write_id: writeId, evidence });
  draft.changeItems(
    (other) => other.item.id === item.id,
    (other) => deliver(other, 'acknowledged', { evidence }),
  );
}

export function answerFromTerminal(draft: Draft, entry: TrackedItem, time: number): void {
  const answer: Answer = { text: '', by: 'terminal', at: timestamp(time) };
  draft.emit('item_answered', time, { item_id: entry.item.id, answer });
  draft.changeItems(
    (other) => other.item.id === entry.item.id,
    (other) => ({ ...other, item: { ...other.item, state: 'answered', answer } }),
  );
}

export function withdraw(draft: Draft, entry: TrackedItem, reason: WithdrawReason, time: number): void {
  draft.emit('item_withdrawn', time, { item_id: entry.item.id, reason });
  draft.changeItems(
    (other) => other.item.id === entry.item.id,
    (other) => ({ ...other, item: { ...other.item, state: 'withdrawn' } }),
  );
}

interface OpenedItem extends Pick<Item, 'type' | 'data' | 'origin'> {
  readonly itemId: string;
  readonly time: number;
  /** The message that asks; absent for a question that is none. */
  readonly messageId?: string | null;
  /** Fields of the event that the item has as well, such as the task that asks. */
  readonly about?: Partial<Pick<Item, 'extra' | 'exact' | 'run_id' | 'task_id' | 'workflow_id'>>;
  /** The tool call that waits for the answer. */
  readonly callId?: string | undefined;
}

/** Opens an item. Idempotent, because the caller chooses the item's id. */
export function openItem(
  draft: Draft,
  { itemId, time, type, data, origin, messageId = null, about, callId }: OpenedItem,
  how?: Parameters<Draft['addItem']>[1],
): void {
  const { session } = draft;
  draft.emit('item_opened', time, { item_id: itemId, type, data, message_id: messageId, ...about });
  const item: Item = {
    id: itemId,
    session_id: session.id,
    session_name: session.name,
    type,
    data,
    state: 'open',
    opened_at: timestamp(time),
    answer: null,
    message_id: messageId,
    origin,
    ...about,
    ...(callId !== undefined && { call_id: callId, awaited: true as const }),
  };
  draft.addItem(item, how);
  armDeadline(draft, item);
}

/** Opens the item of a task or a workflow. */
export function openQuestion(
  draft: Draft,
  { itemId, by, question, options, time }: Extract<Input, { kind: 'question_opened' }>,
): void {
  const data = { question, ...(options.length > 0 && { options: [...options] }) };
  openItem(draft, { itemId, time, type: 'QUESTION', data, origin: { ear: 'tool', from: 0, to: 0 }, about: by });
}

/**
 * Records that the person was notified of an item. Does nothing if the person was already notified, or the item needs
 * no answer any more.
 */
export function tell(draft: Draft, { itemId, title, text, time }: Extract<Input, { kind: 'notified' }>): void {
  const entry = draft.entry(itemId);
  if (entry?.item.state !== 'open') {
    draft.because(`item ${itemId} is not open`);
    return;
  }
  if (entry.item.notified_at !== undefined) {
    draft.because(`the person was notified of item ${itemId} before`);
    return;
  }
  draft.emit('item_notified', time, { item_id: itemId, title, text });
  draft.changeItems(
    (other) => other === entry,
    (other) => ({ ...other, item: { ...other.item, notified_at: timestamp(time) } }),
  );
}

const ENTER = '.enter';

/** Returns the id of the write that repeats the Enter of another write, which happens once. */
export const enterAgain = (writeId: string): string => `${writeId}${ENTER}`;

/** True for the write of a repeated Enter. */
export const isEnterAgain = (writeId: string): boolean => writeId.endsWith(ENTER);

/** Returns the item with its answer to be typed. */
export function unawaited(entry: TrackedItem): TrackedItem {
  const { awaited: _awaited, ...item } = entry.item;
  return { ...entry, item };
}

/** Records an answer. The caller has checked that the item is open in this aggregate. */
export function takeAnswer(
  draft: Draft,
  { itemId, answer, writeId, time }: Extract<Input, { kind: 'answered' }>,
): void {
  const entry = draft.entry(itemId);
  if (!entry) return;
  const at = (answer.option ?? 0) - 1;
  const keys = entry.keys?.[at] ?? undefined;
  const isDecided = entry.decides?.[at] === true;
  const isPressed = entry.decides !== undefined && !isDecided;
  const isPutAway = entry.item.type === 'attention' && answer.declined === true;
  const isWords = takesText(entry.item) && !isPutAway && !outlivesSession(entry.item);
  // An attention item that is declined, or without keys or a hook, is only put away. A task, a run or a workflow reads
  // the answer from its item.
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

/** Opens an answered item again. The caller has checked that the typing of the answer has not begun. */
export function takeBack(draft: Draft, { itemId, by, time }: Extract<Input, { kind: 'taken_back' }>): void {
  const answered = draft.entry(itemId);
  if (!answered) return;
  const item = waitingAgain({ ...answered.item, state: 'open', answer: null }, time);
  draft.changeItems(
    (entry) => entry === answered,
    ({ isWatched: _isWatched, hadWaited: _hadWaited, ...entry }) => ({ ...entry, writeId: null, item }),
  );
  draft.emit('item_reopened', time, { item_id: itemId, reason: 'taken_back', by, item });
  armDeadline(draft, item);
}

/** Gives the person the question's whole time once more. */
function waitingAgain({ default_at: _before, ...item }: Item, time: number): Item {
  const at = defaultAnswerOf({ ...item, opened_at: timestamp(time) })?.at ?? null;
  return at === null ? item : { ...item, default_at: timestamp(at) };
}

/** Announces the session of the trash, and its open items, again. */
export function restore(draft: Draft, time: number): void {
  draft.emit('session_restored', time, { session: draft.session });
  for (const { item } of draft.items) {
    if (item.state !== 'open') continue;
    draft.emit('item_reopened', time, { item_id: item.id, reason: 'session_restored', item });
  }
}

/** Orders a timer that gives the default answer at the deadline of a question. */
function armDeadline({ effects }: Draft, item: Item): void {
  const answer = defaultAnswerOf(item);
  if (answer?.at != null) effects.push({ kind: 'deadline', itemId: item.id, text: answer.text, time: answer.at });
}

/** Records that an answer is stalled. */
export function stall(draft: Draft, writeId: string, reason: StallReason, time: number, seen?: string): void {
  const entry = draft.items.find((other) => other.writeId === writeId);
  if (!entry) {
    draft.because(`no answer has the write ${writeId}`);
    return;
  }
  if (!mayStall(entry, reason)) {
    draft.because(`the answer of item ${entry.item.id} cannot stall as '${reason}'`);
    return;
  }
  fail(draft, entry.item.id, writeId, reason, time, seen);
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
 * The reason of a stalled answer may change. After the answer is written, the only possible reasons are that it was not
 * submitted, and that it left the input line after that.
 */
function mayStall({ item: { answer } }: TrackedItem, reason: StallReason): boolean {
  const before = answer?.stalled_reason;
  if (reason === 'not_submitted') return answer?.delivery === 'written' || before === 'left_line';
  if (reason === 'left_line') return before === 'not_submitted';
  return isDeliveryPending(answer) && before !== reason;
}

export function deliver(
  entry: TrackedItem,
  delivery: NonNullable<Answer['delivery']>,
  more: Partial<Answer> = {},
): TrackedItem {
  const { answer } = entry.item;
  if (!answer) return entry;
  const { stalled_reason: _reason, seen: _seen, ...rest } = answer;
  return {
    ...entry,
    item: { ...entry.item, answer: { ...rest, ...more, delivery } },
  };
}
