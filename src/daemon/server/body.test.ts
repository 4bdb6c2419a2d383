import { expect, test } from 'vitest';
import { createBodyReader, MAX_VALUES } from './body.js';

const read = (body: string, readBody = createBodyReader()): Promise<unknown> =>
  new Promise((resolve, reject) => readBody(body, (error, value) => (error ? reject(error) : resolve(value))));
const keys = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [n, n])));

test('a body is its JSON value; an empty one is none', async () => {
  expect(await read('{"a":[1,"x, [y"]}')).toEqual({ a: [1, 'x, [y'] });
  expect(await read('')).toBeUndefined();
  await expect(read('{"a"')).rejects.toMatchObject({ code: 'ORCHD_INVALID' });
});

test('many values are refused, long texts are not', async () => {
  expect(Object.keys((await read(keys(MAX_VALUES - 2))) as object)).toHaveLength(MAX_VALUES - 2);
  await expect(read(keys(MAX_VALUES + 2))).rejects.toMatchObject({ code: 'ORCHD_TOO_LARGE' });
  await expect(read('['.repeat(MAX_VALUES + 2))).rejects.toMatchObject({ code: 'ORCHD_TOO_LARGE' });
  const text = ', [ { " \\ '.repeat(MAX_VALUES);
  expect(await read(JSON.stringify({ text }))).toEqual({ text });
});

test('large bodies are parsed one at a time: others have their turn in between', async () => {
  const readBody = createBodyReader();
  const large = JSON.stringify({ text: 'x'.repeat(100_000) });
  const order: string[] = [];
  const all = ['first', 'second'].map((name) => read(large, readBody).then(() => order.push(name)));
  setImmediate(() => setImmediate(() => order.push('another')));
  await Promise.all([...all, read('{}', readBody).then(() => order.push('small'))]);
  await new Promise(setImmediate);
  expect(order[0]).toBe('small');
  expect(order.indexOf('first')).toBeLessThan(order.indexOf('second'));
  expect(order).toContain('another');
});
