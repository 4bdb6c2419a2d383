/**
 * Why an input changes nothing. Inputs that do not apply to the session's state are refused before their rule in
 * decide.ts. The rules ignore what repeats something known, and give their reasons with `because` of the draft.
 */
import { isDeliveryPending } from '../answers/delivery-pending.js';
import type { Input, SessionAggregate, TrackedItem } from './aggregate.js';

type Refusal<K extends Input['kind']> = (
  aggregate: SessionAggregate,
  input: Extract<Input, { kind: K }>,
) => string | null;

const itemOf = ({ items }: SessionAggregate, itemId: string): TrackedItem['item'] | undefined =>
  items.find(({ item }) => item.id === itemId)?.item;
const notOpen = (aggregate: SessionAggregate, { itemId }: { readonly itemId: string }): string | null =>
  itemOf(aggregate, itemId)?.state === 'open' ? null : `item ${itemId} is not open`;
const afterEnd = ({ session }: SessionAggregate): string | null =>
  session.ended_at === null ? null : 'the session has ended';
const withoutWrite = ({ items }: SessionAggregate, { writeId }: { readonly writeId: string }): string | null =>
  items.some((entry) => entry.writeId === writeId) ? null : `no answer has the write ${writeId}`;

/** Says why an input does not apply; null if it does. An input without an entry always applies. */
const REFUSALS: { readonly [K in Input['kind']]?: Refusal<K> } = {
  answered: notOpen,
  taken_back: (aggregate, { itemId }) =>
    isDeliveryPending(itemOf(aggregate, itemId)?.answer ?? null)
      ? null
      : `no answer of item ${itemId} waits for its delivery`,
  question_opened: (aggregate, { itemId }) =>
    itemOf(aggregate, itemId) === undefined ? null : `item ${itemId} was opened before`,
  question_withdrawn: notOpen,
  watched: withoutWrite,
  had_waited: withoutWrite,
  unwatched: withoutWrite,
  taken: withoutWrite,
  settled: withoutWrite,
  unasked: ({ asks = [] }, { callId }) =>
    asks.some((ask) => ask.callId === callId) ? null : `no hook waits with call ${callId}`,
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

/** The reason of a rule that gave none. */
export const NOTHING_NEW = 'the session is in that state already';

/**
 * Returns why the rule of an input has changed nothing.
 *
 * @param reason  The reason that the rule gave; null if it gave none.
 */
export function whyUnchanged(input: Input, reason: string | null): string {
  const what = input.kind === 'finding' ? `the finding '${input.finding.kind}'` : `'${input.kind}'`;
  return `${what} changes nothing: ${reason ?? NOTHING_NEW}`;
}
