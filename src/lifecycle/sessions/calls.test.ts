import { describe, expect, test } from 'vitest';
import {
  answered as answeredItem,
  asked,
  AT as at,
  finding,
  lost,
  play as playInputs,
} from '../../../test/harness/session-inputs.js';
import type { Input, Revival } from './aggregate.js';
import { decide } from './decide.js';

const origin = { ear: 'tool', from: 0, to: 9 } as const;
const question = asked('tool');
const answered = answeredItem();
const identity = { turn: 0, ordinal: 1, toldFrom: 0 };
const called = (waits: boolean): Input => finding({ kind: 'called', callId: 'c1', waits, message: identity, ...at });
const given = (isTaken: boolean): Input => finding({ kind: 'given', callId: 'c1', isTaken, origin, ...at });
const typed: Input[] = [
  finding({ kind: 'turn', turn: 1, writeId: null, ...at }),
  finding({ kind: 'busy', turn: 1, hadWaited: true, ...at }),
];
const released: Input = { kind: 'released', itemId: 'itm_1' };
const callerLeft: Input = { kind: 'stalled', writeId: 'wri_1', reason: 'nobody_waits', time: at.time };
const revival: Revival = {
  how: 'conversation',
  command: ['claude'],
  pid: 2,
  size: { cols: 80, rows: 24 },
  from: 500,
  agentSessionId: 'abc',
  transcript: 'waiting',
};

/** Plays inputs. `effects` has the kinds of all effects. */
function play(...inputs: readonly Input[]) {
  const played = playInputs(...inputs);
  return { ...played, effects: played.allEffects.map(({ kind }) => kind) };
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
