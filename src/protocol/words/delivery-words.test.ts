import { expect, test } from 'vitest';
import { stalledWords } from './delivery-words.js';

const clean = (text: string): string => `<${text}>`;

test('a stalled answer names what is seen, and where', () => {
  expect(stalledWords({ stalled_reason: 'not_reading' }, clean)).toBe('the program does not read its input yet');
  expect(stalledWords({ stalled_reason: 'text_changed', seen: 'Yes' }, clean)).toBe(
    'the agent got another text; its transcript has “<Yes>”',
  );
  expect(stalledWords({ stalled_reason: 'part_left', seen: 'sta' }, clean)).toMatch(/; the input line shows “<sta>”$/);
});

test('a reason of a newer daemon is shown as it is, made safe', () => {
  expect(stalledWords({ stalled_reason: 'tired' }, clean)).toBe('<tired>');
});
