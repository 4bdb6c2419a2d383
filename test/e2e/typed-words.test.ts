/**
 * Tests typing into programs without an adapter: text is protected from command syntax in a full-screen program and
 * unchanged in a program that reads lines.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { block, type PaintingSession, startPainting } from '../harness/painting-program.js';

let daemon: TestDaemon;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-words-'));
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.close();
  rmSync(dir, { recursive: true });
});

const start = (...command: string[]): Promise<Session> => daemon.client.call('session.start', { command, cwd: dir });

const startPainter = (questions: readonly string[], before: string, of = daemon): Promise<PaintingSession> =>
  startPainting(of, dir, { questions, before, below: '──── ready' });

const ALTERNATE = '\\x1b[?1049h';
const NO_CURSOR = '\\x1b[?25l';
const itemFor = (session: Session, text: string, of = daemon) =>
  of.event('item_opened', (event) => event.session_id === session.id && event.data['question'] === text);

test.each([
  ['/compact', 'the alternate screen', ALTERNATE, '\u2800/compact '],
  ['plain words', 'the alternate screen', ALTERNATE, 'plain words'],
  ['exit', 'a cursor of its own', NO_CURSOR, '\u2800exit'],
  ['!ls', 'text below its input line', '', '\u2800!ls'],
  ['D:\\builds\\', 'a cursor of its own', NO_CURSOR, 'D:\\builds\\\u2800'],
])('%j is typed as plain text into a full-screen program with %s', async (text, _, before, typed) => {
  const session = await startPainter(['Which?'], before);
  const { item_id } = await itemFor(session, 'Which?');
  const { answer } = await daemon.client.call('inbox.answer', { item: item_id, text });
  await expect.poll(() => session.told()).toEqual([typed]);
  expect(answer?.typed ?? answer?.text).toBe(typed);
});

test('a full-screen program with two questions gets the question before the answer', async () => {
  const session = await startPainter(['Which database?', 'Which cache?'], ALTERNATE);
  const { item_id } = await itemFor(session, 'Which cache?');
  const { stdout } = await daemon.orchd('answer', item_id, '--option', '1');
  expect(stdout).toMatch(/^answered \S+: exit \(typed: "Which cache: exit"\)\n$/);
  await expect.poll(() => session.told()).toEqual(['Which cache: exit']);
  expect((await daemon.orchd('inbox', item_id)).stdout).toMatch(/typed +"Which cache: exit"/);
  expect((await daemon.orchd('events')).stdout).toMatch(/item_answered .*: exit \(typed: "Which cache: exit"\)/);
  await daemon.orchd('send', session.id, '/compact');
  await daemon.orchd('send', session.id, 'see @README');
  await expect.poll(() => session.told()).toEqual(['Which cache: exit', '/compact', 'see @README ']);
});

test('without `sessions.name_questions` an answer is typed without its question', async () => {
  const other = await startDaemon({ env: { ORCHD_SESSIONS_NAME_QUESTIONS: 'false' } });
  try {
    const session = await startPainter(['Which database?', 'Which cache?'], ALTERNATE, other);
    await itemFor(session, 'Which cache?', other);
    const { item_id } = await itemFor(session, 'Which database?', other);
    const { answer } = await other.client.call('inbox.answer', { item: item_id, text: 'redis' });
    await expect.poll(() => session.told()).toEqual(['redis']);
    expect(answer?.typed).toBeUndefined();
  } finally {
    await other.close();
  }
});

test.each([
  ['/usr/bin/env', 'sh', 'read -r a'],
  ['exit', 'sh', 'read -r a'],
  ['C:\\temp\\', 'bash', 'read -er a'], // `read -e` edits lines, so it reads keys and bracketed pastes.
  ['@x', 'bash', 'read -er a'],
])('%j is typed unchanged into %s with two questions, which reads with `%s`', async (text, shell, read) => {
  const script = join(dir, 'asks.sh');
  writeFileSync(
    script,
    `printf '\\033[2J\\033[H'; read -r a; cat <<'EOF'\n${['Which path?', 'And then?'].map(block).join('\n')}\nEOF
${read}; printf '%s' "$a" > '${dir}/got'; sleep 60`,
  );
  const session = await start(shell, script);
  await daemon.orchd('send', session.id, 'Please begin.');
  await itemFor(session, 'And then?');
  const { item_id } = await itemFor(session, 'Which path?');
  const { answer } = await daemon.client.call('inbox.answer', { item: item_id, text });
  expect(answer?.text).toBe(text);
  expect(answer?.typed).toBeUndefined();
  await expect.poll(() => readFileSync(join(dir, 'got'), { encoding: 'utf8', flag: 'a+' })).toBe(text);
  await daemon.orchd('kill', session.id);
});
