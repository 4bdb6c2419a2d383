import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUser } from '@nats-io/nkeys';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Command, type Later, type Outcome, signCommand, verifyCommand } from '../../hub/index.js';
import { OrchdError, type RemoteNeed } from '../../protocol/index.js';
import { AcceptedCommands, type AcceptedCommandsPorts } from './accepted-commands.js';
import { CommandLog } from './command-log.js';
import { EnrolledKeys } from './enrolled-keys.js';

const DAY_MS = 86_400_000;
const laptop = createUser();

let folder: string;
let commandLog: CommandLog;
let keys: EnrolledKeys;
let time: number;
let ran: { readonly operation: string; readonly input: object; readonly by: string; readonly key: string | null }[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orchd-commands-'));
  time = 1_000_000;
  ran = [];
  commandLog = openLog();
  keys = new EnrolledKeys(join(folder, 'keys.json'));
  keys.add({ name: 'laptop', key: laptop.getPublicKey() });
});
afterEach(async () => {
  await commandLog.close();
  rmSync(folder, { recursive: true, force: true });
});

const openLog = (): CommandLog => new CommandLog(join(folder, 'commands.jsonl'), () => time);

function accepting(more: Partial<AcceptedCommandsPorts> = {}): AcceptedCommands {
  return new AcceptedCommands({
    keys,
    commandLog,
    accept: ['answer', 'type'] satisfies RemoteNeed[],
    sharesScreens: false,
    shared: JSON.stringify,
    log: { info: () => undefined },
    ended: async (id) => ({ id, state: 'completed' }),
    reply: async () => undefined,
    labels: [],
    runsKnown: async () => undefined,
    hasRun: () => false,
    ownKey: '',
    onWorkOver: () => undefined,
    verify: verifyCommand,
    name: () => 'build',
    serverTime: () => time,
    run: async (operation, input, { client, requestKey }) => {
      ran.push({ operation, input, by: client, key: requestKey });
      return { ran: ran.length };
    },
    openTerminal: async ({ by }, { session }) => {
      ran.push({ operation: 'terminal', input: { session }, by, key: null });
      return { key: 'k' };
    },
    ...more,
  });
}

const command = (more: Partial<Command> = {}): Command => ({
  id: 'c1',
  from: 'laptop',
  to: 'build',
  by: 'ann@laptop',
  operation: 'inbox.answer',
  input: { item: 'itm_1', text: 'yes' },
  expires_at: time + DAY_MS,
  ...more,
});
const signed = (one: Command, by = laptop): string => JSON.stringify(signCommand(one, by.getSeed()));
const codeOf = (outcome: Outcome | Later): string =>
  typeof outcome === 'object' && 'error' in outcome ? outcome.error.code : 'none';

test('a command is carried out once, in the name of its person, however often it comes', async () => {
  const accepted = accepting();
  const message = signed(command());
  const outcomes = await Promise.all([accepted.take('laptop', 'c1', message), accepted.take('laptop', 'c1', message)]);
  outcomes.push(await accepted.take('laptop', 'c1', message));
  expect(outcomes).toEqual([{ output: { ran: 1 } }, { output: { ran: 1 } }, { output: { ran: 1 } }]);
  expect(ran).toEqual([
    { operation: 'inbox.answer', input: { item: 'itm_1', text: 'yes' }, by: 'ann@laptop', key: 'laptop c1' },
  ]);
});

test('its outcome is known after a restart; without one, it is carried out again with the same request key', async () => {
  const failing = accepting({
    run: async (_operation, _input, { requestKey }) => {
      ran.push({ operation: '', input: {}, by: '', key: requestKey });
      throw new OrchdError('ORCHD_ITEM_CLOSED', 'too late');
    },
  });
  const first = await failing.take('laptop', 'c1', signed(command()));
  await commandLog.close();
  commandLog = openLog();
  expect(await accepting().take('laptop', 'c1', signed(command()))).toEqual(first);
  rmSync(join(folder, 'commands.jsonl')); // as if the daemon had ended before it kept the outcome
  commandLog = openLog();
  await accepting().take('laptop', 'c1', signed(command()));
  expect(ran.map(({ key }) => key)).toEqual(['laptop c1', 'laptop c1']);
});

