/**
 * Tests that the agent's own transcript reaches the session's journal once and in order, even if the daemon crashes.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type FakeClaude, installFakeClaude, textsOf, transcriptItems } from '../harness/fake-claude.js';

const CRASHES = 8;
const PATIENCE = { timeout: 20_000, interval: 20 };

let daemon: TestDaemon;
let claude: FakeClaude;
beforeAll(async () => {
  daemon = await startDaemon();
});
beforeEach(() => {
  claude = installFakeClaude();
});
afterEach(async () => {
  await daemon.killAll();
  claude.close();
});
afterAll(() => daemon.close());

async function run(...flags: string[]): Promise<Session> {
  const { stdout, stderr } = await daemon.orchd('run', '-d', '--json', ...claude.flags, ...flags, '--', 'claude');
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout) as Session; // what `run --json` prints
}
const send = (session: Session, text: string): Promise<unknown> =>
  // The program paints no composer that orchd could wait for.
  daemon.client.call('session.send', { session: session.id, text, wait_ms: 0 });
const heard = (session: Session): string[] => textsOf(transcriptItems(daemon, session.id));
const dirOf = (session: Session): string => join(daemon.paths.agentsDir, session.id);

test('the journal has everything the agent said, and no temporary folder remains', async () => {
  const session = await run();
  expect(session).toMatchObject({ command: ['claude'], transcript: 'waiting', agent_session_id: expect.any(String) });
  expect(statSync(dirOf(session)).mode & 0o777).toBe(0o700);
  await send(session, 'one');
  await vi.waitFor(() => expect(heard(session)).toEqual(['one 1']), PATIENCE);
  await send(session, 'bye');
  await daemon.event('session_exited', ({ session_id }) => session_id === session.id);
  await vi.waitFor(() => expect(heard(session)).toEqual(['one 1', 'bye 2', 'last words']), PATIENCE);
  await vi.waitFor(() => expect(existsSync(dirOf(session))).toBe(false), PATIENCE);
});

test('repeated daemon crashes neither lose nor repeat transcript entries', async () => {
  const session = await run();
  const expected: string[] = [];
  for (let i = 1; i <= CRASHES; i++) {
    for (const word of ['before', 'after']) {
      await send(session, word);
      expected.push(`${word} ${expected.length + 1}`);
      if (word === 'before') await daemon.crash();
      if (word === 'before') await daemon.start();
    }
  }
  await vi.waitFor(() => expect(heard(session)).toEqual(expected), PATIENCE);
  await send(session, 'bye');
  const all = [...expected, `bye ${expected.length + 1}`, 'last words'];
  await vi.waitFor(() => expect(heard(session)).toEqual(all), PATIENCE);
}, 120_000);

test('the next daemon reads entries written while no daemon ran, even of an ended agent', async () => {
  const session = await run();
  await send(session, 'one');
  await vi.waitFor(() => expect(heard(session)).toEqual(['one 1']), PATIENCE);
  await send(session, 'bye');
  await daemon.crash();
  await daemon.start();
  await vi.waitFor(() => expect(heard(session)).toEqual(['one 1', 'bye 2', 'last words']), PATIENCE);
});

test('two agents of the same kind in one folder are not confused', async () => {
  const [first, second] = [await run(), await run()];
  await Promise.all([send(first, 'first'), send(second, 'second')]);
  await vi.waitFor(() => expect([heard(first), heard(second)]).toEqual([['first 1'], ['second 1']]), PATIENCE);
});

test('--teach passes the instructions and a key by flag', async () => {
  const session = await run('--teach');
  expect(session.key_required).toBe(true);
  const file = join(claude.home, 'arguments');
  await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toMatch(/"key": "[0-9a-f]{12}"/), PATIENCE);
  expect(readFileSync(file, 'utf8')).toContain('orchestrator-message');
  expect(session.command).toEqual(['claude']);
});

test('--teach is refused for a program that takes no instructions', async () => {
  const { code, stderr } = await daemon.orchd('run', '-d', '--teach', '--', 'cat');
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("'cat' cannot be given instructions") });
  expect(stderr).toContain('orchd prompt');
  expect(await daemon.client.call('session.list', { all: false })).toEqual([]);
});

test("a shell script with an agent's name runs once and unchanged unless --adapter is given", async () => {
  const path = claude.flags.slice(claude.flags.indexOf('--env'));
  await daemon.orchd('run', '-d', ...path, '--', 'claude', '--mine');
  await vi.waitFor(() => expect(readFileSync(join(claude.home, 'arguments'), 'utf8')).toBe('--mine\n'), PATIENCE);
  expect(existsSync(join(claude.home, 'helped'))).toBe(false);
  await run();
  expect(existsSync(join(claude.home, 'helped'))).toBe(true);
});

test('--adapter shell starts exactly the given command', async () => {
  const session = await run('--adapter', 'shell');
  expect(session).toMatchObject({ transcript: 'none', agent_session_id: null });
  await vi.waitFor(() => expect(readFileSync(join(claude.home, 'arguments'), 'utf8')).toBe('\n'), PATIENCE);
});

test('the health line names an agent that was started without instructions, until it sends a message', async () => {
  await run('--teach', '--name', 'knows');
  const plain = await run('--name', 'plain');
  const health = async () =>
    (await daemon.orchd('status')).stdout.split('\n').filter((line) => /taught|--teach/.test(line));
  expect(await health()).toEqual([expect.stringMatching(/^health +plain was started without --teach/)]);
  expect((await daemon.orchd('doctor')).stdout).toContain('plain was started without --teach');
  expect((await daemon.orchd('ls')).stderr).toBe('');
  await send(plain, 'ask');
  await vi.waitFor(async () => expect(await health()).toEqual([]), PATIENCE);
});
