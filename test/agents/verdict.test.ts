import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/index.js';
import { PROMPT } from './interview.js';
import { type Turn, userTurns } from './model/conversation.js';
import type { Exchange } from './model-server.js';
import { compareAnswer } from './received.js';
import { mergeTable } from './report.js';
import { FIXTURES, readRounds, type TextRound } from './texts.js';
import { type Outcome, total, verdict } from './verdict.js';

const user = (text: string): Turn => ({ role: 'user', text, parts: [text] });
const rounds: TextRound[] = ['Which port?', 'Delete the old logs?'].map((question, index) => ({
  name: `round ${index + 1}`,
  question: { type: 'QUESTION', data: { question } },
  answer: { text: `answer ${index + 1}` },
  expected: `answer ${index + 1}`,
  before: '',
  after: '',
}));
const outcomes: Outcome[] = rounds.map((_, index) => ({
  item: `item-${index}`,
  sent: 'answer',
  refusal: null,
  ended: false,
  stuck: null,
}));

const event = (type: string, more: object): Event => ({ event_type: type, session_id: 's', ...more }) as never;
const message = (index: number, more: object = {}): Event =>
  event('message', { message_id: `m${index}`, ear: 'screen', message: rounds[index]?.question, ...more });
const acknowledged = (index: number): Event =>
  event('answer_acknowledged', { item_id: `item-${index}`, evidence: 'the composer is empty' });
const exchanges = (...said: string[]): Exchange[] => [{ turns: [PROMPT, ...said].map(user) } as unknown as Exchange];

const problemsOf = (events: Event[], said: string[], more: object = {}): readonly string[] =>
  verdict({
    rounds,
    outcomes,
    events,
    exchanges: exchanges(...said),
    transcript: 'none',
    recorded: [true, true],
    ...more,
  }).problems.map(({ what }) => what);

const ALL_RIGHT = [message(0), acknowledged(0), message(1), acknowledged(1)];
const BOTH = ['answer 1', 'answer 2'];

describe('verdict', () => {
  test('finds no problem in a correct interview', () => {
    expect(problemsOf(ALL_RIGHT, BOTH)).toEqual([]);
  });

  test.each<[string, Event[], string[], object, RegExp]>([
    ['an acknowledged answer that was not received', ALL_RIGHT, ['answer 1'], {}, /acknowledged, but was not received/],
    ['an answer without any event about its fate', [message(0), message(1)], ['answer 1'], {}, /says nothing of it/],
    [
      'an answer that arrived changed',
      ALL_RIGHT,
      ['answer 1', 'half a thoughtanswer 2'],
      {},
      /arrived as .*acknowledged/,
    ],
    ['a message that was reported twice', [...ALL_RIGHT, message(1)], BOTH, {}, /"round 2" was told 2 times/],
    ['a message that was not reported', ALL_RIGHT.slice(0, 2), BOTH, {}, /"round 2" was not heard/],
    [
      'a session that is done before the last round',
      [...ALL_RIGHT, event('session_state_changed', { state: 'done' })],
      BOTH,
      {},
      /done/,
    ],
    [
      'an attention item without a dialog',
      [...ALL_RIGHT, event('item_opened', { type: 'attention', data: { source: 'dialog' } })],
      BOTH,
      {},
      /nothing asked/,
    ],
    [
      'a healthy transcript that misses a message',
      ALL_RIGHT.slice(0, 2),
      BOTH,
      { transcript: 'healthy' },
      /called healthy/,
    ],
  ])('reports %s', (_name, events, said, more, expected) => {
    expect(problemsOf(events, said, more).join('\n')).toMatch(expected);
  });

  test('accepts a damaged message only if it is marked inexact or the transcript contains the same damage', () => {
    const damaged = { message: { type: 'QUESTION', data: { question: 'Delete theold logs?' } } };
    const events = (marks: object): Event[] => [
      message(0),
      acknowledged(0),
      message(1, { ...damaged, ...marks }),
      acknowledged(1),
    ];
    expect(problemsOf(events({}), BOTH).join()).toMatch(/is not marked so/);
    expect(problemsOf(events({ exact: false }), BOTH)).toEqual([]);
    const own = { ear: 'transcript' };
    expect(problemsOf(events(own), BOTH).join()).toMatch(/is not marked so/);
    expect(problemsOf(events(own), BOTH, { recorded: [true, false] })).toEqual([]);
  });

  test('accepts a changed answer only if orchd reported exactly that typed text', () => {
    const typed = (text: string) =>
      event('item_answered', { item_id: 'item-1', answer: { text: 'answer 2', typed: text } });
    const said = ['answer 1', 'answer-2'];
    expect(problemsOf([...ALL_RIGHT, typed('answer-2')], said)).toEqual([]);
    expect(problemsOf([...ALL_RIGHT, typed('answer two')], said).join()).toMatch(/arrived as .*acknowledged/);
  });

  test('reports an answer that is held back to the end', () => {
    const stalled = event('answer_stalled', { item_id: 'item-1', reason: 'composer_busy' });
    expect(problemsOf([...ALL_RIGHT.slice(0, 3), stalled], ['answer 1']).join()).toMatch(
      /held back for good: composer_busy/,
    );
  });
});