test('a machine that sends too many commands is refused until some have expired, and others are not', async () => {
  const soon = time + 60_000;
  const lines = Array.from({ length: 20_000 }, (_, at) => {
    const outcome = { output: at };
    return JSON.stringify({ kind: 'done', from: 'laptop', id: `d${at}`, expires_at: soon, outcome });
  });
  writeFileSync(join(folder, 'commands.jsonl'), `${lines.join('\n')}\n`);
  commandLog = openLog();
  const refused = await accepting().take('laptop', 'c1', signed(command()));
  expect(codeOf(refused)).toBe('ORCHD_HUB_FORBIDDEN');
  keys.add({ name: 'phone', key: laptop.getPublicKey() });
  const other = signed(command({ id: 'c2', from: 'phone' }));
  expect(codeOf(await accepting().take('phone', 'c2', other))).toBe('none');
  time = soon + 1;
  expect(codeOf(await accepting().take('laptop', 'c1', signed(command())))).toBe('none');
});

test('a command that was begun before a crash is carried out again after it has expired, another one is not', async () => {
  const [message, late] = [signed(command()), signed(command({ id: 'c2' }))];
  void accepting({ run: () => new Promise(() => undefined) }).take('laptop', 'c1', message);
  await expect.poll(() => commandLog.hasBegun('laptop', 'c1')).toBe(true);
  await commandLog.close(); // as a crash does
  time += 2 * DAY_MS;
  commandLog = openLog();
  expect(await accepting().take('laptop', 'c1', message)).toEqual({ output: { ran: 1 } });
  expect(codeOf(await accepting().take('laptop', 'c2', late))).toBe('ORCHD_HUB_EXPIRED');
  expect(ran.map(({ key }) => key)).toEqual(['laptop c1']);
  expect(commandLog.hasBegun('laptop', 'c1')).toBe(false);
});

test('an outcome that cannot be kept is not told', async () => {
  rmSync(folder, { recursive: true });
  await expect(accepting().take('laptop', 'c1', signed(command()))).rejects.toThrow(/cannot be written/);
});

test.each<[string, string, () => Promise<Outcome | Later>]>([
  ['no signature', 'ORCHD_HUB_FORBIDDEN', () => accepting().take('laptop', 'c1', '{"text":"{}"}')],
  ['another key', 'ORCHD_HUB_FORBIDDEN', () => accepting().take('laptop', 'c1', signed(command(), createUser()))],
  [
    'a changed text',
    'ORCHD_HUB_FORBIDDEN',
    () => accepting().take('laptop', 'c1', signed(command()).replace('itm_1', 'itm_2')),
  ],
  ['another id', 'ORCHD_HUB_FORBIDDEN', () => accepting().take('laptop', 'c2', signed(command()))],
  ['another machine', 'ORCHD_HUB_FORBIDDEN', () => accepting().take('laptop', 'c1', signed(command({ to: 'web' })))],
  ['another sender', 'ORCHD_HUB_FORBIDDEN', () => accepting().take('phone', 'c1', signed(command({ from: 'phone' })))],
  [
    'no time left',
    'ORCHD_HUB_EXPIRED',
    () => accepting().take('laptop', 'c1', signed(command({ expires_at: time - 1 }))),
  ],
  [
    'an endless validity',
    'ORCHD_HUB_FORBIDDEN',
    () => accepting().take('laptop', 'c1', signed(command({ expires_at: time + 40 * DAY_MS }))),
  ],
  [
    'what hub.accept does not contain',
    'ORCHD_HUB_FORBIDDEN',
    () => accepting({ accept: ['read'] }).take('laptop', 'c1', signed(command())),
  ],
  [
    'an operation that is for no other machine',
    'ORCHD_HUB_FORBIDDEN',
    () => accepting().take('laptop', 'c1', signed(command({ operation: 'session.remove' }))),
  ],
  [
    'a name that every object has',
    'ORCHD_HUB_FORBIDDEN',
    () => accepting().take('laptop', 'c1', signed(command({ operation: 'constructor' }))),
  ],
  [
    'a screen, which hub.share keeps',
    'ORCHD_HUB_FORBIDDEN',
    () =>
      accepting({ accept: ['read'] }).take(
        'laptop',
        'c1',
        signed(command({ operation: 'session.capture', input: { session: 'x' } })),
      ),
  ],
  [
    'an environment',
    'ORCHD_INVALID',
    () =>
      accepting({ accept: ['start'] }).take(
        'laptop',
        'c1',
        signed(command({ operation: 'session.start', input: { command: ['true'], env: {} } })),
      ),
  ],
  [
    'an input that does not fit',
    'ORCHD_INVALID',
    () => accepting().take('laptop', 'c1', signed(command({ input: { item: 7 } }))),
  ],
])('a command with %s is refused', async (_what, code, take) => {
  expect(codeOf(await take())).toBe(code);
  expect(ran).toEqual([]);
});

