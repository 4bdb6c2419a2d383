/**
 * Tests batch sessions. They are like other sessions but have no terminal: they are heard, shown and exported, and
 * survive the daemon.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());

const batch = (script: string, ...flags: string[]) => daemon.sh(script, '--batch', ...flags);
const ended = ({ id }: Session) => daemon.event('session_exited', (event) => event.session_id === id);

test('a batch session reads a file as stdin, and its output can be captured, exported and shown', async () => {
  const file = join(daemon.paths.stateDir, 'prompt');
  writeFileSync(file, 'grüße\nsecond line\n');
  const session = await batch('cat; echo "it was not well" >&2; exit 3', '--stdin', file, '--name', 'reader');
  expect(session).toMatchObject({ mode: 'batch', name: 'reader' });
  expect(await ended(session)).toMatchObject({ exit_code: 3, left_open: false });
  expect((await daemon.orchd('capture', 'reader')).stdout).toBe('grüße\nsecond line\n');
  expect((await daemon.orchd('capture', 'reader', '--stderr')).stdout).toBe('it was not well\n');
  expect((await daemon.orchd('export', 'reader', '--text')).stdout.trimEnd()).toBe('grüße\nsecond line');
  const cast = (await daemon.orchd('export', 'reader', '--cast')).stdout;
  expect(cast).toContain('second line\\r\\n');
  expect((await daemon.orchd('ls')).stdout).toMatch(/reader .* batch +sh -c/);
  expect((await daemon.orchd('show', 'reader')).stdout).toMatch(/mode +batch/);
});

test("`--stdin -` passes the command's own stdin to the session", async () => {
  const child = daemon.follow('run', '-d', '--batch', '--stdin', '-', '--name', 'piped', '--', 'cat');
  child.stdin?.end('from a pipe');
  const { session_id } = await daemon.event('session_started', (event) => event.name === 'piped');
  await daemon.event('session_exited', (event) => event.session_id === session_id);
  expect((await daemon.orchd('capture', 'piped')).stdout).toBe('from a pipe\n');
});

test('a batch session is heard, works until it ends, and survives a daemon restart', async () => {
  const go = join(daemon.paths.stateDir, 'go');
  const session = await batch(`echo one; echo late >&2; while [ ! -e ${go} ]; do sleep 0.02; done;
    echo ":ORCHESTRATOR: TASK COMPLETE"; echo two`);
  await daemon.client.call('session.wait', { session: session.id, until: 'working' });
  await daemon.crash();
  await daemon.start();
  writeFileSync(go, '');
  expect(await ended(session)).toMatchObject({ exit_code: 0, state: 'done' });
  const states: string[] = [];
  for await (const event of daemon.client.events({ since: 0, session: session.id })) {
    if (event.event_type === 'session_state_changed') states.push(event.state);
  }
  expect(states).toEqual(['working', 'done']);
  expect((await daemon.orchd('capture', session.id)).stdout).toBe('one\n:ORCHESTRATOR: TASK COMPLETE\ntwo\n');
  expect((await daemon.orchd('capture', session.id, '--stderr')).stdout).toBe('late\n');
});

test('a batch session refuses typed input, and its open question is withdrawn when it ends', async () => {
  const session = await batch('echo ":ORCHESTRATOR: QUESTION - which?"; sleep 1000');
  const item = await daemon.openItem(session);
  const refused = { code: 4, stderr: expect.stringContaining('nothing can be typed') };
  expect(await daemon.orchd('send', session.id, 'x')).toMatchObject(refused);
  expect(await daemon.orchd('keys', session.id, 'Enter')).toMatchObject(refused);
  expect(await daemon.orchd('answer', item.id, 'x')).toMatchObject(refused);
  const terminal = await daemon.client.terminal(session.id, { size: { cols: 90, rows: 30 } });
  await terminal.sendBytes(Buffer.from('typed\r'));
  expect(await daemon.orchd('resize', session.id, '100x20')).toMatchObject({ code: 0 });
  terminal.close();
  expect(await daemon.orchd('restart', session.id)).toMatchObject({ code: 4 });
  await daemon.orchd('kill', session.id);
  const withdrawn = await daemon.event('item_withdrawn', ({ item_id }) => item_id === item.id);
  expect(withdrawn).toMatchObject({ reason: 'session_ended' });
  const records = (await daemon.orchd('export', session.id, '--journal')).stdout;
  expect(records).not.toContain('"input"');
});

test('`orchd run --batch` refuses invalid option combinations with an explanation', async () => {
  const attempts: [string[], number, string][] = [
    [['--stdin', 'x', '--', 'cat'], 2, '--stdin needs --batch'],
    [['--batch', '--stdin', '/no/such/file', '--', 'cat'], 1, 'cannot be read'],
    [['--batch', '--teach', '--', 'cat'], 2, 'is not taught'],
    [['--batch', '--', '/no/such/program'], 1, 'is not a program'],
  ];
  for (const [args, code, words] of attempts) {
    expect(await daemon.orchd('run', '-d', ...args)).toMatchObject({ code, stderr: expect.stringContaining(words) });
  }
  const start = daemon.client.call('session.start', { command: ['cat'], stdin: 'x' });
  await expect(start).rejects.toMatchObject({ code: 'ORCHD_INVALID' });
});

test('a stdin file that is not UTF-8 text is refused', async () => {
  const file = join(daemon.paths.stateDir, 'binary');
  writeFileSync(file, Buffer.from([0xff, 0xfe, 0]));
  const refused = await daemon.orchd('run', '-d', '--batch', '--stdin', file, '--', 'cat');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`${file} is not text in UTF-8`) });
});
