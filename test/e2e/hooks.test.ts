/**
 * Questions of an agent's own hook: one item for the hook and the dialog, decided by the hook if it can, and harmless
 * if it cannot.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openJournal } from '../../src/host/index.js';
import { type Event, type Item, optionsOf, type Session } from '../../src/protocol/index.js';
import { processesOf } from '../agents/host-agent.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

const BIN = join(import.meta.dirname, '../../bin/orchd.js');
let daemon: TestDaemon;
let dir: string;
let count = 0;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-hooks-'));
  const script = join(import.meta.dirname, '../harness/painted-agent.mjs');
  // No shell script: it is asked for its flags, and started with the settings.
  writeFileSync(join(dir, 'claude'), `#!${process.execPath}\nimport('${script}');\n`, { mode: 0o755 });
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.close();
  rmSync(dir, { recursive: true });
});

interface Agent extends Session {
  readonly log: string;
  /** Its item, once the hook asks by it; with `other` its dialog's. */
  readonly item: Item;
}

async function startAgent(...short: string[]): Promise<Agent> {
  const { client } = daemon;
  const log = join(dir, `${++count}.log`);
  const env = { ...process.env, AGENT_LOG: log, AGENT_SHORT: ['dialog', 'hook', ...short].join(',') } as const;
  const session = await client.call('session.start', { command: [join(dir, 'claude')], cwd: dir, env });
  await client.call('session.send', { session: session.id, text: 'Please begin.' });
  const isIt: (item: Item) => boolean = short.includes('other')
    ? ({ data }) => data['source'] === 'dialog'
    : ({ call_id }) => call_id !== undefined;
  return { ...session, log, item: await itemWith(session, isIt) };
}

/** Chooses what begins so. */
const answer = (item: Item, label: string, text?: string) => {
  const option = optionsOf(item).findIndex((one) => one.startsWith(label)) + 1;
  return daemon.client.call('inbox.answer', { item: item.id, option, ...(text !== undefined && { text }) });
};

/** The session's open item, once it is like that. */
async function itemWith(session: Pick<Session, 'id'>, fits: (item: Item) => boolean): Promise<Item> {
  const list = () => daemon.client.call('inbox.list', { session: session.id });
  return until(async () => (await list()).find(fits));
}

/** Hook and dialog have met. */
const isWhole = (item: Item): boolean => [...optionsOf(item)].sort().join() === 'Always,No,No, because: ,Yes';

/** Returns the first defined result of `look`. `expect.poll` belongs to one test at a time. */
const until = <T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> =>
  vi.waitFor(
    async () => {
      const found = await look();
      if (found === undefined) throw new Error('not yet');
      return found;
    },
    { timeout: 20_000 },
  );

/** Counts the questions of its hooks. */
function asksIn(sessionId: string): number {
  let asks = 0;
  const reader = openJournal(daemon.paths.journalsDir, sessionId);
  reader.read(Number.POSITIVE_INFINITY, (record) => {
    if (record.kind === 'note' && record.name === 'hook') asks++;
  });
  reader.close();
  return asks;
}

/** Returns the texts that it received, once the hook has ended. */
async function told({ log }: Agent): Promise<string[]> {
  const read = () => readFileSync(log, 'utf8').split('\n').filter(Boolean);
  await until(() => read().find((line) => line.startsWith('"hook: ')));
  return read().map((line) => JSON.parse(line) as string);
}

const decision = (told: string): unknown => JSON.parse(told.replace('hook: ', '')).hookSpecificOutput.decision;
const eventsOf = (item: Item, events: readonly Event[]): string[] =>
  events.filter((event) => 'item_id' in event && event.item_id === item.id).map(({ event_type }) => event_type);

