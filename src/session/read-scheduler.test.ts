import { expect, test } from 'vitest';
import { ReadScheduler } from './read-scheduler.js';

function createTurns() {
  const done: string[] = [];
  let now = 0;
  let loops: (() => void)[] = [];
  let pause: (() => void) | null = null;
  const turns = new ReadScheduler({
    now: () => now,
    afterOthers: (next) => void loops.push(next),
    afterMs(next, ms) {
      expect(pause).toBe(null);
      done.push(`rest ${ms}`);
      pause = next;
    },
  });
  const step = (name: string, ms: number) => () => {
    done.push(name);
    now += ms;
  };
  /** The event loop runs once. */
  const loop = () => {
    const due = loops;
    loops = [];
    done.push('loop');
    for (const next of due) next();
  };
  /**
   * Ends the current rest.
   * @returns False if there was none.
   */
  const wake = (): boolean => {
    const next = pause;
    pause = null;
    next?.();
    return next !== null;
  };
  return { turns, done, step, loop, wake, isAtRest: () => loops.length === 0 };
}

test('runs short steps at once', () => {
  const { turns, done, step } = createTurns();
  for (const name of ['a', 'b', 'c']) turns.take(step(name, 0.5));
  expect(done).toEqual(['a', 'b', 'c']);
});

test('lets the event loop run between long steps, and runs each step once and in order', () => {
  const { turns, done, step, loop, isAtRest } = createTurns();
  for (const name of ['a', 'b', 'c', 'd', 'e']) turns.take(step(name, 1.5));
  while (!isAtRest()) loop();
  expect(done).toEqual(['a', 'b', 'loop', 'c', 'd', 'loop', 'e', 'loop']);
});

test('a step longer than a slice delays the others only once', () => {
  const { turns, done, step, loop, isAtRest } = createTurns();
  for (const name of ['a', 'b', 'c']) turns.take(step(name, 1000));
  while (!isAtRest()) loop();
  expect(done).toEqual(['a', 'loop', 'b', 'loop', 'c', 'loop']);
});

test('a session with much output lets the others go first', () => {
  const { turns, done, step, loop, isAtRest } = createTurns();
  let left = 3;
  const flood = () => {
    step('flood', 5)();
    left--;
    if (left > 0) turns.later(flood);
  };
  turns.take(flood);
  turns.take(step('a', 0.5));
  turns.take(step('b', 0.5));
  while (!isAtRest()) loop();
  expect(done).toEqual(['flood', 'loop', 'flood', 'loop', 'a', 'b', 'flood', 'loop']);
});

test('runs a step that is added while others wait after them', () => {
  const { turns, done, step, loop } = createTurns();
  turns.take(step('a', 5));
  turns.take(step('b', 0.5));
  turns.take(() => turns.take(step('d', 0.5)));
  turns.take(step('c', 0.5));
  loop();
  expect(done).toEqual(['a', 'loop', 'b', 'c', 'd']);
});

test('limits all costly steps together to half of the time', () => {
  const { turns, done, step, loop, wake, isAtRest } = createTurns();
  const left = { a: 2, b: 2 };
  const costly = (name: 'a' | 'b', ms: number) => () => {
    step(name, ms)();
    if (left[name]-- > 0) turns.slowly(costly(name, ms), ms);
  };
  turns.take(costly('a', 3));
  turns.take(costly('b', 6));
  do {
    while (!isAtRest()) loop();
  } while (wake());
  expect(done.filter((one) => one !== 'loop')).toEqual([
    'a',
    'rest 3',
    'b',
    'a',
    'rest 3',
    'b',
    'rest 6',
    'a',
    'rest 2',
    'b',
  ]);
});

test('pauses for 1 to 20 ms, in which other steps run', () => {
  const { turns, done, step, loop, wake } = createTurns();
  turns.slowly(step('costly', 500), 500);
  turns.take(step('other', 0.5));
  wake();
  loop();
  turns.slowly(step('short', 0), 0);
  wake();
  expect(done).toEqual(['rest 20', 'other', 'costly', 'loop', 'rest 1', 'short']);
});
