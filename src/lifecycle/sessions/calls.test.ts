import { describe, expect, test } from 'vitest';
import { sessionOf } from '../../../test/harness/session.js';
import type { Finding } from '../../ears/index.js';
import type { Decision, Input, Revival, SessionAggregate } from './aggregate.js';
import { decide } from './decide.js';
import { STARTING } from './session-state.js';

const SESSION = sessionOf('claude');
const EMPTY: SessionAggregate = { session: SESSION, standing: STARTING, items: [] };
const at = { at: 10, time: Date.UTC(2026, 0, 1) };
const origin = { ear: 'tool', from: 0, to: 9 } as const;
const message = { type: 'QUESTION', data: { question: 'Which?' } } as const;

const finding = (value: Finding): Input => ({ kind: 'finding', finding: value, messageId: 'msg_1', itemId: 'itm_1' });
const question = finding({
  kind: 'message',
  message,
  ordinal: 1,
  source: 'tool',
  ear: 'tool',
  origin,
  turn: 0,
  line: 1,
  ...at,
});
const identity = { turn: 0, ordinal: 1, toldFrom: 0 };
const called = (waits: boolean): Input => finding({ kind: 'called', callId: 'c1', waits, message: identity, ...at });
const answered: Input = {
  kind: 'answered',
  itemId: 'itm_1',
  writeId: 'wri_1',
  time: at.time,
  answer: { text: 'JWT', by: 'cli', at: 'now' },
};
const given = (isTaken: boolean): Input => finding({ kind: 'given', callId: 'c1', isTaken, origin, ...at });
const typed: Input[] = [
  finding({ kind: 'turn', turn: 1, writeId: null, ...at }),
  finding({ kind: 'busy', turn: 1, hadWaited: true, ...at }),
];
const released: Input = { kind: 'released', itemId: 'itm_1' };
const callerLeft: Input = { kind: 'stalled', writeId: 'wri_1', reason: 'nobody_waits', time: at.time };
const lost: Input = { kind: 'lost', reason: 'the host died', time: at.time };
const revival: Revival = {
  how: 'conversation',
  command: ['claude'],
  pid: 2,
  size: { cols: 80, rows: 24 },
  from: 500,
  agentSessionId: 'abc',
  transcript: 'waiting',
};

function play(...inputs: Input[]) {
  let decision: Decision = { aggregate: EMPTY, events: [], effects: [], items: [] };
  const all: string[] = [];
  const effects: string[] = [];
  for (const input of inputs) {
    decision = decide(decision.aggregate, input);
    all.push(...decision.events.map((event) => event.event_type));
    effects.push(...decision.effects.map(({ kind }) => kind));
  }
  return { ...decision, all, effects };
}

describe('the item of a tool call', () => {
  test('gets the id of its call, and the call gets the id of the message', () => {
    const { effects, items } = decide(play(question).aggregate, called(false));
    expect(effects).toEqual([{ kind: 'called', callId: 'c1', outcome: { messageId: 'msg_1' } }]);
    expect(items).toMatchObject([{ id: 'itm_1', call_id: 'c1' }]);
    expect(items[0]).not.toHaveProperty('awaited');
  });

  test('has its answer typed unless the caller waits', () => {
    expect(play(question, called(false), answered).effects).toContain('write');
    expect(play(question, called(true), answered).effects).not.toContain('write');
  });

  test('has its answer written when it is given, and acknowledged when the caller takes it', () => {
    const { all, aggregate } = play(question, called(true), answered, given(false), given(true));
    expect(all.filter((type) => type.startsWith('answer_'))).toEqual([
      'answer_accepted',
      'answer_written',
      'answer_acknowledged',
    ]);
    expect(aggregate.items).toEqual([]);
    expect(aggregate.session.state).toBe('working');
  });

  test('reports an answer that is given to two callers once', () => {
    const { all } = play(question, called(true), answered, given(false), given(false), given(true), given(true));
    expect(all.filter((type) => type === 'answer_written' || type === 'answer_acknowledged')).toHaveLength(2);
  });

  test('is not answered by typing in the terminal while the caller waits', () => {
    expect(play(question, called(true), ...typed).all).not.toContain('item_answered');
    expect(play(question, called(true), released, ...typed).all).toContain('item_answered');
  });

  test('has its answer typed once the caller has left, unless it was given before', () => {
    expect(play(question, called(true), answered, callerLeft, released).effects).toContain('write');
    expect(play(question, called(true), released, answered).effects).toContain('write');
    expect(play(question, called(true), answered, given(false), released).effects).not.toContain('write');
  });

  test('has its answer typed to a revived agent that resumes the conversation', () => {
    const { aggregate } = play(question, called(true), lost, { kind: 'revived', revival, time: at.time });
    expect(aggregate.items[0]?.item).not.toHaveProperty('awaited');
    expect(decide(aggregate, answered).effects).toMatchObject([{ kind: 'write' }]);
  });
});