const opening = (read_only: boolean): Partial<Command> => ({
  operation: 'terminal.open',
  input: { session: 'web', read_only, painted: true, cols: 80, rows: 24, channel: 'c', key: 'k' },
});

test('a terminal needs "type", or "read" for a viewer that only reads, and screens that are shared', async () => {
  const [types, reads] = [signed(command(opening(false))), signed(command(opening(true)))];
  const take = (message: string, more: Partial<AcceptedCommandsPorts>): Promise<Outcome | Later> =>
    accepting({ sharesScreens: true, ...more }).take('laptop', 'c1', message);
  expect(await take(types, { accept: ['read'] })).toMatchObject({
    error: { code: 'ORCHD_HUB_FORBIDDEN', message: expect.stringContaining('without "type"') },
  });
  expect(await take(reads, { accept: ['type'] })).toMatchObject({
    error: { message: expect.stringContaining('without "read"') },
  });
  for (const message of [types, reads]) {
    expect(await take(message, { accept: ['read', 'type'], sharesScreens: false })).toMatchObject({
      error: { message: expect.stringContaining('shows no screens') },
    });
  }
  expect(ran).toEqual([]);
  expect(await take(types, { accept: ['type'] })).toEqual({ output: { key: 'k' } });
  expect(await take(reads, { accept: ['read'] })).toEqual({ output: { key: 'k' } });
  expect(ran.map(({ by }) => by)).toEqual(['ann@laptop', 'ann@laptop']);
  const large = command({ operation: 'terminal.open', input: { ...opening(false).input, cols: 5_000 } });
  expect(codeOf(await take(signed(large), { accept: ['type'] }))).toBe('ORCHD_INVALID');
});

test('an expired command is refused also after its id is forgotten', async () => {
  await accepting().take('laptop', 'c1', signed(command()));
  time += 2 * DAY_MS;
  for (let i = 0; i < 1_100; i++) {
    await commandLog.carriedOut({ from: 'laptop', id: `d${i}`, expires_at: time - 1, outcome: { output: {} } });
  }
  await commandLog.carriedOut({ from: 'laptop', id: 'last', expires_at: time + 1, outcome: { output: {} } });
  await commandLog.close();
  commandLog = openLog();
  await commandLog.carriedOut({ from: 'laptop', id: 'next', expires_at: time + 1, outcome: { output: {} } });
  expect(commandLog.outcomeOf('laptop', 'c1')).toBe(null);
  expect(readFileSync(join(folder, 'commands.jsonl'), 'utf8').split('\n')).toHaveLength(3); // two lines
  expect(codeOf(await accepting().take('laptop', 'c1', signed(command({ expires_at: time - DAY_MS }))))).toBe(
    'ORCHD_HUB_EXPIRED',
  );
  expect(ran).toHaveLength(1);
});

test('a line that a crash has cut is left out, and the next one is whole', async () => {
  await commandLog.carriedOut({ from: 'laptop', id: 'a', expires_at: time + 1, outcome: { output: {} } });
  await commandLog.close();
  const file = join(folder, 'commands.jsonl');
  writeFileSync(file, `${readFileSync(file, 'utf8')}{"kind":"done","from":"lap`);
  commandLog = openLog();
  await commandLog.carriedOut({ from: 'laptop', id: 'b', expires_at: time + 1, outcome: { output: {} } });
  await commandLog.close();
  commandLog = openLog();
  expect(['a', 'b'].map((id) => commandLog.outcomeOf('laptop', id))).toEqual([{ output: {} }, { output: {} }]);
});

