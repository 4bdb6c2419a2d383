import { expect, test } from 'vitest';
import { answerText, typeable } from './answer-text.js';

const question = { type: 'QUESTION', data: { question: 'Which?', options: ['JWT', 'OAuth2'] } } as const;
const review = { type: 'REQUEST_REVIEW', data: { description: 'x' } } as const;

test('options count from 1, and their text is what is sent', () => {
  expect(answerText(question, { option: 2 })).toEqual({ text: 'OAuth2', option: 2 });
});

test.each([0, 3])('option %i is refused, with what there is', (option) => {
  expect(() => answerText(question, { option })).toThrow('it offers 1 to 2');
});

test('a review is approved, or changes are requested in words', () => {
  expect(answerText(review, { option: 1 }).text).toBe('approve');
  expect(answerText(review, { option: 2, text: 'rename it' }).text).toBe('request changes: rename it');
  expect(() => answerText(review, { option: 2 })).toThrow('wants text');
});

test('declining sends `declined`', () => {
  expect(answerText(question, { decline: true })).toEqual({ text: 'declined', declined: true });
});

test.each([{}, { text: 'a', decline: true as const }, { option: 1, decline: true as const }])(
  'exactly one of the three: %o is refused',
  (request) => {
    expect(() => answerText(question, request)).toThrow('exactly one');
  },
);

test('what could act on a terminal is not typed', () => {
  expect(typeable('a\x1b[201~b\x03c\x7fd\u009be\r\nf\tg')).toBe('a[201~bcde\nf\tg');
  expect(() => answerText(question, { text: ' \x1b \n' })).toThrow('empty');
});
