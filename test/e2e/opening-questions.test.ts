/**
 * Tests interactive runs of programs that ask something before they take a prompt. The question becomes an inbox item,
 * and the prompt is typed after its answer.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Item, Run } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { askHttp } from '../harness/http.js';
import { installTalkingAgent, type TalkingAgent } from '../harness/talking-agent.js';

const PAINTED = join(import.meta.dirname, '../harness/painted-program.mjs');
/** Asks four times, and then reads its prompt. It keeps each line that it reads. */
const LINES = `sleep 0.4
printf 'Do you trust this folder? [y/N] '; read a; sleep 0.4
printf 'How do you sign in?\\n1) Browser\\n2) Key\\nYour choice: '; read b; sleep 0.4
stty -echo; printf 'API key: '; read c; stty echo; echo; sleep 0.4
printf 'Press Enter to continue '; read d
printf '> '; read e
printf '%s\\n' "$a" "$b" "$c" "$d" "$e" >GOT; echo Done.`;

let daemon: TestDaemon;
let cwd: string;
beforeEach(async () => {
  daemon = await startDaemon();
  cwd = join(String(daemon.env['ORCHD_HOME']), 'place');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'ANSWER'), 'There are seven.');
});
afterEach(() => daemon.close());

async function start(fields: object): Promise<Run> {
  const body = { adapter: 'shell', interactive: true, prompt: 'Count the files.', cwd, ...fields };
  return (await askHttp(daemon.paths.socket, 'POST', '/runs', { body })).body;
}
const ended = async ({ id }: Run): Promise<Run> =>
  (await askHttp(daemon.paths.socket, 'GET', `/runs/${id}/wait?timeout_ms=30000`)).body;
const itemWith = async (words: string): Promise<Item> => {
  const { item_id } = await daemon.event('item_opened', ({ data }) => String(data['text']).includes(words));
  return daemon.client.call('inbox.show', { item: item_id });
};
const answer = async (words: string, text: string): Promise<Item> => {
  const item = await itemWith(words);
  expect(item).toMatchObject({ type: 'attention', data: { source: 'question' } });
  await daemon.client.call('inbox.answer', { item: item.id, text });
  return item;
};
const openedItems = async (): Promise<number> =>
  (await daemon.orchd('events', '--json')).stdout.split('\n').filter((line) => line.includes('"item_opened"')).length;

test('a program that prints lines gets its prompt after four questions', async () => {
  const run = await start({ args: ['sh', '-c', LINES] });
  await answer('Do you trust this folder?', 'y');
  const choice = await answer('How do you sign in?', '2');
  expect(choice.data['text']).toBe('How do you sign in?\n1) Browser\n2) Key\nYour choice:');
  await answer('API key', 'secret');
  await answer('Press Enter to continue', 'now');
  expect(await ended(run)).toMatchObject({ state: 'completed', result_text: 'Done.' });
  expect(readFileSync(join(cwd, 'GOT'), 'utf8')).toBe('y\n2\nsecret\nnow\nCount the files.\n');
  expect(await openedItems()).toBe(4);
});

test('a full-screen program gets its prompt after its question was answered in the terminal', async () => {
  const run = await start({ args: [process.execPath, PAINTED, 'asks', 'alternate'] });
  const { id, session_id } = await itemWith('Do you trust the files in this folder?');
  await daemon.client.call('session.keys', { session: session_id, keys: ['1'] });
  expect(await ended(run)).toMatchObject({ state: 'completed', result_text: 'There are seven.' });
  expect(existsSync(join(cwd, 'LOST'))).toBe(false);
  expect(await daemon.client.call('inbox.show', { item: id })).toMatchObject({ state: 'answered' });
});

test('after a crash of the daemon, the question is still one item, and the prompt is typed once', async () => {
  const run = await start({
    args: ['sh', '-c', `printf 'Trust it? [y/N] '; read a; printf '> '; read e; echo "$a $e"`],
  });
  await itemWith('Trust it?');
  await daemon.crash();
  await daemon.start();
  await answer('Trust it?', 'y');
  expect(await ended(run)).toMatchObject({ state: 'completed', result_text: 'y Count the files.' });
  expect(await openedItems()).toBe(1);
});

describe('an agent with an adapter', () => {
  let agent: TalkingAgent;
  beforeEach(() => {
    agent = installTalkingAgent();
  });
  afterEach(() => agent.close());
  const RULE = '─'.repeat(60);

  test.each([
    [
      'a dialog that its adapter reads',
      `${RULE}\nDo you trust this folder?\n\n❯ 1. Yes, I trust it\n  2. No\n`,
      'Do you trust',
      '',
    ],
    [
      'a question that its adapter does not know',
      'Signed in as ada.\n\nPress Enter to continue…',
      'Press Enter',
      'now',
    ],
  ])('gets its prompt after %s', async (_what, opening, words, text) => {
    const env = { ...agent.env, TALKING_OPENING: opening };
    const run = await start({ adapter: 'claude', cwd: agent.home, env });
    const item = await itemWith(words);
    const isChoice = item.data['options'] !== undefined;
    await daemon.client.call('inbox.answer', { item: item.id, ...(isChoice ? { option: 1 } : { text }) });
    expect(await ended(run)).toMatchObject({ state: 'completed', result_text: 'Done.' });
    expect(agent.heard()).toEqual(['Count the files.']);
    expect(await openedItems()).toBe(1);
    expect((await daemon.orchd('events', '--json')).stdout).not.toContain('"answer_stalled"');
  });
});
