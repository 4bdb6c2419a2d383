/**
 * Answers to tool calls that open an item. While the caller waits, the answer is the call's result. Otherwise orchd
 * types the answer into the terminal.
 *
 *     called    The call has opened the item of its message. With `waits`, the caller waits for the answer.
 *     given     The answer was sent to the caller (delivery `written`), or the caller has confirmed it (delivery
 *               `acknowledged`). A confirmed message no longer determines the session's state.
 *     released  No caller waits any more, so the answer is typed.
 */
import type { CalledFinding, GivenFinding } from '../../ears/index.js';
import { isDeliveryPending } from '../answers/delivery-pending.js';
import type { Input, TrackedItem } from './aggregate.js';
import type { Draft } from './draft.js';
import { confirm, deliver, unawaited } from './items.js';

export function takeCall(draft: Draft, { callId, waits, message }: CalledFinding, messageId: string): void {
  const isMine = ({ item }: TrackedItem): boolean => item.message_id === messageId;
  if (typeof message === 'string') {
    draft.effects.push({ kind: 'called', callId, outcome: message });
    return;
  }
  draft.changeItems(isMine, (entry) => {
    const isAwaited = waits && entry.item.state === 'open';
    return { ...entry, item: { ...entry.item, call_id: callId, ...(isAwaited && { awaited: true as const }) } };
  });
  draft.effects.push({ kind: 'called', callId, outcome: { messageId } });
}

export function takeGiven(draft: Draft, { callId, isTaken, origin, time }: GivenFinding): void {
  const entry = draft.items.find(({ item }) => item.call_id === callId && item.awaited);
  if (!entry || entry.writeId === null) {
    draft.because(`no item with an answer waits for call ${callId}`);
    return;
  }
  const { item, writeId } = entry;
  if (!entry.isWritten) {
    draft.emit('answer_written', time, { item_id: item.id, write_id: writeId, origin });
    draft.changeItems(
      (other) => other === entry,
      () => ({ ...deliver(entry, 'written'), isWritten: true }),
    );
  }
  if (!isTaken) return;
  const isHook = entry.decides !== undefined;
  confirm(draft, entry, isHook ? 'the agent’s hook has it' : 'the caller of the tool has it', time);
  if (isHook) return; // the agent's output shows when it goes on
  const isAnythingOpen = draft.items.some((other) => other.item.state === 'open' && other.item.type !== 'attention');
  if (!isAnythingOpen) draft.observe({ kind: 'given' }, time);
}

export function release(draft: Draft, { itemId, typed }: Extract<Input, { kind: 'released' }>): void {
  const entry = draft.entry(itemId);
  if (!entry?.item.awaited) {
    draft.because(`no caller waits for the answer of item ${itemId}`);
    return;
  }
  if (entry.isWritten) {
    draft.because(`the answer of item ${itemId} was given to its caller`);
    return;
  }
  draft.changeItems(
    (other) => other === entry,
    () => {
      const { item, ...kept } = unawaited(entry);
      const answer = item.answer && typed !== undefined ? { ...item.answer, typed } : item.answer;
      return { ...kept, item: { ...item, answer } };
    },
  );
  const { answer } = entry.item;
  if (entry.writeId !== null && isDeliveryPending(answer))
    draft.effects.push({ kind: 'write', itemId, writeId: entry.writeId });
}
