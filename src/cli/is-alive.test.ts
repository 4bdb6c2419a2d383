import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { endProcess } from './daemon-process.js';
import { isAlive } from './is-alive.js';

test.runIf(process.platform === 'linux')('a process that nobody collects has ended all the same', async () => {
  const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [printed] = await once(parent.stdout, 'data');
  const pid = Number(printed);
  expect([isAlive(pid), isAlive(process.pid)]).toEqual([true, true]);
  await endProcess(pid, 30_000);
  expect(isAlive(pid)).toBe(false);
  expect(() => process.kill(pid, 0)).not.toThrow(); // it stands in the table of processes still
  parent.kill('SIGKILL');
});
