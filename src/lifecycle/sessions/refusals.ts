/**
 * Why an input changes nothing. Inputs that do not apply to the session's state are refused before their rule in
 * decide.ts. The rules themselves ignore what repeats something known.
 */
import type { Input, SessionAggregate, TrackedItem } from './aggregate.js';
import { isDeliveryPending } from './delivery-pending.js';

type Refusal<K extends Input['kind']> = (
  aggregate: SessionAggregate,
  input: Extract<Input, { kind: K }>,
) => string | null;

const itemOf = ({ items }: SessionAggregate, itemId: string): TrackedItem['item'] | undefined =>
  items.find(({ item }) => item.id === itemId)?.item;
const afterEnd = ({ session }: SessionAggregate): string | null =>
  session.ended_at === null ? null : 'the session has ended';

/** Says why an input does not apply; null if it does. An input without an entry always applies. */
const REFUSALS: { readonly [K in Input['kind']]?: Refusal<K> } = {
  answered: (aggregate, { itemId }) =>
    itemOf(aggregate, itemId)?.state === 'open' ? null : `item ${itemId} is not open`,
  taken_back: (aggregate, { itemId }) =>
    isDeliveryPending(itemOf(aggregate, itemId)?.answer ?? null)
      ? null
      : `no answer of item ${itemId} waits for its delivery`,
  question_opened: (aggregate, { itemId }) =>
    itemOf(aggregate, itemId) === undefined ? null : `item ${itemId} was opened before`,
  concluded: afterEnd,
  ending: afterEnd,
  idle: afterEnd,
  lost: afterEnd,
  revived: ({ session }) => (session.ended_at === null ? 'the session has not ended' : null),
};

export function refusalOf(aggregate: SessionAggregate, input: Input): string | null {
  const refusal = REFUSALS[input.kind] as Refusal<Input['kind']> | undefined; // the kind selects the refusal
  const why = refusal?.(aggregate, input) ?? null;
  return why === null ? null : `'${input.kind}' does not apply: ${why}`;
}

/** Returns why the rule of an input has changed nothing. */
export function whyUnchanged(input: Input): string {
  if (input.kind === 'finding') return `the finding '${input.finding.kind}' says what is known, or comes too late`;
  if ('itemId' in input) return `'${input.kind}' does not apply to item ${input.itemId}`;
  if ('writeId' in input) return `'${input.kind}' does not apply to write ${input.writeId}`;
  if ('callId' in input) return `'${input.kind}' does not apply to call ${input.callId}`;
  return `'${input.kind}' says what is known`;
}
