/** Every state of a session with every kind of input that is not about an item (item-table.test.ts has the others). */
import { describe, expect, expectTypeOf, it, test } from 'vitest';
import { AT as at, busy, EMPTY, finding, type ITEM_INPUTS, lost, turn } from '../../../test/harness/session-inputs.js';
import type { Input, SessionAggregate } from './aggregate.js';
import { decide } from './decide.js';

const { time } = at;
const usage = { turns: 1, input_tokens: 5, output_tokens: 1, cached_input_tokens: 0, cost_usd: null };
const { size } = EMPTY.session;

const INPUTS = {
  output: busy(0, false),
  'the agent rests': finding({ kind: 'activity', activity: 'idle', source: 'transcript', ...at }),
  'a turn': turn(1, null),
  exited: finding({ kind: 'exited', exitCode: 3, signal: null, leftOpen: false, escaped: [], ...at }),
  used: { kind: 'used', usage, limit: null, time },
  question_opened: { kind: 'question_opened', itemId: 'itm_1', by: { task_id: 't' }, question: 'Q', options: [], time },
  concluded: { kind: 'concluded', time },
  ending: { kind: 'ending', by: 'cli', time },
  idle: { kind: 'idle', isIdle: true, time },
  renamed: { kind: 'renamed', name: 'other', time },
  tagged: { kind: 'tagged', tags: ['a'], time },
  restored: { kind: 'restored', time },
  'resized to another size': { kind: 'resized', cols: size.cols + 1, rows: size.rows },
  'resized to its size': { kind: 'resized', ...size },
  lost,
  revived: {
    kind: 'revived',
    revival: { how: 'program', command: ['sh'], pid: 2, size, agentSessionId: null, transcript: 'none', from: 10 },
    time,
  },
} as const satisfies Record<string, Input>;
type Name = keyof typeof INPUTS;

test('each kind of input is in this table or in that of items', () => {
  type Tried = (typeof INPUTS)[Name]['kind'] | (typeof ITEM_INPUTS)[keyof typeof ITEM_INPUTS]['kind'];
  expectTypeOf<Exclude<Input['kind'], Tried>>().toBeNever(); // otherwise the compiler names the missing kinds
});

const after = (...names: readonly Name[]): SessionAggregate =>
  names.reduce((aggregate, name) => decide(aggregate, INPUTS[name]).aggregate, EMPTY);
const STATES = {
  starting: EMPTY,
  working: after('output'),
  waiting: after('output', 'the agent rests'),
  'working while it is ended': after('output', 'ending'),
  failed: after('output', 'exited'),
  lost: after('output', 'lost'),
};
type Case = keyof typeof STATES;

type Refusals = Readonly<Partial<Record<Name, string>>>;
const [SAME, OVER] = ['the state of the session stays the same', 'the session has ended'];
/** The inputs that change nothing in a session with a program, and the reason that is given. */
const ALIVE: Refusals = {
  'resized to its size': "'resized' changes nothing: the session has this size already",
  revived: "'revived' does not apply: the session has not ended",
};
/** The same for a session without a program. */
const ENDED: Refusals = {
  output: `the finding 'busy' changes nothing: ${OVER}`,
  'the agent rests': `the finding 'activity' changes nothing: ${OVER}`,
  concluded: `'concluded' does not apply: ${OVER}`,
  ending: `'ending' does not apply: ${OVER}`,
  idle: `'idle' does not apply: ${OVER}`,
  'resized to its size': "'resized' changes nothing: the session has this size already",
  lost: `'lost' does not apply: ${OVER}`,
};
const BUSY = `the finding 'busy' changes nothing: ${SAME}`;
const REFUSED: Readonly<Record<Case, Refusals>> = {
  starting: ALIVE,
  working: { output: BUSY, ...ALIVE },
  waiting: { 'the agent rests': `the finding 'activity' changes nothing: ${SAME}`, ...ALIVE },
  'working while it is ended': { output: BUSY, ending: `'ending' changes nothing: ${SAME}`, ...ALIVE },
  failed: ENDED,
  lost: ENDED,
};

describe.each(Object.keys(STATES) as Case[])('a session that is %s', (state) => {
  it.each(Object.keys(INPUTS) as Name[])('changes on `%s`, or the decision says why it does not', (name) => {
    const before = STATES[state];
    const { aggregate, events, effects, items, ignored } = decide(before, INPUTS[name]);
    expect(ignored).toBe(REFUSED[state][name]);
    expect(aggregate === before).toBe(ignored !== undefined);
    if (ignored === undefined) return;
    expect([events, effects, items]).toEqual([[], [], []]);
  });
});
