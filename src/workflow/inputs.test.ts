import { expect, test } from 'vitest';
import { parse, takeInputs } from './index.js';

const { workflow } = parse('INPUT topic\nINPUT style DEFAULT "plain"\nGOAL a "About $topic, $style"');
const taken = (given: unknown) => {
  const { values, problems } = takeInputs(workflow, given);
  return { values: Object.fromEntries(values), problems: problems.map(({ path, message }) => `${path}: ${message}`) };
};

test('what is given goes before DEFAULT, which stands for what is not', () => {
  expect(taken({ topic: 'tea' })).toEqual({ values: { topic: 'tea', style: 'plain' }, problems: [] });
  expect(taken({ topic: '', style: 'grand' })).toEqual({ values: { topic: '', style: 'grand' }, problems: [] });
});

test('an INPUT is text: what is given as other JSON is its compact text', () => {
  const texts = (topic: unknown) => taken({ topic }).values['topic'];
  expect([7, 0, false, ['a', 1], { b: null }].map(texts)).toEqual(['7', '0', 'false', '["a",1]', '{"b":null}']);
});

test('every problem is told at once, with the name that was meant', () => {
  expect(taken({ Topic: 'tea', style: null, x: 1 })).toEqual({
    values: {},
    problems: [
      '$.input.topic: INPUT topic must be given: it has no DEFAULT',
      '$.input.style: INPUT style is text, found null',
      "$.input: there is no INPUT 'Topic'; accepted: topic (case counts)",
      "$.input: there is no INPUT 'x'; accepted: topic, style",
    ],
  });
  expect(taken(undefined).problems).toEqual(['$.input.topic: INPUT topic must be given: it has no DEFAULT']);
});

test.each([['tea'], [null], [['tea']], [3]])('%j is no input', (given) => {
  const { problems } = taken(given);
  expect(problems).toEqual([
    expect.stringMatching(/^\$\.input: the input is an object with a value for each INPUT, found /),
  ]);
});

test('of very many wrong names the first are told, shown so that they act on no terminal', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => [`\u001b[31m${index}`, 'x'] as const);
  const { problems } = taken({ topic: 'tea', ...Object.fromEntries(names) });
  expect(problems.length).toBe(21);
  expect(problems[0]).toBe("$.input: there is no INPUT '‹U+001B›[31m0'; accepted: topic, style");
  expect(problems.at(-1)).toBe('$.input: and 980 more names are no INPUT');
});

test('a name that every object has is a name like any other', () => {
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
