import { expect, test } from 'vitest';
import { parse, takeInputs } from './index.js';

const { workflow } = parse('INPUT topic\nINPUT style DEFAULT "plain"\nGOAL a "About $topic, $style"');
const takenFrom = (given: unknown) => {
  const { values, problems } = takeInputs(workflow, given);
  return { values: Object.fromEntries(values), problems: problems.map(({ path, message }) => `${path}: ${message}`) };
};

test('a given value overrides DEFAULT, which is used otherwise', () => {
  expect(takenFrom({ topic: 'tea' })).toEqual({ values: { topic: 'tea', style: 'plain' }, problems: [] });
  expect(takenFrom({ topic: '', style: 'grand' })).toEqual({ values: { topic: '', style: 'grand' }, problems: [] });
});

test('turns any other JSON value into its compact text', () => {
  const texts = (topic: unknown) => takenFrom({ topic }).values['topic'];
  expect([7, 0, false, ['a', 1], { b: null }].map(texts)).toEqual(['7', '0', 'false', '["a",1]', '{"b":null}']);
});

test('reports all problems at once, and the accepted names', () => {
  expect(takenFrom({ Topic: 'tea', style: null, x: 1 })).toEqual({
    values: {},
    problems: [
      '$.input.topic: INPUT topic must be given: it has no DEFAULT',
      '$.input.style: INPUT style is text, found null',
      "$.input: there is no INPUT 'Topic'; accepted: topic (case counts)",
      "$.input: there is no INPUT 'x'; accepted: topic, style",
    ],
  });
  expect(takenFrom(undefined).problems).toEqual(['$.input.topic: INPUT topic must be given: it has no DEFAULT']);
});

test.each([['tea'], [null], [['tea']], [3]])('refuses %j as an input', (given) => {
  const { problems } = takenFrom(given);
  expect(problems).toEqual([
    expect.stringMatching(/^\$\.input: the input is an object with a value for each INPUT, found /),
  ]);
});

test('reports only the first of many unknown names, without control characters', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => [`\u001b[31m${index}`, 'x'] as const);
  const { problems } = takenFrom({ topic: 'tea', ...Object.fromEntries(names) });
  expect(problems.length).toBe(21);
  expect(problems[0]).toBe("$.input: there is no INPUT '‹U+001B›[31m0'; accepted: topic, style");
  expect(problems.at(-1)).toBe('$.input: and 980 more names are no INPUT');
});

test('accepts names such as constructor and __proto__', () => {
  const odd = parse('INPUT constructor\nINPUT __proto__\nGOAL a "$constructor $__proto__"').workflow;
  expect(takeInputs(odd, {}).problems.length).toBe(2);
  const { values, problems } = takeInputs(odd, JSON.parse('{"constructor": "a", "__proto__": "b"}'));
  expect([[...values], problems]).toEqual([
    [
      ['constructor', 'a'],
      ['__proto__', 'b'],
    ],
    [],
  ]);
});
