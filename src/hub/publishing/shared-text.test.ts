import { expect, test } from 'vitest';
import { sharedJson, sharedLine } from './shared-text.js';

const event = {
  seq: 7,
  event_type: 'message_rejected',
  timestamp: 't',
  session_id: 'ses_1',
  raw: 'secret',
  errors: [],
};
const line = { seq: 7, line: JSON.stringify(event) };

test('removes terminal text unless screens are shared', () => {
  expect(sharedLine(line, 'inbox', 1_000)).not.toContain('secret');
  expect(JSON.parse(sharedLine(line, 'inbox', 1_000))).toMatchObject({ seq: 7, errors: [] });
  expect(sharedLine(line, 'screens', 1_000)).toBe(line.line);
  expect(sharedJson({ hints: [{ hint: 'error', seen: 'secret' }] }, 'inbox')).toBe('{"hints":[{"hint":"error"}]}');
});

test('replaces an event that is too long by its head', () => {
  const long = { seq: 7, line: JSON.stringify({ ...event, event_type: 'message', message: 'x'.repeat(2_000) }) };
  const shared = JSON.parse(sharedLine(long, 'inbox', 1_000));
  expect(shared).toMatchObject({ seq: 7, event_type: 'message', session_id: 'ses_1' });
  expect(shared.oversized).toBeGreaterThan(2_000);
  expect(shared).not.toHaveProperty('message');
});
