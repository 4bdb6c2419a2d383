import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { endProcess } from './daemon-process.js';
import { isAlive } from './is-alive.js';

test.runIf(process.platform === 'linux')('isAlive is false for a zombie process', async () => {
  // awk replaces the shell before it prints. A shell may call `wait` for its children between two commands; awk never
  // does.
  const script = `sleep 1000 & exec awk -v pid=$! 'BEGIN { print pid; fflush(); getline }'`;
  const parent = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  const [printed] = await once(parent.stdout, 'data');
  const pid = Number(printed);
  expect([isAlive(pid), isAlive(process.pid)]).toEqual([true, true]);
  await endProcess(pid, 30_000);
  expect(isAlive(pid)).toBe(false);
  expect(() => process.kill(pid, 0)).not.toThrow(); // it is still in the process table
  parent.kill('SIGKILL');
});
