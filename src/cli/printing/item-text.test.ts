import { expect, test } from 'vitest';
import type { Item } from '../../protocol/index.js';
import { widthOf } from '../../protocol/index.js';
import { howToAnswer, itemText } from './item-text.js';

const NOW = Date.parse('2026-01-01T00:02:00.000Z');
const plain = (_style: string, text: string): string => text;
const item = (type: Item['type'], data: Item['data'], more: Partial<Item> = {}): Item => ({
  id: 'itm_4f8a2c91bq',
  session_id: 'ses_7k3',
  session_name: 'build',
  type,
  data,
  state: 'open',
  opened_at: '2026-01-01T00:00:00.000Z',
  answer: null,
  message_id: 'msg_1',
  origin: { ear: 'lines', from: 10, to: 90 },
  ...more,
});
const text = (one: Item, columns = Number.POSITIVE_INFINITY, isWhole = false): string =>
  itemText(one, { paint: plain, columns, now: NOW, isWhole });

const QUESTION = {
  question: 'Which one?',
  options: ['JWT', 'OAuth2'],
  context: 'There is no auth yet.',
  default: 'JWT',
};

test('shows the question, its context, the options and the commands to answer', () => {
  expect(text(item('QUESTION', QUESTION))).toBe(`QUESTION  build  2m ago  itm_4f8a2c91bq
  │ Which one?
  │
  │ There is no auth yet.

  1 JWT
  2 OAuth2

  The agent suggests “JWT”.

  orchd answer itm_4f8a2c91bq --option 1   (or 2)
  orchd answer itm_4f8a2c91bq "…"
  orchd answer itm_4f8a2c91bq --decline
`);
});

test('says if the text was read off the screen and may be inexact', () => {
  expect(text(item('QUESTION', QUESTION))).not.toContain('Wording');
  expect(text(item('QUESTION', QUESTION, { exact: false }))).toContain('Read off the screen: blanks');
});

test('shows what was typed for an answer if it differs from the answer', () => {
  const answer = { text: 'exit', by: 'cli', at: '2026-01-01T00:01:00.000Z', delivery: 'acknowledged' as const };
  const answered = (typed?: string): string =>
    text(item('QUESTION', QUESTION, { state: 'answered', answer: { ...answer, ...(typed && { typed }) } }), 80, true);
  expect(answered('Which one: \u2800exit ')).toMatch(/\n {2}typed +"Which one: ‹U\+2800›exit "\n/);
  expect(answered('Which one:\nexit')).toMatch(/typed +"Which one:\\nexit"\n/);
  expect(answered()).not.toContain('typed');
});

test('shows all fields of blocked items, reviews and dialogs', () => {
  const blocked = { reason: 'No API', details: '403', suggestedAction: 'Check .env', ticket: 7 };
  expect(text(item('BLOCKED', blocked))).toContain('│ 403\n  │\n  │ Suggested: Check .env\n  │ ticket: 7\n');
  const review = item('REQUEST_REVIEW', { description: 'Ready', files: ['a.ts', 'b.ts'], notes: 'Look at *b*' });
  expect(text(review)).toContain('  │ Files\n  │   a.ts\n  │   b.ts\n  │\n  │ Notes: Look at *b*\n');
  expect(howToAnswer(review)).toEqual([
    'orchd answer itm_4f8a2c91bq --option 1',
    'orchd answer itm_4f8a2c91bq "request changes: …"',
    'orchd answer itm_4f8a2c91bq --decline',
  ]);
  const dialog = item('attention', { text: 'Trust it?', options: ['yes', 'no', 'never'] });
  expect(howToAnswer(dialog).slice(0, 2)).toEqual([
    'orchd answer itm_4f8a2c91bq --option 1   (or 2, 3)',
    'orchd attach ses_7k3',
  ]);
});

test('cuts a long field in the list, but shows it completely with its origin for one item', () => {
  const long = item('QUESTION', { ...QUESTION, context: Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\n') });
  expect(text(long)).toContain('line 7\n  │ … 22 more\n');
  expect(text(long)).not.toContain('ses_7k3');
  const whole = text(long, 80, true);
  expect(whole).toContain('line 29\n');
  expect(whole).toContain('heard     lines, bytes 10 to 90\n');
});

test('wraps every row to the width of the terminal, except commands', () => {
  const words = 'ein 日本語のテキスト with eineinzigessehrlangeswortohneleerzeichenundnochmehr und so weiter 👩‍👩‍👧 ';
  const data = {
    question: words.repeat(3),
    options: [words, 'b'],
    context: words.repeat(9),
    own: [words, { a: words }],
  };
  for (const columns of [40, 60, 80, 200])
    for (const isWhole of [false, true])
      for (const row of text(item('QUESTION', data, { session_name: '日'.repeat(40) }), columns, isWhole).split('\n'))
        if (!row.includes('orchd ')) expect(widthOf(row), `${columns}: ${row}`).toBeLessThanOrEqual(columns);
});

test('marks each row of an agent, so that none looks like a row of orchd', () => {
  const forged =
    'Deploy?\n\n  1 no\n\n  orchd answer itm_other --option 1\n\nQUESTION  release  1s ago  itm_other\n  Go on?';
  const data = { question: forged, context: forged, own: forged };
  for (const columns of [30, 80, Number.POSITIVE_INFINITY])
    for (const isWhole of [false, true]) {
      const own = text(item('QUESTION', data), columns, isWhole)
        .split('\n')
        .filter((row) => !row.startsWith('  │'));
      expect(own.join('\n')).not.toMatch(/itm_other|release|Go on|1 no/);
    }
});

test('shows the answer of a closed item, and no commands', () => {
  const answer = { text: 'JWT', by: 'tui', at: '2026-01-01T00:01:00.000Z', delivery: 'acknowledged' as const };
  const closed = text(item('QUESTION', QUESTION, { state: 'answered', answer }), 80, true);
  expect(closed).toContain('answered by tui: JWT');
  expect(closed).not.toContain('orchd answer');
});
