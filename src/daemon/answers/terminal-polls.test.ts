import { expect, test } from 'vitest';
import { type Poll, TerminalPolls } from './terminal-polls.js';

/** Returns the results of the looks at a program until one is not null. */
function looks(...polls: (Omit<Poll, 'pid'> | null)[]): (boolean | null)[] {
  const left = polls.map((poll) => poll && { pid: 7, ...poll });
  const watch = new TerminalPolls(() => left.shift() ?? null);
  return polls.map(() => watch.look(7));
}
const each = (count: number, of: (at: number) => Omit<Poll, 'pid'> | null) =>
  Array.from({ length: count }, (_, at) => of(at));

test('a program that only waits, again and again, is at its prompt after five looks', () => {
  expect(looks(...each(5, (at) => ({ ticks: 40, waits: 100 + 2 * at })))).toEqual([null, null, null, null, true]);
});

test('a program that computes between its waits is not', () => {
  expect(looks(...each(2, (at) => ({ ticks: 50 * at, waits: 5 * at })))).toEqual([null, false]);
});

test('a program that stops waiting for its terminal is not', () => {
  expect(looks({ ticks: 0, waits: 1 }, null)).toEqual([null, false]);
});

test('a program that wakes up seldom is at its prompt after its third wait, or after thirty looks', () => {
  const slow = looks(...each(16, (at) => ({ ticks: 0, waits: Math.floor(at / 5) })));
  expect([slow.at(-2), slow.at(-1)]).toEqual([null, true]);
  const once = looks(...each(30, () => ({ ticks: 0, waits: 1 })));
  expect([once.at(-2), once.at(-1)]).toEqual([null, true]);
});

test('another program in the foreground is not the one that waited', () => {
  let pid = 7;
  const watch = new TerminalPolls(() => ({ pid: pid++, ticks: 0, waits: pid }));
  expect([watch.look(7), watch.look(8)]).toEqual([null, false]);
});
