import { expect, test } from 'vitest';
import { MAX_REQUESTS } from '../../protocol/index.js';
import { FairQueue } from './fair-queue.js';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function open() {
  const started: string[] = [];
  const turns: (() => void)[] = [];
  const clock = { ms: 0 };
  const callers = new FairQueue({ nextTurn: (run) => void turns.push(run), now: () => clock.ms });
  return {
    started,
    callers,
    clock,
    ask: (caller: string, request: string) => void callers.enter(caller).then(() => started.push(request)),
    /** @returns The number of turns that are wanted after this one. */
    async turn() {
      turns.shift()?.();
      await settled();
      return turns.length;
    },
  };
}

test('starts one request per turn of the event loop, and callers take turns', async () => {
  const { started, ask, turn } = open();
  for (const n of [1, 2, 3]) ask('loud', `loud ${n}`);
  await settled();
  expect(started).toEqual(['loud 1']);
  for (const n of [1, 2]) ask('quiet', `quiet ${n}`);
  await turn();
  await turn();
  expect(started).toEqual(['loud 1', 'loud 2', 'quiet 1']);
  await turn();
  await turn();
  expect(started).toEqual(['loud 1', 'loud 2', 'quiet 1', 'loud 3', 'quiet 2']);
});

test('starts a request at once if none has started in this turn', async () => {
  const { started, ask, turn } = open();
  ask('a', 'a 1');
  expect(await turn()).toBe(0);
  ask('a', 'a 2');
  await settled();
  expect(started).toEqual(['a 1', 'a 2']);
});

test('starts no request while connections arrive, up to a limit of time', async () => {
  const { started, ask, turn, callers, clock } = open();
  for (const n of [1, 2, 3]) ask('a', `a ${n}`);
  for (const ms of [3, 6, 9]) {
    callers.connected();
    clock.ms = ms;
    expect(await turn()).toBe(1);
  }
  expect(started).toEqual(['a 1']);
  callers.connected();
  clock.ms = 10;
  await turn();
  expect(started).toEqual(['a 1', 'a 2']);
  clock.ms = 11;
  callers.connected();
  await turn();
  await turn(); // no connection arrived in this turn
  expect(started).toEqual(['a 1', 'a 2', 'a 3']);
});

test('refuses requests of a caller with too many, but not those of others', async () => {
  const { callers, turn } = open();
  const leave: (() => void)[] = [];
  const problems: unknown[] = [];
  const enter = (caller: string) =>
    callers.enter(caller).then(
      (left) => leave.push(left),
      ({ code }) => problems.push(code),
    );
  for (let count = 0; count < MAX_REQUESTS + 25; count++) void enter('loud');
  for (const refused of [10, 20, 25]) {
    await turn();
    expect(problems).toHaveLength(refused);
  }
  expect(problems[0]).toBe('ORCHD_BUSY');
  void enter('quiet');
  while ((await turn()) > 0);
  expect(leave).toHaveLength(MAX_REQUESTS + 1);
  leave[0]?.();
  void enter('loud');
  void enter('loud');
  while ((await turn()) > 0);
  expect([leave.length, problems.length]).toEqual([MAX_REQUESTS + 2, 26]);
});
