import { expect, test } from 'vitest';
import { canBeResumed } from './revive.js';

test.each(['0c9f1d52-7a35-4f7a-9a3e-0a4b4f0d9a11', 'ses_7fQ2', '2026-11-24T12:00:00.123Z'])(
  'accepts %s as the id of a conversation to resume',
  (id) => expect(canBeResumed(id)).toBe(true),
);

test.each(['--dangerously-skip-permissions', '-c', '', 'a b', 'a\nb', '../x', 'x'.repeat(129)])(
  'refuses to resume a conversation with the id %j',
  (id) => expect(canBeResumed(id)).toBe(false),
);