const WORK = { from: 'laptop', id: 'run_1', reply: '$JS.ACK.1', proof: 'p' };
const work = (more: Partial<Command> = {}): string =>
  signed(
    command({
      id: 'run_1',
      to: 'label:gpu',
      operation: 'run.place',
      input: { id: 'run_1', for_workflow: 'wfl_1', prompt: 'Look' },
      ...more,
    }),
  );

test('work for a label that cannot begin yet is not held', async () => {
  let isReady = false;
  const accepted = accepting({
    accept: ['start'],
    labels: ['gpu'],
    ended: () => new Promise(() => undefined),
    run: async () => {
      if (isReady) return {};
      throw new OrchdError('ORCHD_CATCHING_UP', 'later');
    },
  });
  await expect(accepted.takeWork(WORK, work())).rejects.toMatchObject({ code: 'ORCHD_CATCHING_UP' });
  expect(accepted.held()).toEqual([]);
  isReady = true;
  expect(await accepted.takeWork(WORK, work())).toBe('begun');
  expect(accepted.held()).toEqual([{ ...WORK, outcome: null }]);
});

test('work that no machine can accept is void: no run, or not for a label of this one, or without a signature', async () => {
  const accepted = accepting({ accept: ['type', 'start'], labels: ['gpu'] });
  const typing = work({ operation: 'session.send', input: { session: 'web', text: 'make' } });
  expect(await accepted.takeWork(WORK, typing)).toBe('void');
  for (const message of ['junk', work().replace('Look', 'Lock'), work({ to: 'build' }), work({ id: 'run_2' })])
    expect(await accepted.takeWork(WORK, message)).toBe('void');
  expect([ran, accepted.held()]).toEqual([[], []]);
});

test('work that another machine has taken is given back, and not taken again', async () => {
  let end: (run: never) => void = () => undefined;
  const replies: string[] = [];
  const accepted = accepting({
    accept: ['start'],
    labels: ['gpu'],
    ended: () => new Promise((resolve) => (end = resolve as typeof end)),
    reply: async (_to, id) => void replies.push(id),
    run: async (operation) => {
      if (operation === 'run.withdraw') end({ id: 'run_1', state: 'cancelled' } as never);
      return { id: 'run_1' };
    },
  });
  expect(await accepted.takeWork(WORK, work())).toBe('begun');
  const input = { id: 'run_1', taken_by: 'other' };
  await accepted.take('laptop', 'w1', signed(command({ id: 'w1', operation: 'run.withdraw', input })));
  expect(accepted.held()).toEqual([]);
  expect(await accepted.takeWork({ ...WORK, reply: '$JS.ACK.2' }, work())).toBe('refused');
  expect(accepted.held()).toEqual([]);
});

test('the log says once for each machine that its work is refused', async () => {
  const said: unknown[] = [];
  const log = { info: (message: string) => void said.push(message) };
  const accepted = accepting({ accept: ['start'], labels: ['gpu'], log });
  const stranger = createUser();
  for (const id of ['run_1', 'run_2', 'run_3']) {
    const offered = signed(command({ id, to: 'label:gpu', operation: 'run.place', input: { id } }), stranger);
    expect(await accepted.takeWork({ ...WORK, id }, offered)).toBe('refused');
  }
  expect(said).toEqual(['work of the hub is not accepted here']);
});

test('a run that was withdrawn before it came is never started', async () => {
  const accepted = accepting({ accept: ['start'], labels: [] });
  const input = { id: 'run_1' };
  const withdrawal = signed(command({ id: 'w1', operation: 'run.withdraw', input }));
  const run = signed(
    command({ id: 'run_1', operation: 'run.place', input: { ...input, for_workflow: 'wfl_1', prompt: 'Look' } }),
  );
  const [, together] = await Promise.all([
    accepted.take('laptop', 'w1', withdrawal),
    accepted.take('laptop', 'run_1', run),
  ]);
  const late = await accepted.take('laptop', 'run_1', run);
  const outcome = { error: { code: 'ORCHD_RUN_ENDED', message: 'it was cancelled' } };
  expect([together, late]).toEqual([outcome, outcome]);
  expect(ran.map(({ operation }) => operation)).not.toContain('run.place');
});
