import { expect, test } from 'vitest';
import { answerText, typeable } from './answer-text.js';

const question = { type: 'QUESTION', data: { question: 'Which?', options: ['JWT', 'OAuth2'] } } as const;
const review = { type: 'REQUEST_REVIEW', data: { description: 'x' } } as const;

test('answers option N, counted from 1, with the text of that option', () => {
  expect(answerText(question, { option: 2 })).toEqual({ text: 'OAuth2', option: 2 });
});

test.each([0, 3])('refuses option %i and names the available options', (option) => {
  expect(() => answerText(question, { option })).toThrow('it offers 1 to 2');
});

test('answers a review with approve, or with a request for changes that needs a text', () => {
  expect(answerText(review, { option: 1 }).text).toBe('approve');
  expect(answerText(review, { option: 2, text: 'rename it' }).text).toBe('request changes: rename it');
  expect(() => answerText(review, { option: 2 })).toThrow('wants text');
});

test('sends `declined` for a declined question', () => {
  expect(answerText(question, { decline: true })).toEqual({ text: 'declined', declined: true });
});

test.each([{}, { text: 'a', decline: true as const }, { option: 1, decline: true as const }])(
  'refuses %o: exactly one of text, option and decline is required',
  (request) => {
    expect(() => answerText(question, request)).toThrow('exactly one');
  },
);

test('removes control characters from a text, and refuses a text that is empty without them', () => {
  expect(typeable('a\x1b[201~b\x03c\x7fd\u009be\r\nf\tg')).toBe('a[201~bcde\nf\tg');
  expect(() => answerText(question, { text: ' \x1b \n' })).toThrow('empty');
});
