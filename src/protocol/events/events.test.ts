import { expect, test } from 'vitest';
import type { Event } from '../index.js';
import { eventLine, eventWords } from './index.js';

const said = (message: object): Event =>
  ({ seq: 1, event_type: 'message', timestamp: '2026-01-01T00:00:00.000Z', session_id: 'ses_1', message }) as Event;

test('the line of a failed envelope says that it failed, why, and what it lists', () => {
  const data = {
    status: 'failed',
    summary: 'No tests',
    error: { type: 'DependencyError', message: 'no bcrypt' },
    deliverables: [{ path: 'a.ts' }],
    next_steps: ['install', 'retry'],
  };
  const event = said({ type: 'OUTPUT', data, human: 'text' });
  const words = 'No tests: no bcrypt (1 deliverable, 2 next steps)';
  expect(eventLine(event)).toBe(`OUTPUT failed: ${words}`);
  expect(eventWords(event)).toEqual({ text: `output (failed): ${words}`, style: 'red' });
});

test('the line of an error has its severity and says if it is recoverable', () => {
  const data = { message: 'Test file not found', severity: 'warning', file: 'a.test.ts', recoverable: true };
  expect(eventLine(said({ type: 'ERROR', data }))).toBe('ERROR warning: Test file not found (a.test.ts, recoverable)');
});

test('the line of a stalled answer says where the text was seen', () => {
  const stalled = (reason: string, seen: string): Event =>
    ({ ...said({}), event_type: 'answer_stalled', item_id: 'itm_1', reason, seen }) as unknown as Event;
  expect(eventLine(stalled('not_submitted', 'staging'))).toBe('itm_1: not_submitted, the input line shows “staging”');
  expect(eventLine(stalled('text_changed', 'Staging'))).toBe('itm_1: text_changed, its transcript has “Staging”');
});
