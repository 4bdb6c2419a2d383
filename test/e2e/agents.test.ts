/**
 * Tests agents with a full-screen display: orchd types a text once, when the agent accepts input, and the agent's own
 * questions reach the user.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Item, Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

let daemon: TestDaemon;
let dir: string;
let count = 0;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-agent-'));
  // orchd recognizes the program by its name, like the real agent.
  const script = join(import.meta.dirname, '../harness/painted-agent.mjs');
  writeFileSync(join(dir, 'claude'), `#!/bin/sh\nexec '${process.execPath}' '${script}'\n`, { mode: 0o755 });
  const recording = join(dir, 'recording');
  mkdirSync(recording);
  const command = `AGENT_RECORDS=1 exec '${process.execPath}' '${script}' "$@"`;
  writeFileSync(join(recording, 'claude'), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.close();
  rmSync(dir, { recursive: true });
});

interface Agent extends Session {
  /** Returns the prompts and answers that the agent has received so far. */
  told(): string[];
}

const startAgent = (...short: string[]): Promise<Agent> => start(short, join(dir, 'claude'));
/** Starts an agent that keeps a transcript. */
const startRecording = (...short: string[]): Promise<Agent> =>
  start(short, join(dir, 'recording/claude'), '--env', `HOME=${dir}`, '--adapter', 'claude', '-C', dir);

async function start(short: readonly string[], program: string, ...flags: readonly string[]): Promise<Agent> {
  const log = join(dir, `${++count}.log`);
  const env = ['--env', `AGENT_LOG=${log}`, '--env', `AGENT_SHORT=${short.join(',')}`];
  const session = await daemon.json<Session>('run', '-d', '--json', ...env, ...flags, '--', program);
  const told = (): string[] =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as string);
  return { ...session, told };
}

const done = (session: Session) => daemon.json<Session>('wait', session.id, '--until', 'done', '--timeout', '30');
const acknowledged = (item: Item) => daemon.event('answer_acknowledged', (event) => event.item_id === item.id);

test.concurrent('send to a starting agent waits until the agent has drawn its composer', async () => {
  const agent = await startAgent('slow');
  expect((await daemon.orchd('send', agent.id, 'Please begin.')).code).toBe(0);
  await daemon.openItem(agent);
  expect(agent.told()).toEqual(['Please begin.']);
});

test.concurrent('an agent gets the exact answer to its question once and continues', async () => {
  const agent = await startAgent();
  await daemon.orchd('send', agent.id, 'Please begin.');
  const item = await daemon.openItem(agent);
  expect(item).toMatchObject({ type: 'QUESTION', data: { options: ['JWT', 'Session-based'] } });
  const answer = 'JWT, but:\n  "short" sessions\n終わり';
  await daemon.orchd('answer', item.id, answer);
  await done(agent);
  expect((await acknowledged(item)).evidence).not.toBe('');
  expect(agent.told()).toEqual(['Please begin.', answer]);
});

test.concurrent('an answer that stands in the transcript is acknowledged', async () => {
  const agent = await startRecording();
  await daemon.orchd('send', agent.id, 'Please begin.');
  const item = await daemon.openItem(agent);
  await daemon.orchd('answer', item.id, 'JWT, with  two blanks');
  expect((await acknowledged(item)).evidence).toContain('transcript');
});

test.concurrent('an answer that the agent has changed is stalled with what it got, and never acknowledged', async () => {
  const agent = await startRecording('smiles');
  await daemon.orchd('send', agent.id, 'Please begin.');
  const item = await daemon.openItem(agent);
  await daemon.orchd('answer', item.id, 'JWT is fine :) for now');
  const stalled = await daemon.event('answer_stalled', ({ item_id }) => item_id === item.id);
  expect(stalled).toMatchObject({ reason: 'text_changed', seen: 'JWT is fine 🙂 for now' });
  await done(agent);
  const shown = await daemon.orchd('inbox', item.id);
  expect(shown.stdout).toMatch(/stalled +text_changed\n.*JWT is fine 🙂 for now/);
  expect(shown.stdout).toContain(`orchd send ${agent.id} "…"`);
});

