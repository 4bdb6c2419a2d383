/**
 * Tests that orchd runs `AGENT --help` once to learn its flags, without delaying other starts, and never runs a shell
 * script of the user for that.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FlagsAbout, flagsOf, isShellScript } from './agent-flags.js';

const AN_HOUR_MS = 3_600_000;
const PATIENCE = { timeout: 10_000, interval: 5 };

let dir: string;
let file: string;
let about: FlagsAbout;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-flags-'));
  file = join(dir, 'agent');
  about = { env: process.env, cwd: dir, cacheFile: join(dir, 'flags.json') };
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A program that notes each start. */
const installAgent = (script: string): void =>
  writeFileSync(file, `#!/bin/sh\necho $$ >> '${dir}/starts'\n${script}\n`, { mode: 0o755 });
const starts = (): number[] =>
  existsSync(join(dir, 'starts')) ? (readFileSync(join(dir, 'starts'), 'utf8').match(/\d+/g) ?? []).map(Number) : [];

test('runs --help once per version, also after a restart', async () => {
  installAgent('echo "  --settings FILE, --session-id"');
  const flags = new Set(['--settings', '--session-id']);
  expect(await flagsOf(file, [file], about)).toEqual({ flags, problem: null });
  expect(await flagsOf(file, [file], about)).toEqual({ flags, problem: null });
  expect(starts()).toHaveLength(1);
  installAgent('echo "  --settings FILE, --newer-flag"');
  expect((await flagsOf(file, [file], about)).flags).toContain('--newer-flag');
});

test('runs --help again if it failed at once', async () => {
  installAgent('exit 1');
  expect((await flagsOf(file, [file], about)).problem).toBe('ended with exit code 1');
  await flagsOf(file, [file], about);
  expect(starts()).toHaveLength(2);
});

test('a hanging --help delays only one start', async () => {
  installAgent('sleep 1000');
  expect((await flagsOf(file, [file], { ...about, patienceMs: 50 })).problem).toBe('did not answer within 0.05 s');
  expect((await flagsOf(file, [file], { ...about, patienceMs: AN_HOUR_MS })).flags).toEqual(new Set());
  await vi.waitFor(() => expect(starts()).toHaveLength(1), PATIENCE);
  process.kill(-(starts()[0] ?? 0), 'SIGKILL');
});

test('does not run --help again after it hung, and ignores its partial output', async () => {
  installAgent('echo --half; sleep 1000');
  const hung = { flags: new Set(), problem: 'did not answer within 10 s' };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asking = flagsOf(file, [file], { ...about, limitMs: 10_000 });
  while (starts().length === 0) await new Promise(setImmediate);
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  expect(await asking).toEqual(hung);
  expect(await flagsOf(file, [file], about)).toEqual(hung);
  expect(starts()).toHaveLength(1);
});

test.each([
  ['#!/bin/sh\n', true],
  ['#! /usr/bin/env bash\n', true],
  ['#!/usr/bin/env -S FOO=1 zsh -e\n', true],
  ['#!/usr/local/bin/fish\r\n', true],
  ['#!/bin/busybox sh\n', true],
  ['exec real-agent "$@"\n', true],
  ['#!/usr/bin/env node\n', false],
  ['#!/usr/bin/env -S node --no-warnings\n', false],
  ['#!/usr/bin/python3\n', false],
  ['\x7fELF\x02\x01\x01\0\0', false],
])('recognizes whether %j is a shell script: %s', (head, isScript) => {
  writeFileSync(file, head);
  expect(isShellScript(file)).toBe(isScript);
});
