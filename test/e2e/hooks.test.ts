/**
 * Tests permission questions of an agent's own hook: the hook and the dialog share one item, the hook returns the
 * decision if it can, and a hook without a decision does no harm.
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
  // The program is not a shell script, so orchd asks it for its flags and starts it with the settings.
  writeFileSync(join(dir, 'claude'), `#!${process.execPath}\nimport('${script}');\n`, { mode: 0o755 });
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.close();
  rmSync(dir, { recursive: true });
});

interface Agent extends Session {
  readonly log: string;
  /** The item of the hook once the hook asks. With `other`, the item of the dialog. */
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

/** Answers with the option whose label begins with this text. */
const answer = (item: Item, label: string, text?: string) => {
  const option = optionsOf(item).findIndex((one) => one.startsWith(label)) + 1;
  return daemon.client.call('inbox.answer', { item: item.id, option, ...(text !== undefined && { text }) });
};

/** Returns the session's open item once it satisfies the condition. */
async function itemWith(session: Pick<Session, 'id'>, fits: (item: Item) => boolean): Promise<Item> {
  const list = () => daemon.client.call('inbox.list', { session: session.id });
  return until(async () => (await list()).find(fits));
}

/** True if the item has the choices of both the hook and the dialog. */
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

/** Counts the notes that the session's hooks wrote to the journal. */
function asksIn(sessionId: string): number {
  let asks = 0;
  const reader = openJournal(daemon.paths.journalsDir, sessionId);
  reader.read(Number.POSITIVE_INFINITY, (record) => {
    if (record.kind === 'note' && record.name === 'hook') asks++;
  });
  reader.close();
  return asks;
}

/** Returns the texts that the agent received, once its hook has ended. */
async function told({ log }: Agent): Promise<string[]> {
  const read = () => readFileSync(log, 'utf8').split('\n').filter(Boolean);
  await until(() => read().find((line) => line.startsWith('"hook: ')));
  return read().map((line) => JSON.parse(line) as string);
}

const decision = (told: string): unknown => JSON.parse(told.replace('hook: ', '')).hookSpecificOutput.decision;
const eventsOf = (item: Item, events: readonly Event[]): string[] =>
  events.filter((event) => 'item_id' in event && event.item_id === item.id).map(({ event_type }) => event_type);

describe.concurrent('a permission that a hook asks for', () => {
  test('is one item for hook and dialog, and the hook returns the decision without a key press', async () => {
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
      'item_opened',
      'item_answered',
      'answer_accepted',
      'answer_written',
      'answer_acknowledged',
    ]);
    const opened = events.filter((event) => event.event_type === 'item_opened' && event.type === 'attention');
    expect(opened).toHaveLength(1);
  });

  test('can be denied with a reason', async () => {
    const agent = await startAgent();
    const item = await itemWith(agent, isWhole);
    await expect(answer(item, 'No, because')).rejects.toMatchObject({ code: 'ORCHD_INVALID' });
    await answer(item, 'No, because', 'use make clean');
    const [, hook = ''] = await told(agent);
    expect(decision(hook)).toEqual({ behavior: 'deny', message: 'use make clean' });
  });

  test('is answered by a key if only the dialog has the choice, and the hook returns nothing', async () => {
    const agent = await startAgent();
    const item = await itemWith(agent, isWhole);
    await answer(item, 'Always');
    expect(await told(agent)).toEqual(expect.arrayContaining(['key: 3', 'hook: ']));
  });

  test('closes its item when it is answered in the terminal, and the hook returns nothing', async () => {
    const agent = await startAgent();
    const item = await itemWith(agent, isWhole);
    await daemon.client.call('session.keys', { session: agent.id, keys: ['1'] });
    expect(await told(agent)).toEqual(['Please begin.', 'key: 1', 'hook: ']);
    expect((await daemon.client.call('inbox.show', { item: item.id })).answer?.by).toBe('terminal');
  });

  test('is answered by the hook alone if the dialog cannot be read', async () => {
    const agent = await startAgent('blind');
    expect(agent.item).toMatchObject({ data: { options: ['Yes', 'No', 'No, because: '] } });
    expect(agent.item.data['text']).toContain('rm -r build');
    expect((await daemon.client.call('session.show', { session: agent.id })).state).toBe('waiting');
    await answer(agent.item, 'No');
    const [, hook = ''] = await told(agent);
    expect(decision(hook)).toMatchObject({ behavior: 'deny', interrupt: true });
  });

  test('is answered by a key if the hook was killed', async () => {
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

  test('is not answered by the answer to an unrelated dialog', async () => {
    const agent = await startAgent('other');
    const { item: dialog } = agent;
    expect(dialog.data).toMatchObject({ options: ['Yes', 'No', 'Always'] });
    await until(() => asksIn(agent.id) === 1 || undefined);
    await answer(dialog, 'Yes');
    expect(await told(agent)).toEqual(['Please begin.', 'key: 1', 'hook: ']);
  });
});

test('a permission that a hook asks for survives a daemon crash as the same item', async () => {
  const agent = await startAgent();
  const item = await itemWith(agent, isWhole);
  await daemon.crash();
  await daemon.start();
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

  test('prints nothing and exits with 0 outside a session, for invalid input, and for a shell session', async () => {
    const { id } = await daemon.sh('read -r line');
    const inside = { ...daemon.env, ORCHD_SESSION_ID: id };
    const cases: [NodeJS.ProcessEnv, string][] = [
      [daemon.env, ASKED],
      [inside, ''],
      [inside, 'no JSON'],
      [inside, '[]'],
      [inside, ASKED], // The adapter of a shell has no hooks.
      [{ ...inside, ORCHD_SESSION_ID: 'ses_nobody' }, ASKED],
    ];
    for (const [env, input] of cases) {
      expect(run(env, input)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    }
  });
});
