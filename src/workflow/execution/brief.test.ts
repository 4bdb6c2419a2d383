import { expect, test } from 'vitest';
import { playWorkflow } from '../../../test/harness/play-workflow.js';
import { briefOf, recordOf } from '../index.js';

function briefValue(value: unknown): unknown {
  const play = playWorkflow('GOAL a "a" -> x');
  play.end('a', { x: value });
  const { variables, steps } = briefOf(recordOf(play.progress));
  expect(steps[0]?.values).toEqual({ x: variables[0]?.value });
  return variables[0]?.value;
}

test('shows a short value completely, a string as it is and other values as JSON', () => {
  for (const [value, text] of [
    ['hot “tea”', 'hot “tea”'],
    [9, '9'],
    [null, 'null'],
    [{ a: [1, 'b', { c: true }], d: {} }, '{"a":[1,"b",{"c":true}],"d":{}}'],
    [[], '[]'],
  ])
    expect(briefValue(value)).toBe(text);
});

test('cuts a long value after the beginning of its JSON, without splitting a character', () => {
  const long = {
    list: Array.from({ length: 1_000 }, (_, i) => ({ i, text: 'x'.repeat(i) })),
    more: 'y'.repeat(1_000),
  };
  expect(briefValue(long)).toBe(`${JSON.stringify(long).slice(0, 199)}…`);
  expect(briefValue('z'.repeat(10_000))).toBe(`${'z'.repeat(199)}…`);
  expect(briefValue(`${'z'.repeat(198)}👍👍`)).toBe(`${'z'.repeat(198)}…`);
});

test('cuts a long question and a long error', () => {
  const play = playWorkflow('INPUT x\nASK "Good? $x" -> y\nGOAL a "a"', { inputs: { x: 'x'.repeat(10_000) } });
  const [ask] = briefOf(recordOf(play.progress)).steps;
  expect(ask?.question).toHaveLength(2_000);
  const failing = playWorkflow('GOAL a "a"');
  failing.end('a', new Error('e'.repeat(10_000)));
  const { error, steps } = briefOf(recordOf(failing.progress));
  expect([error, steps[0]?.error, steps[0]?.runs[0]?.error].map((one) => one?.message.length)).toEqual([
    2000, 2000, 2000,
  ]);
});
