/**
 * Agents with a full-screen display: they are typed to when they take input, once, and what they ask themselves reaches
 * the person.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  // orchd recognizes it by its name, like the real one.
  const script = join(import.meta.dirname, '../harness/painted-agent.mjs');
  writeFileSync(join(dir, 'claude'), `#!/bin/sh\nexec '${process.execPath}' '${script}'\n`, { mode: 0o755 });
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.close();
  rmSync(dir, { recursive: true });
});

interface Agent extends Session {
  /** The prompts and answers that it has received so far. */
  told(): string[];
}

async function startAgent(...short: string[]): Promise<Agent> {
  const log = join(dir, `${++count}.log`);
  const env = ['--env', `AGENT_LOG=${log}`, '--env', `AGENT_SHORT=${short.join(',')}`];
  const session = await daemon.json<Session>('run', '-d', '--json', ...env, '--', join(dir, 'claude'));
  const told = (): string[] =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as string);
  return { ...session, told };
}

const done = (session: Session) => daemon.json<Session>('wait', session.id, '--until', 'done', '--timeout', '30');
const acknowledged = (item: Item) => daemon.event('answer_acknowledged', (event) => event.item_id === item.id);

test('a text that is sent to an agent that only starts waits until its composer is drawn', async () => {
  const agent = await startAgent('slow');
  expect((await daemon.orchd('send', agent.id, 'Please begin.')).code).toBe(0);
  await daemon.openItem(agent);
  expect(agent.told()).toEqual(['Please begin.']);
});

test('its question is answered: it gets exactly the answer, once, and goes on', async () => {
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

test.each([
  ['exit', '\u2800exit'],
  [' Exit', '\u2800 Exit'],
  ['/clear', '\u2800/clear '],
  ['look at @src/a.ts', 'look at @src/a.ts '],
  ['one\n日本語 @x', 'one\n日本語 @x '],
  ['C:\\temp\\', 'C:\\temp\\ '],
  ['\\\\', '\\\\ '],
])('%j is words to it: it goes on, and the record of the answer says what was typed', async (text, typed) => {
  const agent = await startAgent();
  await daemon.orchd('send', agent.id, 'Please begin.');
  const item = await daemon.openItem(agent);
  const { answer } = await daemon.client.call('inbox.answer', { item: item.id, text });
  expect(answer).toMatchObject({ text, typed });
  await done(agent);
  expect((await acknowledged(item)).evidence).not.toBe('');
  expect(agent.told()).toEqual(['Please begin.', typed.trim()]);
});

test('of two open questions the one that an answer belongs to is typed before it', async () => {
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

test('an Enter that it loses is pressed once more, and only then', async () => {
  const agent = await startAgent('deaf');
  await daemon.orchd('send', agent.id, 'Please begin.');
  const item = await daemon.openItem(agent);
  await daemon.orchd('answer', item.id, '--option', '1');
  await done(agent);
  expect(agent.told()).toEqual(['Please begin.', 'JWT']);
});

test('an answer waits while somebody writes in the composer, and is typed when it is empty again, even by another daemon', async () => {
  const agent = await startAgent();
  await daemon.orchd('send', agent.id, 'Please begin.');
  const item = await daemon.openItem(agent);
  await daemon.orchd('keys', agent.id, 'h', 'm', 'm');
  await expect.poll(async () => (await daemon.orchd('capture', agent.id)).stdout).toContain('❯ hmm');
  await daemon.orchd('answer', item.id, 'JWT');
  const stalled = await daemon.event('answer_stalled', (event) => event.item_id === item.id);
  expect(stalled.reason).toBe('composer_busy');
  expect(agent.told()).toEqual(['Please begin.']);
  await daemon.crash();
  await daemon.orchd('start', '--detach', '--no-tcp');
  await daemon.orchd('keys', agent.id, 'C-u');
  await done(agent);
  expect(agent.told()).toEqual(['Please begin.', 'JWT']);
});

test('an answer that comes while it still works is typed when it has finished', async () => {
  const agent = await startAgent('busy');
  await daemon.orchd('send', agent.id, 'Please begin.');
  const item = await daemon.openItem(agent);
  await daemon.orchd('answer', item.id, 'JWT');
  await acknowledged(item);
  await done(agent);
  expect(agent.told()).toEqual(['Please begin.', 'JWT']);
});

test('its own permission prompt is an item: choosing in it presses the key, and text is refused', async () => {
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

test('a permission that is given in the terminal closes its item', async () => {
  const agent = await startAgent('dialog');
  await daemon.orchd('send', agent.id, 'Please begin.');
  const item = await daemon.openItem(agent);
  await daemon.orchd('keys', agent.id, '1');
  await daemon.event('item_answered', (event) => event.item_id === item.id);
  expect((await daemon.client.call('inbox.show', { item: item.id })).answer?.by).toBe('terminal');
});

test('nothing is sent into a dialog: the caller is told what is in the way', async () => {
  const agent = await startAgent('dialog');
  await daemon.orchd('send', agent.id, 'Please begin.');
  await daemon.openItem(agent);
  const refused = await daemon.orchd('send', agent.id, 'rm -r /', '--timeout', '1');
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain('dialog');
  expect(agent.told()).toEqual(['Please begin.']);
});

test('a dialog can be answered while an answer waits for its end, and both arrive', async () => {
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

test('what is sent and given up before its turn comes is never typed', async () => {
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

test('a choice that the program ignores is asked again', async () => {
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