describe.concurrent('a permission for which a hook waits', () => {
  test('is one item for hook and dialog, with the dialog’s choices; the hook gives the decision, and no key is pressed', async () => {
    const agent = await startAgent();
    const item = await itemWith(agent, isWhole);
    expect(item).toMatchObject({ id: agent.item.id, awaited: true, data: { source: 'dialog' } });
    expect(item.data['text']).toContain('Do you want to proceed?');
    await answer(item, 'Yes');
    const [, hook = ''] = await told(agent);
    expect(decision(hook)).toEqual({ behavior: 'allow' });
    const { evidence } = await daemon.event('answer_acknowledged', ({ item_id }) => item_id === item.id);
    expect(evidence).toContain('hook');
    await daemon.event('item_opened', ({ session_id, type }) => session_id === agent.id && type === 'QUESTION');
    const events = await daemon.client.call('event.list', { since: 0, session: agent.id });
    expect(eventsOf(item, events).filter((type) => type !== 'item_changed' && type !== 'item_notified')).toEqual([
      ...['item_opened', 'item_answered', 'answer_accepted', 'answer_written', 'answer_acknowledged'],
    ]);
    const opened = events.filter((event) => event.event_type === 'item_opened' && event.type === 'attention');
    expect(opened).toHaveLength(1);
  });

  test('is refused with the person’s reason', async () => {
    const agent = await startAgent();
    const item = await itemWith(agent, isWhole);
    await expect(answer(item, 'No, because')).rejects.toMatchObject({ code: 'ORCHD_INVALID' });
    await answer(item, 'No, because', 'use make clean');
    const [, hook = ''] = await told(agent);
    expect(decision(hook)).toEqual({ behavior: 'deny', message: 'use make clean' });
  });

  test('is given by a key where only the dialog has that choice, and the hook says nothing', async () => {
    const agent = await startAgent();
    const item = await itemWith(agent, isWhole);
    await answer(item, 'Always');
    expect(await told(agent)).toEqual(expect.arrayContaining(['key: 3', 'hook: ']));
  });

  test('is given in the terminal: the item is closed, and the hook ends and says nothing', async () => {
    const agent = await startAgent();
    const item = await itemWith(agent, isWhole);
    await daemon.client.call('session.keys', { session: agent.id, keys: ['1'] });
    expect(await told(agent)).toEqual(['Please begin.', 'key: 1', 'hook: ']);
    expect((await daemon.client.call('inbox.show', { item: item.id })).answer?.by).toBe('terminal');
  });

  test('is given by the hook alone where the dialog cannot be read, with all that the hook was told', async () => {
    const agent = await startAgent('blind');
    expect(agent.item).toMatchObject({ data: { options: ['Yes', 'No', 'No, because: '] } });
    expect(agent.item.data['text']).toContain('rm -r build');
    expect((await daemon.client.call('session.show', { session: agent.id })).state).toBe('waiting');
    await answer(agent.item, 'No');
    const [, hook = ''] = await told(agent);
    expect(decision(hook)).toMatchObject({ behavior: 'deny', interrupt: true });
  });

  test('is given by a key when the hook was killed', async () => {
    const agent = await startAgent();
    const item = await itemWith(agent, isWhole);
    const [hook = ''] = processesOf(agent.id).filter((line) => line.endsWith(' hook'));
    process.kill(Number.parseInt(hook, 10), 'SIGKILL');
    await itemWith(agent, ({ awaited }) => !awaited);
    await expect(answer(item, 'No, because', 'of this')).rejects.toMatchObject({ code: 'ORCHD_INVALID' });
    await answer(item, 'Yes');
    await daemon.event('answer_acknowledged', ({ item_id }) => item_id === item.id);
    expect(await told(agent)).toEqual(['Please begin.', 'hook: ', 'key: 1']);
  });

  test('is never given by who decides on a dialog that is about something else', async () => {
    const agent = await startAgent('other');
    const { item: dialog } = agent;
    expect(dialog.data).toMatchObject({ options: ['Yes', 'No', 'Always'] });
    await until(() => asksIn(agent.id) === 1 || undefined);
    await answer(dialog, 'Yes');
    expect(await told(agent)).toEqual(['Please begin.', 'key: 1', 'hook: ']);
  });
});

test('a permission for which a hook waits survives a daemon that is killed: it is the same item, and the hook gets the answer', async () => {
  const agent = await startAgent();
  const item = await itemWith(agent, isWhole);
  await daemon.crash();
  await daemon.orchd('start', '--detach', '--no-tcp');
  await answer(item, 'Yes');
  const [, hook = ''] = await told(agent);
  expect(decision(hook)).toEqual({ behavior: 'allow' });
});

describe('orchd hook', () => {
  const run = (env: NodeJS.ProcessEnv, input: string) =>
    spawnSync(process.execPath, [BIN, 'hook'], { env, input, encoding: 'utf8' });
  const ASKED = JSON.stringify({
    hook_event_name: 'PermissionRequest',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  });

  test('says nothing, and does not fail, outside of a session, for rubbish, and for what is nobody’s to decide', async () => {
    const { id } = await daemon.sh('read -r line');
    const inside = { ...daemon.env, ORCHD_SESSION_ID: id };
    const cases: [NodeJS.ProcessEnv, string][] = [
      [daemon.env, ASKED],
      [inside, ''],
      [inside, 'no JSON'],
      [inside, '[]'],
      [inside, ASKED], // a shell's hooks decide nothing
      [{ ...inside, ORCHD_SESSION_ID: 'ses_nobody' }, ASKED],
    ];
    for (const [env, input] of cases) {
      expect(run(env, input)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    }
  });
});
