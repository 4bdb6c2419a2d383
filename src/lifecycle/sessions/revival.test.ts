import { describe, expect, test } from 'vitest';
import { sessionOf } from '../../../test/harness/session.js';
import type { Finding } from '../../ears/index.js';
import type { Decision, Input, Revival, SessionAggregate } from './aggregate.js';
import { decide } from './decide.js';
import { STARTING } from './session-state.js';

const SESSION = sessionOf('claude');
const EMPTY: SessionAggregate = { session: SESSION, standing: STARTING, items: [] };
const at = { at: 10, time: Date.UTC(2026, 0, 1) };
const origin = { ear: 'lines', from: 0, to: 9 } as const;

const finding = (value: Finding): Input => ({ kind: 'finding', finding: value, messageId: 'msg_1', itemId: 'itm_1' });
const message = { type: 'QUESTION', data: { question: 'Which?' } } as const;
const question = finding({
  kind: 'message',
  message,
  ordinal: 1,
  source: 'fence',
  ear: 'lines',
  origin,
  turn: 0,
  line: 1,
  ...at,
});
const dialog = finding({
  kind: 'attention',
  source: 'dialog',
  text: 'Trust this folder?',
  choices: [],
  origin,
  ...at,
});
const answered: Input = {
  kind: 'answered',
  itemId: 'itm_1',
  writeId: 'wri_1',
  time: at.time,
  answer: { text: 'JWT', by: 'cli', at: 'now' },
};
const turnStarted = finding({ kind: 'turn', turn: 1, writeId: 'wri_1', ...at });
const written = finding({ kind: 'written', writeId: 'wri_1', from: 1, to: 2, ...at });
const busy = finding({ kind: 'busy', turn: 0, hadWaited: true, ...at });
const lost: Input = { kind: 'lost', reason: 'the host died', time: at.time };
const revived = (how: Revival['how']): Input => ({
  kind: 'revived',
  time: at.time + 1,
  revival: {
    how,
    command: ['claude', '--resume', 'abc'],
    pid: 2,
    size: { cols: 100, rows: 30 },
    from: 500,
    agentSessionId: 'abc',
    transcript: 'waiting',
  },
});

function play(...inputs: Input[]): Decision & { all: string[] } {
  let decision: Decision = { aggregate: EMPTY, events: [], effects: [], items: [] };
  const all: string[] = [];
  for (const input of inputs) {
    decision = decide(decision.aggregate, input);
    all.push(...decision.events.map((event) => event.event_type));
  }
  return { ...decision, all };
}

describe('an open item', () => {
  test('of a task stays open, whatever happens to the session of its planner', () => {
    const opened: Input = {
      kind: 'question_opened',
      itemId: 'itm_1',
      by: { task_id: 'tsk_1' },
      question: 'Which?',
      options: [],
      time: at.time,
    };
    const exited = finding({ kind: 'exited', exitCode: 0, signal: null, leftOpen: false, escaped: [], ...at });
    const typed = [
      finding({ kind: 'turn', turn: 1, writeId: null, ...at }),
      finding({ kind: 'busy', turn: 1, hadWaited: true, ...at }),
    ];
    for (const ending of [typed, [exited], [lost], [lost, revived('conversation')], [exited, revived('program')]]) {
      const { aggregate, all } = play(opened, ...ending);
      expect(aggregate.items).toMatchObject([{ item: { state: 'open', task_id: 'tsk_1' } }]);
      expect(all).not.toContain('item_withdrawn');
    }
  });

  test('stays open when the host dies and when the conversation is resumed', () => {
    expect(play(question, lost).aggregate.session).toMatchObject({ state: 'lost', open_items: 1 });
    const { aggregate, all } = play(question, lost, revived('conversation'), busy);
    expect(aggregate.items).toMatchObject([{ item: { state: 'open' } }]);
    expect(all).not.toContain('item_withdrawn');
  });

  test.each(['program', 'fresh'] as const)('is withdrawn if the program starts anew (%s)', (how) => {
    const { items, aggregate, events } = play(question, lost, revived(how));
    expect(items).toMatchObject([{ state: 'withdrawn' }]);
    expect(aggregate.items).toEqual([]);
    expect(events).toContainEqual(expect.objectContaining({ reason: 'session_restarted' }));
  });

  test('of a dialog is withdrawn when the host dies', () => {
    expect(play(dialog, lost).items).toMatchObject([{ state: 'withdrawn' }]);
  });
});

describe('an answer', () => {
  test('of which nothing was typed is kept for the revived agent', () => {
    expect(play(question, answered, lost).items).toMatchObject([
      { answer: { delivery: 'stalled', stalled_reason: 'session_lost' } },
    ]);
    const { aggregate } = play(question, answered, lost, revived('conversation'));
    expect(aggregate.items).toMatchObject([{ writeId: 'wri_1', item: { state: 'answered' } }]);
    expect(play(question, answered, lost, revived('conversation'), turnStarted, written).items).toMatchObject([
      { answer: { delivery: 'written' } },
    ]);
  });

  test('that was typed in part or whole is never typed into another program', () => {
    expect(play(question, answered, turnStarted, lost).items).toMatchObject([
      { answer: { stalled_reason: 'session_ended' } },
    ]);
    expect(play(question, answered, turnStarted, lost, revived('conversation')).aggregate.items).toEqual([]);
    expect(play(question, answered, turnStarted, written, lost, revived('conversation')).aggregate.items).toEqual([]);
  });

  test('is not kept for a program that starts anew', () => {
    const { aggregate, events } = play(question, answered, lost, revived('program'));
    expect(aggregate.items).toEqual([]);
    expect(events).toContainEqual(expect.objectContaining({ event_type: 'answer_stalled', reason: 'session_ended' }));
  });
});

test('reviving keeps the session and its id, in state starting, with another process', () => {
  const ended = finding({ kind: 'exited', exitCode: 1, signal: null, leftOpen: false, escaped: [], ...at });
  const { aggregate, all } = play(ended, revived('conversation'));
  expect(aggregate.session).toMatchObject({
    id: 'ses_1',
    name: 'one',
    command: ['claude'],
    created_at: SESSION.created_at,
    size: { cols: 100, rows: 30 },
    pid: 2,
    state: 'starting',
    ended_at: null,
    exit_code: null,
    agent_session_id: 'abc',
    transcript: 'waiting',
  });
  expect(all.slice(-2)).toEqual(['session_revived', 'session_state_changed']);
});
