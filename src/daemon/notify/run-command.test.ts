/** Tests the notify command as a real process. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isAlive } from '../../cli/daemon/is-alive.js';
import { runCommand } from './run-command.js';

const PATIENCE_MS = 30_000;
const run = (command: string, more: Partial<Parameters<typeof runCommand>[0]> = {}) =>
  runCommand({
    command,
    env: { PATH: process.env['PATH'] },
    stdin: '',
    timeoutMs: PATIENCE_MS,
    signal: new AbortController().signal,
    ...more,
  });

test('passes the notification on standard input and in variables, and keeps the output', async () => {
  const result = await run('cat; echo "[$ORCHD_NOTIFY_TITLE]" >&2', {
    stdin: '{"a":1}\n',
    env: { ORCHD_NOTIFY_TITLE: '$(id) `id` "\' ;', PATH: process.env['PATH'] },
  });
  expect(result).toMatchObject({ outcome: 'done', exit_code: 0, signal: null });
  expect(result.output).toContain('{"a":1}');
  expect(result.output).toContain('[$(id) `id` "\' ;]');
});

test('reports how a command failed', async () => {
  expect(await run('echo no network >&2; exit 3')).toMatchObject({
    outcome: 'failed',
    exit_code: 3,
    output: 'no network',
  });
  expect(await run('kill -TERM $$')).toMatchObject({ outcome: 'failed', exit_code: null, signal: 'SIGTERM' });
  expect(await run('orchd-no-such-program')).toMatchObject({ outcome: 'failed', exit_code: 127 });
});

test('kills a command that exceeds its timeout, with all processes that it started', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'orchd-command-'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const running = run('sleep 1000 & echo $!; touch "$DIR/waits"; wait', { env: { ...process.env, DIR: dir } });
  while (!existsSync(join(dir, 'waits'))) await new Promise(setImmediate);
  vi.advanceTimersByTime(PATIENCE_MS);
  vi.useRealTimers();
  const { outcome, output } = await running;
  rmSync(dir, { recursive: true });
  expect(outcome).toBe('timed_out');
  const pid = Number(output);
  expect(pid).toBeGreaterThan(1);
  while (isAlive(pid)) await new Promise(setImmediate); // the test's timeout bounds this loop
});

test('does not wait for a command that ignores its input or leaves a process with its output open', async () => {
  expect(await run('exec true', { stdin: 'x'.repeat(1024 * 1024) })).toMatchObject({ outcome: 'done' });
  const { outcome, output } = await run('sleep 1000 & echo $!');
  expect({ outcome, output }).toEqual({ outcome: 'done', output: expect.stringMatching(/^\d+$/) });
  process.kill(Number(output), 'SIGKILL');
});

test('keeps only the end of a long output', async () => {
  const { output } = await run('head -c 100000 /dev/zero | tr "\\0" x; echo; echo the end');
  expect(output.length).toBeLessThanOrEqual(2000);
  expect(output).toMatch(/x\nthe end$/);
});

test('kills a running command when the daemon ends', async () => {
  const end = new AbortController();
  const running = run('sleep 1000', { signal: end.signal });
  end.abort();
  expect(await running).toMatchObject({ outcome: 'failed', signal: 'SIGKILL' });
});
