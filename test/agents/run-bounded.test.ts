/** Tests runBounded, with which a live run starts commands: every command ends, and its output is returned. */
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { runBounded } from './run-bounded.js';

const run = (script: string, limitMs = 30_000) =>
  runBounded('sh', ['-c', script], { cwd: tmpdir(), signal: new AbortController().signal, limitMs });

test('runBounded returns the output even if a background process keeps stdout open', async () => {
  expect(await run('sleep 600 & echo 1.2.3')).toBe('1.2.3\n');
});

test('runBounded kills the command and its children after limitMs', async () => {
  await expect(run('echo begun; sleep 600; echo over', 100)).rejects.toThrow('not over after 0.1 s');
});

test('runBounded reports the most informative error line of a failed command', async () => {
  const script = 'echo "npm error code ETARGET"; echo "npm error notarget No matching version found for x@1."; exit 1';
  await expect(run(script)).rejects.toThrow('notarget No matching version found for x@1.');
  const crash = 'echo "at run (a.js:1)"; echo "TypeError: x is no function"; echo "    at b.js:2"; exit 1';
  await expect(run(crash)).rejects.toThrow('TypeError: x is no function');
  await expect(run('exit 3')).rejects.toThrow('ended with code 3');
});

test('runBounded reports ENOENT for a missing command', async () => {
  const how = { cwd: tmpdir(), signal: new AbortController().signal, limitMs: 30_000 };
  await expect(runBounded('/nowhere/program', [], how)).rejects.toThrow('ENOENT');
});
