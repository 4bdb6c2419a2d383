import { describe, expect, test } from 'vitest';
import {
  answered as answeredItem,
  asked,
  AT as at,
  busy as busyIn,
  EMPTY,
  finding,
  lost,
  play,
  turn,
  written,
} from '../../../test/harness/session-inputs.js';
import type { Input, Revival } from './aggregate.js';

const SESSION = EMPTY.session;
const origin = { ear: 'lines', from: 0, to: 9 } as const;
const question = asked();
const answered = answeredItem();
const turnStarted = turn(1);
const busy = busyIn(0);
const dialog = finding({
  kind: 'attention',
  source: 'dialog',
  text: 'Trust this folder?',
  choices: [],
  origin,
  ...at,
});
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
