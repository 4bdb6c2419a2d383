import { expect, test } from 'vitest';
import { createBodyReader, MAX_VALUES } from './body.js';

const read = (body: string, readBody = createBodyReader()): Promise<unknown> =>
  new Promise((resolve, reject) => readBody(body, (error, value) => (error ? reject(error) : resolve(value))));
const objectWithKeys = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [n, n])));

test('parses a body as JSON, and an empty one as undefined', async () => {
  expect(await read('{"a":[1,"x, [y"]}')).toEqual({ a: [1, 'x, [y'] });
  expect(await read('')).toBeUndefined();
  await expect(read('{"a"')).rejects.toMatchObject({ code: 'ORCHD_INVALID' });
});

test('refuses a body with too many values, but accepts long strings', async () => {
  expect(Object.keys((await read(objectWithKeys(MAX_VALUES - 2))) as object)).toHaveLength(MAX_VALUES - 2);
  await expect(read(objectWithKeys(MAX_VALUES + 2))).rejects.toMatchObject({ code: 'ORCHD_TOO_LARGE' });
  await expect(read('['.repeat(MAX_VALUES + 2))).rejects.toMatchObject({ code: 'ORCHD_TOO_LARGE' });
  const text = ', [ { " \\ '.repeat(MAX_VALUES);
  expect(await read(JSON.stringify({ text }))).toEqual({ text });
});

test('delays the next large body as long as the last one took, and small bodies not at all', async () => {
  let time = 0;
  const pauses: number[] = [];
  const timers: (() => void)[] = [];
  const later = (run: () => void, ms: number): void => {
    timers.push(run);
    pauses.push(ms);
  };
  const readBody = createBodyReader({ now: () => time, later });
  const large = JSON.stringify({ text: 'x'.repeat(100_000) });
  const order: string[] = [];
  for (const [name, ms] of [
    ['first', 30],
    ['second', 5],
  ] as const) {
    readBody(large, () => {
      time += ms; // the time that the handler takes counts as well
      order.push(name);
    });
  }
  await new Promise(setImmediate);
  readBody('{}', () => order.push('small'));
  expect(order).toEqual(['first', 'small']);
  timers.shift()?.();
  timers.shift()?.();
  expect(order).toEqual(['first', 'small', 'second']);
  expect(pauses).toEqual([30, 5]);
  expect(await Promise.race([read(large, readBody), new Promise((resolve) => setImmediate(resolve, 'late'))])).toEqual({
    text: 'x'.repeat(100_000),
  });
});