test.concurrent.each([
  ['exit', '\u2800exit'],
  [' Exit', '\u2800 Exit'],
  ['/clear', '\u2800/clear '],
  ['look at @src/a.ts', 'look at @src/a.ts '],
  ['one\n日本語 @x', 'one\n日本語 @x '],
  ['C:\\temp\\', 'C:\\temp\\ '],
  ['\\\\', '\\\\ '],
  ['\u200bexit', '\u2800exit'],
])('the answer %j is typed so that it triggers no command, and the item shows the typed text', async (text, typed) => {
  const agent = await startAgent();
  await daemon.orchd('send', agent.id, 'Please begin.');
  const item = await daemon.openItem(agent);
  const { answer } = await daemon.client.call('inbox.answer', { item: item.id, text });
  expect(answer).toMatchObject({ text, typed });
  await done(agent);
  expect((await acknowledged(item)).evidence).not.toBe('');
  expect(agent.told()).toEqual(['Please begin.', typed.trim()]);
});

test.concurrent('an answer of which the agent would remove each character is refused', async () => {
  const agent = await startAgent();
  await daemon.orchd('send', agent.id, 'Please begin.');
  const item = await daemon.openItem(agent);
  const { code, stderr } = await daemon.orchd('answer', item.id, '\u200b\u200d');
  expect(stderr).toContain('removes each character of this answer');
  expect(code).not.toBe(0);
  expect(await daemon.client.call('inbox.show', { item: item.id })).toMatchObject({ state: 'open' });
  expect(agent.told()).toEqual(['Please begin.']);
});

test.concurrent('an answer to one of two open questions is typed with its question in front', async () => {
  const agent = await startAgent('two');
  await daemon.orchd('send', agent.id, 'Please begin.');
  const isSecond = ({ data }: Pick<Item, 'data'>): boolean => String(data['question']).startsWith('And');
  const second = await daemon.event('item_opened', (event) => event.session_id === agent.id && isSecond(event));
  const first = await daemon.openItem(agent);
  await daemon.orchd('answer', second.item_id, '--option', '1');
  const answered = await daemon.event('item_answered', (event) => event.item_id === second.item_id);
  expect(answered.answer).toMatchObject({ text: 'exit', option: 1, typed: 'And which database: exit' });
  await daemon.event('answer_acknowledged', (event) => event.item_id === second.item_id);
  await daemon.orchd('answer', first.id, 'JWT');
  await done(agent);
  expect(agent.told()).toEqual(['Please begin.', 'And which database: exit', 'JWT']);
});

test.concurrent('a lost Enter is pressed once more', async () => {
  const agent = await startAgent('deaf');
  await daemon.orchd('send', agent.id, 'Please begin.');
  const item = await daemon.openItem(agent);
  await daemon.orchd('answer', item.id, '--option', '1');
  await done(agent);
  expect(agent.told()).toEqual(['Please begin.', 'JWT']);
});

test('an answer waits until the composer is empty, even across a daemon restart', async () => {
  const agent = await startAgent();
  await daemon.orchd('send', agent.id, 'Please begin.');
  const item = await daemon.openItem(agent);
  await daemon.orchd('keys', agent.id, 'h', 'm', 'm');
  await expect.poll(async () => (await daemon.orchd('capture', agent.id)).stdout).toContain('❯ hmm');
  await daemon.orchd('answer', item.id, 'JWT');
  const stalled = await daemon.event('answer_stalled', (event) => event.item_id === item.id);
  expect(stalled).toMatchObject({ reason: 'composer_busy', seen: 'hmm' });
  expect(agent.told()).toEqual(['Please begin.']);
  await daemon.crash();
  await daemon.start();
  await daemon.orchd('keys', agent.id, 'C-u');
  await done(agent);
  expect(agent.told()).toEqual(['Please begin.', 'JWT']);
});

test('an agent whose composer shows what nobody typed is made to repaint, and then gets the answer', async () => {
  const agent = await startAgent('stale');
  await daemon.orchd('send', agent.id, 'Please begin.');
  const item = await daemon.openItem(agent);
  await daemon.orchd('answer', item.id, 'JWT');
  const stalled = await daemon.event('answer_stalled', (event) => event.item_id === item.id);
  expect(stalled).toMatchObject({ reason: 'composer_busy', seen: '}' });
  await done(agent);
  expect(agent.told()).toEqual(['Please begin.', 'JWT']);
  expect((await daemon.client.call('session.show', { session: agent.id })).size).toEqual(agent.size);
});

