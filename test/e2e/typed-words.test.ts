/** What is typed into programs without an adapter: words into a full-screen program, every text as it is into one that reads lines. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

const block = (question: string): string => {
  const message = { type: 'QUESTION', data: { question, options: ['exit'] } };
  return `● Here it is.\n\n  orchestrator-message\n  ${JSON.stringify(message)}\n`;
};

/** Paints its questions after the first input, and writes every other one to a file, as a JSON string a line. */
const painter = (questions: readonly string[], before: string): string => `
const { appendFileSync } = require('node:fs');
let rows = null;
let typed = '';
process.stdin.setRawMode(true);
process.stdin.setEncoding('utf8').on('data', (data) => {
  for (const key of data.match(/\\x1b\\[20[01]~|[^]/gu)) {
    if (key === '\\r') submit();
    else if (!key.startsWith('\\x1b')) typed += key;
  }
  paint();
});
function submit() {
  if (rows) appendFileSync(process.argv[2], JSON.stringify(typed) + '\\n');
  rows ??= ${JSON.stringify(questions.map(block).join('\n').split('\n'))};
  typed = '';
}
function paint() {
  const shown = [...(rows ?? []), '> ' + typed];
  process.stdout.write(shown.map((row, y) => '\\x1b[' + (y + 1) + 'H' + row + '\\x1b[K').join(''));
}
process.stdout.write('${before}\\x1b[?2004h\\x1b[2J');
paint();
`;

let daemon: TestDaemon;
let dir: string;
let count = 0;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-words-'));
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.close();
  rmSync(dir, { recursive: true });
});

const start = (...command: string[]): Promise<Session> => daemon.client.call('session.start', { command, cwd: dir });

interface Painter extends Session {
  told(): string[];
}

async function startPainter(questions: readonly string[], before: string): Promise<Painter> {
  const program = join(dir, `${++count}.cjs`);
  const log = join(dir, `${count}.log`);
  writeFileSync(program, painter(questions, before));
  writeFileSync(log, '');
  const session = await start(process.execPath, program, log);
  const told = (): string[] =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as string);
  await expect.poll(async () => (await daemon.orchd('capture', session.id)).stdout).toContain('>');
  await daemon.orchd('send', session.id, 'Please begin.');
  return { ...session, told };
}

const ALTERNATE = '\\x1b[?1049h';
const NO_CURSOR = '\\x1b[?25l';
const itemFor = (session: Session, text: string) =>
  daemon.event('item_opened', (event) => event.session_id === session.id && event.data['question'] === text);

test.each([
  ['/compact', 'the alternate screen', ALTERNATE, '\u2800/compact '],
  ['plain words', 'the alternate screen', ALTERNATE, 'plain words'],
  ['exit', 'a cursor of its own', NO_CURSOR, '\u2800exit'],
  ['D:\\builds\\', 'a cursor of its own', NO_CURSOR, 'D:\\builds\\\u2800'],
])('%j is typed as words into a full-screen program with %s', async (text, _, before, typed) => {
  const session = await startPainter(['Which?'], before);
  const { item_id } = await itemFor(session, 'Which?');
  const { answer } = await daemon.client.call('inbox.answer', { item: item_id, text });
  await expect.poll(() => session.told()).toEqual([typed]);
  expect(answer?.typed ?? answer?.text).toBe(typed);
});

test('a full-screen program that waits for two answers is typed the question before each, and a command of a person as it is', async () => {
  const session = await startPainter(['Which database?', 'Which cache?'], ALTERNATE);
  const { item_id } = await itemFor(session, 'Which cache?');
  await daemon.client.call('inbox.answer', { item: item_id, option: 1 });
  await expect.poll(() => session.told()).toEqual(['Which cache: exit']);
  await daemon.orchd('send', session.id, '/compact');
  await daemon.orchd('send', session.id, 'see @README');
  await expect.poll(() => session.told()).toEqual(['Which cache: exit', '/compact', 'see @README ']);
});

test.each([
  ['/usr/bin/env', 'sh', 'read -r a'],
  ['exit', 'sh', 'read -r a'],
  ['C:\\temp\\', 'bash', 'read -er a'], // with line editing: keys, and bracketed paste
  ['@x', 'bash', 'read -er a'],
])(
  '%j is typed as it is into %s that has cleared its screen and waits for two answers by `%s`',
  async (text, shell, read) => {
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
  },
);
