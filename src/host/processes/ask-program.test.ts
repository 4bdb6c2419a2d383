/** Tests that a program is called with one question, and that none of its processes remain. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isAlive } from '../../cli/daemon/is-alive.js';
import { askProgram } from './ask-program.js';

const PATIENCE = { timeout: 10_000, interval: 5 };
const LONG_MS = 50_000;
const ask = (script: string, cwd = tmpdir()) =>
  askProgram('/bin/sh', ['-c', script], { env: process.env, cwd, limitMs: LONG_MS });

const pidsIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);
const areGone = (pids: readonly number[]) => vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), PATIENCE);

test('returns the output, and the problem if there is one', async () => {
  expect(await ask('echo 1.2.3; echo more >&2')).toEqual({ text: '1.2.3\nmore\n', isLate: false, problem: null });
  expect(await ask('echo no; exit 3')).toMatchObject({ text: 'no\n', problem: 'ended with exit code 3' });
  expect(await ask('true')).toMatchObject({ text: '', problem: 'printed nothing' });
  expect(await ask('kill -SEGV $$')).toMatchObject({ problem: 'was ended by SIGSEGV' });
  const about = { env: process.env, cwd: tmpdir(), limitMs: LONG_MS };
  expect(await askProgram('/nonexistent/agent', [], about)).toMatchObject({
    problem: expect.stringContaining('cannot be started'),
  });
  const env = { ...process.env, BAD: 'a\0b' };
  expect(await askProgram('/bin/sh', [], { ...about, env })).toMatchObject({
    problem: expect.stringContaining('cannot be started'),
  });
});

test('kills a program that hangs, with all processes that it started', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'orchd-ask-'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asking = ask('sleep 1000 & sleep 1000 & echo $$ $!; touch hangs; wait', dir);
  while (!existsSync(join(dir, 'hangs'))) await new Promise(setImmediate);
  vi.advanceTimersByTime(LONG_MS);
  vi.useRealTimers();
  const { text, isLate, problem } = await asking;
  rmSync(dir, { recursive: true });
  expect({ isLate, problem }).toEqual({ isLate: true, problem: 'did not answer within 50 s' });
  expect(pidsIn(text)).toHaveLength(2);
  await areGone(pidsIn(text));
});

test('kills processes that the program leaves behind, without delaying the answer', async () => {
  const { text, problem } = await ask('sleep 1000 & echo $!');
  expect(problem).toBe(null);
  await areGone(pidsIn(text));
});

test('does not wait for a process that left the process group and keeps the output open', async () => {
  const leaver = `const { spawn } = require('node:child_process');
    console.log(spawn('sleep', ['1000'], { detached: true, stdio: 'inherit' }).pid); process.exit(0);`;
  const about = { env: process.env, cwd: tmpdir(), limitMs: LONG_MS };
  const { text, problem } = await askProgram(process.execPath, ['-e', leaver], about);
  expect(problem).toBe(null);
  const [pid = 0] = pidsIn(text);
  expect(isAlive(pid)).toBe(true);
  process.kill(pid, 'SIGKILL');
});

test('never kills a process of another program', async () => {
  const other = spawn('sleep', ['1000']);
  await once(other, 'spawn');
  await ask('echo done');
  expect(other.exitCode).toBe(null);
  other.kill('SIGKILL');
});
