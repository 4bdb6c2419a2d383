/**
 * Tests two answers to one session and a daemon that is killed (kill -9) while it delivers the first: the second is
 * typed, or an event says why it waits. The first never blocks the second for good, and neither is typed twice.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Item, Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { startPainting } from '../harness/painting-program.js';
import { installTalkingAgent, type TalkingAgent } from '../harness/talking-agent.js';

const QUESTIONS = ['Which database?', 'Which cache?'] as const;
const FENCE = '```';
const fenced = (question: string): string =>
  `${FENCE}orchestrator-message\n${JSON.stringify({ type: 'QUESTION', data: { question } })}\n${FENCE}\n`;

let daemon: TestDaemon;
let dir: string;
let agent: TalkingAgent;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-two-'));
  agent = installTalkingAgent();
});
afterEach(async () => {
  await daemon.killAll();
  agent.close();
  rmSync(dir, { recursive: true });
});

interface Program {
  readonly session: Session;
  /** Returns the inputs that the program has received, in order. */
  told(): string[];
}

const linesOf = (file: string): string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];

/** Starts a program that prints both questions, then reads lines without printing anything. */
async function lineProgram(): Promise<Program> {
  const [script, log] = [join(dir, 'asks.sh'), join(dir, 'told')];
  writeFileSync(
    script,
    `cat <<'EOF'\n${QUESTIONS.map(fenced).join('\n')}\nEOF\nwhile read -r line; do printf '%s\\n' "$line" ` +
      `>>'${log}'; done`,
  );
  const session = await daemon.client.call('session.start', { command: ['sh', script], cwd: dir });
  return { session, told: () => linesOf(log) };
}

/**
 * Starts a program that paints the same picture after each input: nothing on the screen shows whether it accepted the
 * text.
 */
async function paintedProgram(untilFile?: string): Promise<Program> {
  const before = '\\x1b[?1049h';
  const session = await startPainting(daemon, dir, {
    questions: QUESTIONS,
    before,
    ...(untilFile !== undefined && { untilFile }),
  });
  return { session, told: () => session.told() };
}

async function knownAgent(): Promise<Program> {
  agent.replies({ text: QUESTIONS.map(fenced).join('\n') }, { text: 'Noted.' });
  const { home: cwd, env } = agent;
  const session = await daemon.client.call('session.start', { command: ['claude'], adapter: 'claude', cwd, env });
  await daemon.client.call('session.send', { session: session.id, text: 'Please begin.' });
  return { session, told: () => agent.heard().slice(1) };
}

async function itemsOf({ session }: Program): Promise<[Item, Item]> {
  const opened = QUESTIONS.map((question) =>
    daemon.event('item_opened', (event) => event.session_id === session.id && event.data['question'] === question),
  );
  const [first, second] = await Promise.all(opened);
  if (!first || !second) throw new Error('two questions were asked');
  const show = ({ item_id: item }: { item_id: string }) => daemon.client.call('inbox.show', { item });
  return [await show(first), await show(second)];
}

const answer = (item: Item, text: string) => daemon.client.call('inbox.answer', { item: item.id, text });

async function crashAt(event: 'answer_accepted' | 'answer_written', item: Item): Promise<void> {
  await daemon.event(event, ({ item_id }) => item_id === item.id);
  await daemon.crash();
  await daemon.start();
}

const PROGRAMS = { 'a line program': lineProgram, 'a full-screen program': paintedProgram, 'an agent': knownAgent };

describe.each(['answer_accepted', 'answer_written'] as const)('a daemon that was killed at %s', (moment) => {
  test.each(Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[])('types the next answer into %s', async (name) => {
    const program = await PROGRAMS[name]();
    const [first, second] = await itemsOf(program);
    const accepted = answer(first, 'postgres');
    await crashAt(moment, first);
    await accepted.catch(() => null); // The daemon may have been killed before it replied.
    await answer(second, 'redis');
    await daemon.event('answer_written', ({ item_id }) => item_id === second.id);
    await expect.poll(() => program.told().map((text) => text.replace(/^.*: /, ''))).toEqual(['postgres', 'redis']);
  });
});

test('an answer does not wait behind one whose Enter was typed while no daemon ran', async () => {
  const program = await paintedProgram();
  const [first, second] = await itemsOf(program);
  await answer(first, 'postgres');
  const { id } = program.session;
  await expect
    .poll(async () => (await daemon.client.call('session.capture', { session: id })).text, { interval: 5 })
    .toContain(': postgres');
  await daemon.crash();
  await daemon.start();
  await answer(second, 'redis');
  await daemon.event('answer_written', ({ item_id }) => item_id === second.id);
  await expect.poll(() => program.told().map((text) => text.replace(/^.*: /, ''))).toEqual(['postgres', 'redis']);
  for await (const event of daemon.client.events({ type: ['answer_stalled'] }))
    expect(event).not.toMatchObject({ session_id: id });
});

test('unsent text in the input line holds the next answer back until it is sent', async () => {
  const until = join(dir, 'submits');
  const program = await paintedProgram(until);
  const [first, second] = await itemsOf(program);
  await answer(first, 'postgres');
  await crashAt('answer_written', first);
  await answer(second, 'redis');
  const held = await daemon.event('answer_stalled', ({ item_id }) => item_id === second.id);
  expect(held.reason).toBe('composer_busy');
  writeFileSync(until, '');
  await daemon.client.call('session.keys', { session: program.session.id, keys: ['Enter'] });
  await expect.poll(() => program.told().map((text) => text.replace(/^.*: /, ''))).toEqual(['postgres', 'redis']);
});
