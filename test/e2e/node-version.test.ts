/**
 * Tests that an old version of Node gets an error message without a stack trace, and that newer versions run the
 * command.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const BIN = join(import.meta.dirname, '../../bin/orchd.js');
const dir = mkdtempSync(join(tmpdir(), 'orchd-node-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** Runs `orchd version` in a process that reports another version of Node. */
function runAs(version: string) {
  const file = join(dir, `${version}.cjs`);
  writeFileSync(
    file,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
  );
  return spawnSync(process.execPath, ['--require', file, BIN, 'version'], { encoding: 'utf8' });
}

test.each(['18.20.4', '20.18.1', '16.0.0'])('Node %s is refused with the version to install', (version) => {
  const { status, stdout, stderr } = runAs(version);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    new RegExp(`^orchd needs Node 20\\.19 or newer, and this is Node ${version} \\(.+\\)\\.\\nInstall Node 24.+\\n$`),
  );
});

test.each(['20.19.0', '24.1.0'])('Node %s runs the command', (version) => {
  expect(runAs(version)).toMatchObject({ status: 0, stderr: '' });
});
