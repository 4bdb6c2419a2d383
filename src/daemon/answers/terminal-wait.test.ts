import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sleeps, takesInput } from './terminal-wait.js';

describe.skipIf(process.platform !== 'linux')('sleeps', () => {
  let child: ChildProcess | null = null;
  afterEach(() => child?.kill('SIGKILL'));

  it.each([
    ['waits for a time', ['sleep', '600'], true],
    ['waits for another process', ['sh', '-c', 'sleep 600; true'], true],
    ['reads its input', ['cat'], false],
    ['waits for input or a signal', ['perl', '-e', 'select((my $r = chr(1)), undef, undef, undef)'], false],
  ])('tells if a program that %s may be waiting for input', async (_, [file = '', ...args], expected) => {
    child = spawn(file, args, { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(child, 'spawn');
    const { pid } = child;
    await vi.waitFor(() => expect(sleeps(pid ?? 0)).toBe(expected), { timeout: 10_000, interval: 10 });
  });

  it.each([
    ['waits for a time', ['sleep', '600']],
    ['reads a pipe', ['cat']],
    ['has children that have ended', ['sh', '-c', 'true & exec sleep 600']],
    ['waits for a pipe in an event loop', [process.execPath, '-e', 'process.stdin.resume()']],
  ])('a program that %s does not take input from a terminal', async (_, [file = '', ...args]) => {
    child = spawn(file, args, { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(child, 'spawn');
    const { pid } = child;
    await vi.waitFor(() => expect(takesInput(pid ?? 0)).toBe(false), { timeout: 10_000, interval: 10 });
  });

  it('is false for a process that does not exist', () => {
    expect(sleeps(2 ** 30)).toBe(false);
    expect(takesInput(2 ** 30)).toBe(false);
  });
});
