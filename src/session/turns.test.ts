import { expect, test } from 'vitest';
import { Turns } from './turns.js';

function createTurns() {
  const done: string[] = [];
  let now = 0;
  let loops: (() => void)[] = [];
  const turns = new Turns({ now: () => now, afterOthers: (next) => void loops.push(next) });
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
  return { turns, done, step, loop, isAtRest: () => loops.length === 0 };
}

test('short steps are called at once', () => {
  const { turns, done, step } = createTurns();
  for (const name of ['a', 'b', 'c']) turns.take(step(name, 0.5));
  expect(done).toEqual(['a', 'b', 'c']);
});

test('the event loop runs between long steps, and each is called once and in order', () => {
  const { turns, done, step, loop, isAtRest } = createTurns();
  for (const name of ['a', 'b', 'c', 'd', 'e']) turns.take(step(name, 1.5));
  while (!isAtRest()) loop();
  expect(done).toEqual(['a', 'b', 'loop', 'c', 'd', 'loop', 'e', 'loop']);
});

test('a step that is longer than a slice holds up no more than itself', () => {
  const { turns, done, step, loop, isAtRest } = createTurns();
  for (const name of ['a', 'b', 'c']) turns.take(step(name, 1000));
  while (!isAtRest()) loop();
  expect(done).toEqual(['a', 'loop', 'b', 'loop', 'c', 'loop']);
});

test('a session with much to hear lets the others go first', () => {
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

test('what comes while others wait is called behind them', () => {
  const { turns, done, step, loop } = createTurns();
  turns.take(step('a', 5));
  turns.take(step('b', 0.5));
  turns.take(() => turns.take(step('d', 0.5)));
  turns.take(step('c', 0.5));
  loop();
  expect(done).toEqual(['a', 'loop', 'b', 'c', 'd']);
});
