import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUser } from '@nats-io/nkeys';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OutgoingCommand, proofOf, signCommand } from '../../hub/index.js';
import { type InputOf, OrchdError } from '../../protocol/index.js';
import type { Caller } from '../access/index.js';
import { CommandLog } from './command-log.js';
import { RemoteCalls } from './remote-calls.js';

const HOUR_MS = 3_600_000;
const seed = createUser().getSeed();

let folder: string;
let commandLog: CommandLog;
let time: number;
let offered: OutgoingCommand[];
let ended: AbortController;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orchd-calls-'));
  [time, offered, ended] = [1_000_000, [], new AbortController()];
  commandLog = new CommandLog(join(folder, 'commands.jsonl'), () => time);
});
afterEach(async () => {
  await commandLog.close();
  rmSync(folder, { recursive: true, force: true });
});

const calling = (offer: (command: OutgoingCommand) => Promise<void>): RemoteCalls =>
  new RemoteCalls({
    commandLog,
    now: () => time,
    offer,
    proofOf,
    name: () => 'laptop',
    serverTime: () => time,
    onSettled: () => undefined,
    sign: (command) => signCommand(command, seed),
  });
/** A call whose caller waits until `ended` aborts. */
const call = (calls: RemoteCalls, operation: string, input: InputOf<'hub.call'>['input']) => {
  const caller: Caller = {
    session: null,
    device: null,
    client: 'cli',
    signal: ended.signal,
    requestKey: null,
    afterReply,
  };
  return calls.call({ machine: 'build', operation, input }, null, caller);
};
const afterReply = (): void => undefined;
const states = (calls: RemoteCalls): string[] => calls.list().map(({ state }) => state);
const SEND = ['session.send', { session: 'web', text: 'make' }] as const;

/** Offers to a hub that takes everything, and to a machine that never replies. */
const silent = async (command: OutgoingCommand): Promise<void> => {
  offered.push(command);
  ended.abort();
};

test('a command that no machine replies to is told apart from one that was refused', async () => {
  const calls = calling(silent);
  const failed = call(calls, ...SEND);
  await expect(failed).rejects.toMatchObject({
    code: 'ORCHD_MACHINE_AWAY',
    message: expect.stringMatching(/^'build' did not reply in \d+ s; `orchd hub commands` shows whether it was done$/),
  });
  expect(states(calls)).toEqual(['on_its_way']);
  const reading = call(calls, 'session.show', { session: 'web' });
  await expect(reading).rejects.toThrow(/^'build' did not reply in \d+ s$/);
  expect(states(calls)).toEqual(['on_its_way']); // what only reads is not kept
});

test('a reply is returned although the server has not confirmed the command', async () => {
  const calls = calling(async ({ id, to }) => {
    await calls.onOutcome(to, id, { output: { id: 'itm_1' } }, '');
    return new Promise(() => undefined); // the confirmation of the server is lost
  });
  const answered = await call(calls, 'inbox.answer', { item: 'itm_1', text: 'blue' });
  expect(answered).toMatchObject({ state: 'done', output: { id: 'itm_1' } });
});

test('of two answers to one item that are on their way, the first is shown: it is the one that counts', async () => {
  const calls = calling(silent);
  await call(calls, 'inbox.answer', { item: 'itm_1', text: 'blue' });
  await call(calls, 'inbox.answer', { item: 'itm_1', text: 'red' });
  expect(calls.answers().get('itm_1')?.input).toMatchObject({ text: 'blue' });
});

test('a command that expires while its machine is away says so, and is not offered again', async () => {
  const calls = calling(silent);
  await call(calls, ...SEND).catch(() => undefined);
  await call(calls, 'inbox.answer', { item: 'itm_1', text: 'blue' });
  expect(calls.waiting().map(({ id }) => id)).toEqual(offered.map(({ id }) => id));
  time += HOUR_MS;
  expect(states(calls)).toEqual(['expired', 'on_its_way']);
  expect(calls.list()[0]?.error).toBe("'build' did not reply in time; it may have done it");
  expect(calls.waiting().map(({ id }) => id)).toEqual([offered[1]?.id]);
  // The machine did it in time, and its outcome comes late.
  await calls.onOutcome('build', offered[0]?.id ?? '', { output: {} }, '');
  expect(states(calls)).toEqual(['delivered', 'on_its_way']);
  time += 8 * 24 * HOUR_MS;
  expect(states(calls)).toEqual(['delivered', 'expired']);
  expect(calls.answers().size).toBe(0);
});

test('an answer that is longer than a message of the hub is refused for good', async () => {
  const reason = new OrchdError(
    'ORCHD_TOO_LARGE',
    'the command has 2000000 bytes, and a message of the hub at most 943718',
  );
  const calls = calling(() => Promise.reject(reason));
  await expect(call(calls, 'inbox.answer', { item: 'itm_1', text: 'x' })).rejects.toBe(reason);
  expect(calls.list()).toMatchObject([{ state: 'refused', error: reason.message }]);
  expect(calls.waiting()).toEqual([]);
});
