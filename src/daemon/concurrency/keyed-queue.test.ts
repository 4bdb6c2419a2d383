import { beforeEach, expect, test } from 'vitest';
import { KeyedQueue } from './keyed-queue.js';

let queue: KeyedQueue;
let starts: string[];
/** Ends the task with this name. */
let end: Record<string, () => void>;

const task = (name: string) => () => {
  starts.push(`${name} starts`);
  return new Promise<string>((resolve) => {
    end[name] = () => resolve(name);
  });
};
const turn = () => new Promise(setImmediate);

beforeEach(() => {
  queue = new KeyedQueue();
  [starts, end] = [[], {}];
});

test('runs the tasks of one key one after the other, and does not delay those of another key', async () => {
  const first = queue.run('a', task('a1'));
  const second = queue.run('a', task('a2'));
  void queue.run('b', task('b1'));
  expect(starts).toEqual(['a1 starts', 'b1 starts']);
  end['a1']?.();
  expect(await first).toBe('a1');
  await turn();
  expect(starts).toEqual(['a1 starts', 'b1 starts', 'a2 starts']);
  end['a2']?.();
  expect(await second).toBe('a2');
  await turn();
  void queue.run('a', task('a3'));
  expect(starts.at(-1)).toBe('a3 starts');
});

test('rejects the caller of a task that fails, and runs the next task', async () => {
  const failed = queue.run('a', () => Promise.reject(new Error('no')));
  const thrown = queue.run('a', () => {
    throw new Error('not at all');
  });
  const next = queue.run('a', task('next'));
  await expect(failed).rejects.toThrow('no');
  await expect(thrown).rejects.toThrow('not at all');
  await turn();
  end['next']?.();
  expect(await next).toBe('next');
});

test('skips a task whose signal aborts while it waits, and keeps the order of the others', async () => {
  const gone = new AbortController();
  const first = queue.run('a', task('first'));
  const left = queue.run('a', task('left'), { signal: gone.signal, otherwise: () => 'nothing' });
  void queue.run('a', task('last'));
  gone.abort();
  expect(await left).toBe('nothing');
  await turn();
  expect(starts).toEqual(['first starts']);
  end['first']?.();
  await first;
  await turn();
  expect(starts).toEqual(['first starts', 'last starts']);
});
