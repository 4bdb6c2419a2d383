/** Every state of an item with every input of its session that may concern the item. */
import { describe, expect, it } from 'vitest';
import { asked as askedBy, EMPTY, ITEM_INPUTS as INPUTS, written } from '../../../test/harness/session-inputs.js';
import type { Decision, Input, SessionAggregate } from './aggregate.js';
import { decide } from './decide.js';
import { NOTHING_NEW } from './refusals.js';

const asked = askedBy();
type Kind = keyof typeof INPUTS;

const after = (...inputs: readonly Input[]): SessionAggregate =>
  inputs.reduce((aggregate, input) => decide(aggregate, input).aggregate, EMPTY);
/** `submitted`: the answer was written, and Enter has begun a turn. */
const STATES = {
  open: after(asked),
  accepted: after(asked, INPUTS.answered),
  written: after(asked, INPUTS.answered, written),
  submitted: after(asked, INPUTS.answered, written, INPUTS.turn),
  stalled: after(asked, INPUTS.answered, INPUTS.stalled),
  acknowledged: after(asked, INPUTS.answered, written, INPUTS.turn, INPUTS.busy),
};
type State = keyof typeof STATES;

/** The next state of the item. Without an entry, the input changes nothing, and no event is about the item. */
const BECOMES: Readonly<Record<State, Partial<Record<Kind, State | 'withdrawn' | 'closed'>>>> = {
  open: {
    answered: 'accepted',
    notified: 'open',
    busy: 'closed',
    question_withdrawn: 'withdrawn',
    exited: 'withdrawn',
  },
  accepted: { taken_back: 'open', written: 'written', stalled: 'stalled', taken: 'acknowledged', exited: 'stalled' },
  written: { taken: 'acknowledged' },
  submitted: { taken: 'acknowledged', busy: 'acknowledged' },
  stalled: { taken_back: 'open', written: 'written', taken: 'acknowledged', exited: 'stalled' },
  acknowledged: {},
};
/** Returns the state that the decision gives the item; null if it does not change the item. */
function stateOf({ items }: Decision): string | null {
  const item = items.at(-1);
  if (item === undefined) return null;
  if (item.state !== 'answered') return item.state;
  return item.answer?.delivery ?? 'closed'; // a person answered in the terminal
}

describe.each(Object.keys(STATES) as State[])('an item that is %s', (state) => {
  it.each(Object.keys(INPUTS) as Kind[])('changes on `%s` as the table says, with an event about it', (kind) => {
    const decision = decide(STATES[state], INPUTS[kind]);
    const next = BECOMES[state][kind];
    expect(stateOf(decision)).toBe(next ?? null);
    const about = decision.events.filter(({ event_type }) => /^(?:item|answer)_/.test(event_type));
    expect(about.length > 0).toBe(next !== undefined);
    // An input changes the aggregate, or the decision says why it changes nothing.
    expect(decision.aggregate === STATES[state]).toBe(decision.ignored !== undefined);
    expect(decision.ignored ?? '').not.toContain(NOTHING_NEW);
  });
});
