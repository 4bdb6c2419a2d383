import { beforeEach, expect, test } from 'vitest';
import { KeyedQueue } from './keyed-queue.js';

let queue: KeyedQueue;
let told: string[];
/** Ends the task with this name. */
let end: Record<string, () => void>;

const task = (name: string) => () => {
  told.push(`${name} starts`);
  return new Promise<string>((resolve) => {
    end[name] = () => resolve(name);
  });
};
const turn = () => new Promise(setImmediate);

beforeEach(() => {
  queue = new KeyedQueue();
  [told, end] = [[], {}];
});

test('tasks of one key run one after the other, and those of another key do not wait', async () => {
  const first = queue.run('a', task('a1'));
  const second = queue.run('a', task('a2'));
  void queue.run('b', task('b1'));
  expect(told).toEqual(['a1 starts', 'b1 starts']);
  end['a1']?.();
  expect(await first).toBe('a1');
  await turn();
  expect(told).toEqual(['a1 starts', 'b1 starts', 'a2 starts']);
  end['a2']?.();
  expect(await second).toBe('a2');
  await turn();
  void queue.run('a', task('a3'));
  expect(told.at(-1)).toBe('a3 starts');
});

test('a failure is the caller’s, and the next task runs', async () => {
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

test('a task that leaves is not run, and those behind it still wait for those before it', async () => {
  const gone = new AbortController();
  const first = queue.run('a', task('first'));
  const left = queue.run('a', task('left'), { signal: gone.signal, otherwise: () => 'nothing' });
  void queue.run('a', task('last'));
  gone.abort();
  expect(await left).toBe('nothing');
  await turn();
  expect(told).toEqual(['first starts']);
  end['first']?.();
  await first;
  await turn();
  expect(told).toEqual(['first starts', 'last starts']);
});
