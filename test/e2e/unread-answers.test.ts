/**
 * Tests answers to programs that print lines and do not read their terminal all the time. The programs print what they
 * got. orchd sees on Linux only if a program reads.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Item, Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

let daemon: TestDaemon;
let folder: string;
beforeAll(async () => {
  daemon = await startDaemon();
  folder = mkdtempSync(join(tmpdir(), 'orchd-unread-'));
});
afterAll(async () => {
  await daemon.close();
  rmSync(folder, { recursive: true, force: true });
});

const ASK = `echo ':ORCHESTRATOR: QUESTION - Which?'`;
const answer = (item: Item, text: string) => daemon.client.call('inbox.answer', { item: item.id, text });
const acknowledged = (item: Item) => daemon.event('answer_acknowledged', ({ item_id }) => item_id === item.id);
const deliveryOf = async (item: Item) =>
  (await daemon.client.call('inbox.show', { item: item.id })).answer?.delivery ?? null;

/**
 * Expects that an answer waits for a program that works, and arrives when it reads.
 *
 * @param files  Once they exist, the program prints that it still works, and reads.
 */
async function expectHeld(session: Session, files: { readonly go: string; readonly read: string }): Promise<void> {
  const item = await daemon.openItem(session);
  await answer(item, 'postgres');
  writeFileSync(files.go, '');
  await expect.poll(() => daemon.screenOf(session)).toContain('still working');
  expect(await deliveryOf(item)).toBe('accepted');
  writeFileSync(files.read, '');
  await acknowledged(item);
  expect(await daemon.screenOf(session)).toContain('took <postgres>');
}

test.runIf(process.platform === 'linux')(
  'an answer waits for a program that works, and arrives though it throws away what was typed before',
  async () => {
    const [go, read] = [join(folder, 'go'), join(folder, 'read')];
    const until = (file: string) => `while [ ! -e ${file} ]; do sleep 0.05; done`;
    const flush = `python3 -c 'import termios; termios.tcflush(0, termios.TCIFLUSH)'`;
    const session = await daemon.sh(
      `${ASK}; ${until(go)}; echo 'still working'; ${until(read)}; ${flush}; read -r a; echo "took <$a>"; cat`,
    );
    await expectHeld(session, { go, read });
  },
);

test.runIf(process.platform === 'linux')('an answer waits for a program in Node that computes', async () => {
  const [go, read] = [join(folder, 'node-go'), join(folder, 'node-read')];
  const script = `const { existsSync } = require('node:fs');
    console.log(':ORCHESTRATOR: QUESTION - Which?');
    while (!existsSync('${go}'));
    console.log('still working');
    while (!existsSync('${read}'));
    process.stdin.once('data', (line) => console.log('took <' + String(line).trim() + '>'));`;
  const session = await daemon.client.call('session.start', { command: [process.execPath, '-e', script] });
  await expectHeld(session, { go, read });
});

test.runIf(process.platform === 'linux')(
  'a script of bash with `read -e` refuses an answer of several lines',
  async () => {
    const session = await daemon.client.call('session.start', {
      command: ['bash', '-c', `${ASK}; read -r -e -p 'answer> ' a; echo "took <$a>"; cat`],
    });
    const item = await daemon.openItem(session);
    await expect.poll(() => daemon.screenOf(session)).toContain('answer>');
    await expect(answer(item, 'one\ntwo')).rejects.toMatchObject({ code: 'ORCHD_ONE_LINE' });
  },
);

test('an answer is typed at once to a question that came with the end of the answer before', async () => {
  const ask = (question: string) => `echo ':ORCHESTRATOR: QUESTION - ${question}'; read -r -e -p '${question} ' a`;
  const questions = ['First', 'Second', 'Third'];
  const session = await daemon.client.call('session.start', {
    command: ['bash', '-c', `${questions.map(ask).join('; ')}; echo "took <$a>"; cat`],
  });
  for (const question of questions) {
    const item = await daemon.openItem(session);
    await answer(item, `an answer to ${question}`);
    await daemon.event('answer_written', ({ item_id }) => item_id === item.id);
  }
  await expect.poll(() => daemon.screenOf(session)).toContain('took <an answer to Third>');
  for await (const event of daemon.client.events({ type: ['answer_stalled'] }))
    expect(event).not.toMatchObject({ session_id: session.id });
});

test('a tab is typed as blanks for a program that would take it for a key, and the item says so', async () => {
  const script = `const { createInterface } = require('node:readline/promises');
    const completer = (line) => [[line + 'done'], line];
    const lines = createInterface({ input: process.stdin, output: process.stdout, completer });
    console.log(':ORCHESTRATOR: QUESTION - Which?');
    lines.question('answer> ').then((line) => { console.log('took <' + line + '>'); process.stdin.resume(); });`;
  const session = await daemon.client.call('session.start', { command: [process.execPath, '-e', script] });
  const item = await daemon.openItem(session);
  await expect.poll(() => daemon.screenOf(session)).toContain('answer>');
  expect((await answer(item, 'a\tb')).answer).toMatchObject({ text: 'a\tb', typed: 'a    b' });
  await expect.poll(() => daemon.screenOf(session)).toContain('took <a    b>');
});

test.runIf(process.platform === 'linux')(
  'an answer is acknowledged by a program that has printed lines after its question',
  async () => {
    const session = await daemon.sh(`${ASK}; echo 'Your answer, please.'; read -r a; echo "took <$a>"; cat`);
    const item = await daemon.openItem(session);
    await expect.poll(() => daemon.screenOf(session)).toContain('please');
    await answer(item, 'postgres');
    await acknowledged(item);
    expect(await daemon.screenOf(session)).toContain('took <postgres>');
  },
);

test('an answer is typed as a line where an earlier program has left bracketed paste set', async () => {
  const session = await daemon.sh(`printf '\\033[?2004h'; ${ASK}; read -r a; printf 'took <%s>\\n' "$a" | cat -v; cat`);
  const item = await daemon.openItem(session);
  await expect(answer(item, 'one\ntwo')).rejects.toMatchObject({ code: 'ORCHD_ONE_LINE' });
  await answer(item, 'postgres');
  await expect.poll(() => daemon.screenOf(session)).toContain('took <postgres>');
});