test.each([
  ['yes', 'yes', 'exact'],
  ['\u2800/clear', '/clear', 'guarded'],
  ['look at @README ', 'look at @README', 'guarded'],
  ['  __init__', '    __init__', 'trimmed'],
  ['<input mode="act">\n1\n</input>', '1', 'wrapped'],
  ['look at @notes\n\n--- notes ---\ntext', 'look at @notes', 'wrapped'],
  ['half a thoughtblue please', 'blue please', 'changed'],
  ['Which cache shall stand before it: redis', 'redis', 'named'],
  ['Where shall I unpack it: D:\\builds\\\u2800', 'D:\\builds\\', 'named'],
  ['half a thought: blue please', 'blue pleas', 'changed'],
  ['C:\\temp', 'C:\\temp\\', 'changed'],
  ['12', '1', 'changed'],
] as const)('compareAnswer grades %j for %j as %s', (received, due, grade) => {
  expect(compareAnswer(user(received), due)).toBe(grade);
});

test.each([
  ['ask @README', ['ask @README.md', 'Content from @README:', '# Demo'], 'expanded'],
  ['ask @README, then @notes', ['ask @README.md, then @docs/notes.md', 'Content from @notes:', 'Milk'], 'expanded'],
  ['ask @README', ['ask @README.md'], 'changed'],
  ['ask @README', ['ask @notes.md', 'Content from @README:', '# Demo'], 'changed'],
  ['ask @README', ['please ask @README.md', 'Content from @README:', '# Demo'], 'changed'],
] as const)('compareAnswer with expanded file references: %j, received as %j, is %s', (due, parts, grade) => {
  expect(compareAnswer({ ...user(parts.join('')), parts }, due)).toBe(grade);
});

test('compareAnswer grades an answer below another one as changed', () => {
  expect(compareAnswer(user('the first answer\nthe second one'), 'the second one', ['the first answer'])).toBe(
    'changed',
  );
});

test.each(['texts.json', 'exit-words.json'])(
  'the fixture %s has at least 25 rounds with different questions',
  (name) => {
    const all = readRounds(join(FIXTURES, name));
    expect(all.length).toBeGreaterThanOrEqual(25);
    expect(new Set(all.map(({ question }) => question.data.question)).size).toBe(all.length);
  },
);

test('mergeTable replaces the row of the same program, version, mode and size and keeps the others', () => {
  const tally = { ...total([]), asked: 3, exact: 3, given: 3, received: 3 };
  const row = (mode: string, exact: number) => ({
    agent: 'pi',
    version: '1.0.0',
    mode,
    size: '80x24',
    tally: { ...tally, exact },
    problems: [],
  });
  const first = mergeTable('', [row('texts', 2), row('drafts', 3)], new Date('2026-01-02'));
  const second = mergeTable(first, [row('texts', 3)], new Date('2026-03-04'));
  const rows = second.trim().split('\n').slice(2);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/drafts .* 2026-01-02 \|$/);
  expect(rows[1]).toMatch(/texts \| 80x24 \| 3 of 3 .* 2026-03-04 \|$/);
});

test.each([
  ["<user delivery=\"message\">FOO='it''s' a &amp;&amp; b &lt;c&gt; &amp;lt;</user>", "FOO='it''s' a && b <c> &lt;"],
  ['<user source="chat" delivery="while-active">two\nlines</user>', 'two\nlines'],
  ['a <user>&amp;</user> within', 'a <user>&amp;</user> within'],
  ['a &amp; b', 'a &amp; b'],
])('undoes the tag of Mastra Code: %j', (received, typed) => {
  expect(userTurns(received)).toEqual([{ role: 'user', text: typed, parts: [typed] }]);
});