test.concurrent('an answer to a busy agent is typed when the agent has finished', async () => {
  const agent = await startAgent('busy');
  await daemon.orchd('send', agent.id, 'Please begin.');
  const item = await daemon.openItem(agent);
  await daemon.orchd('answer', item.id, 'JWT');
  await acknowledged(item);
  await done(agent);
  expect(agent.told()).toEqual(['Please begin.', 'JWT']);
});

test.concurrent('a permission prompt becomes an item that accepts an option and refuses text', async () => {
  const agent = await startAgent('dialog');
  await daemon.orchd('send', agent.id, 'Please begin.');
  const item = await daemon.openItem(agent);
  expect(item).toMatchObject({
    type: 'attention',
    message_id: null,
    data: { options: ['Yes', 'No'], source: 'dialog' },
  });
  expect(item.data['text']).toContain('Do you want to proceed?');
  expect((await daemon.json<Session>('show', agent.id)).state).toBe('waiting');
  const refused = await daemon.orchd('answer', item.id, 'yes please');
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain('attach');
  await daemon.orchd('answer', item.id, '--option', '1');
  await acknowledged(item);
  const question = await daemon.openItem(agent);
  expect(question.type).toBe('QUESTION');
  expect(agent.told()).toEqual(['Please begin.']);
});

test.concurrent('answering a permission prompt in the terminal closes its item', async () => {
  const agent = await startAgent('dialog');
  await daemon.orchd('send', agent.id, 'Please begin.');
  const item = await daemon.openItem(agent);
  await daemon.orchd('keys', agent.id, '1');
  await daemon.event('item_answered', (event) => event.item_id === item.id);
  expect((await daemon.client.call('inbox.show', { item: item.id })).answer?.by).toBe('terminal');
});

test.concurrent('send to an agent with an open dialog fails and names the dialog', async () => {
  const agent = await startAgent('dialog');
  await daemon.orchd('send', agent.id, 'Please begin.');
  await daemon.openItem(agent);
  const refused = await daemon.orchd('send', agent.id, 'rm -r /', '--timeout', '1');
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain('dialog');
  expect(agent.told()).toEqual(['Please begin.']);
});

test.concurrent('a dialog can be answered while another answer waits for it, and both arrive', async () => {
  const agent = await startAgent('late-dialog');
  await daemon.orchd('send', agent.id, 'Please begin.');
  const question = await daemon.event(
    'item_opened',
    (event) => event.session_id === agent.id && event.type === 'QUESTION',
  );
  const dialog = await daemon.event(
    'item_opened',
    (event) => event.session_id === agent.id && event.type === 'attention',
  );
  await daemon.orchd('answer', question.item_id, 'JWT');
  await daemon.event('answer_stalled', (event) => event.item_id === question.item_id);
  await daemon.orchd('answer', dialog.item_id, '--option', '1');
  await done(agent);
  expect(agent.told()).toEqual(['Please begin.', 'JWT']);
});

test.concurrent('a text whose send timed out is never typed', async () => {
  const agent = await startAgent('dialog');
  await daemon.orchd('send', agent.id, 'Please begin.');
  await daemon.openItem(agent);
  const first = daemon.orchd('send', agent.id, 'first', '--timeout', '30');
  expect((await daemon.orchd('send', agent.id, 'second', '--timeout', '1')).code).toBe(4);
  await daemon.orchd('keys', agent.id, '1');
  expect((await first).code).toBe(0);
  await done(agent);
  expect(agent.told()).toEqual(['Please begin.', 'first']);
});

test.concurrent('a dialog that ignores the chosen option opens a new item', async () => {
  const agent = await startAgent('dialog', 'stubborn');
  await daemon.orchd('send', agent.id, 'Please begin.');
  const first = await daemon.openItem(agent);
  await daemon.orchd('answer', first.id, '--option', '1');
  const stalled = await daemon.event('answer_stalled', (event) => event.item_id === first.id);
  expect(stalled.reason).toBe('dialog_stays');
  const second = await daemon.openItem(agent);
  expect(second.id).not.toBe(first.id);
  await daemon.orchd('answer', second.id, '--option', '1');
  await acknowledged(second);
});
