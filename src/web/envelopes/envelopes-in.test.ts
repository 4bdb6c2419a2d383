import { expect, test } from 'vitest';
import type { Event } from '../../protocol/index.js';
import { envelopesIn } from './envelopes-in.js';

const DATA = { status: 'success', summary: 'done', deliverables: [], next_steps: [] };
// the fields that envelopesIn reads
const event = (fields: object): Event => ({ timestamp: '2026-01-01T00:00:00.000Z', ...fields }) as Event;
const said = (seq: number, session_id: string): Event =>
  event({ seq, event_type: 'message', session_id, message: { type: 'OUTPUT', data: DATA, human: '## Said' } });
const result = (seq: number, session_id: string, more: object = {}): Event =>
  event({
    seq,
    event_type: 'result',
    run_id: 'run_a',
    session_id,
    result_data: DATA,
    result_human: '## Result',
    ...more,
  });

test('returns the envelopes of sessions and runs, newest first', () => {
  const found = envelopesIn([said(1, 'ses_a'), result(2, 'ses_b')]);
  expect(found.map(({ seq, runId, human }) => [seq, runId, human])).toEqual([
    [2, 'run_a', '## Result'],
    [1, null, '## Said'],
  ]);
});

test('returns an envelope that is the result of a run once', () => {
  expect(envelopesIn([said(1, 'ses_a'), result(2, 'ses_a')]).map(({ seq }) => seq)).toEqual([2]);
});

test('ignores other messages and results', () => {
  const question = event({
    seq: 1,
    event_type: 'message',
    session_id: 'ses_a',
    message: { type: 'QUESTION', data: {} },
  });
  expect(envelopesIn([question, result(2, 'ses_a', { result_human: undefined, result_data: { a: 1 } })])).toEqual([]);
});
