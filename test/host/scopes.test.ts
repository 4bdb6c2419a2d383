/**
 * Tests the cgroups of sessions in a folder that imitates the cgroup file system: which files orchd writes, and that
 * killing a session ends the processes of its cgroup. test/host/kill.test.ts uses real cgroups where the host may write
 * to its own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '../../src/cli/daemon/is-alive.js';
import { cgroupAccess, SessionScopes } from '../../src/host/processes/session-scopes.js';
import { startHost } from '../harness/host.js';

let cgroup: string;
beforeEach(() => {
  cgroup = mkdtempSync(join(tmpdir(), 'orchd-cgroup-'));
  writeFileSync(join(cgroup, 'cgroup.procs'), '');
});
afterEach(() => rmSync(cgroup, { recursive: true, force: true }));

const procs = (...path: string[]) => join(cgroup, ...path, 'cgroup.procs');
const own = `orchd-${process.pid}`;

describe('SessionScopes', () => {
  test("moves the host into the session's cgroup for the spawn and back afterwards", () => {
    const scopes = SessionScopes.open(cgroup);
    const during = scopes?.inside('ses_a', () => [
      readFileSync(procs(own, 'ses_a'), 'utf8'),
      readFileSync(procs(), 'utf8'),
    ]);
    // SessionScopes.open() tried one move and moved the host back. `0` means the writing process.
    expect(during).toEqual(['0', '0']);
    writeFileSync(procs(), '');
    scopes?.inside('ses_b', () => {});
    expect(readFileSync(procs(), 'utf8')).toBe('0');
  });

  test('moves the host back if the program cannot be started', () => {
    const scopes = SessionScopes.open(cgroup);
    writeFileSync(procs(), '');
    const failing = () =>
      scopes?.inside('ses_a', () => {
        throw new Error('no such program');
      });
    expect(failing).toThrow('no such program');
    expect(readFileSync(procs(), 'utf8')).toBe('0');
  });

  test('finds the processes of a session in its cgroup, in nested cgroups and in scopes of other hosts', () => {
    const scopes = SessionScopes.open(cgroup);
    scopes?.inside('ses_a', () => {});
    writeFileSync(procs(own, 'ses_a'), '11\n12\n');
    for (const [path, pids] of [
      [[own, 'ses_a', 'nested'], '13\n'],
      [['orchd-1', 'ses_b'], '21\n'],
      [['orchd-1', 'ses_other'], '31\n'],
      [['not-orchd', 'ses_a'], '41\n'],
    ] as const) {
      mkdirSync(join(cgroup, ...path), { recursive: true });
      writeFileSync(procs(...path), pids);
    }
    expect([...(scopes?.owners(new Set(['ses_a', 'ses_b'])) ?? [])].sort()).toEqual([
      ...[11, 12, 13].map((pid) => [pid, 'ses_a']),
      [21, 'ses_b'],
    ]);
  });

  test('starts programs without a cgroup once its folder was taken away', () => {
    const scopes = SessionScopes.open(cgroup);
    rmSync(cgroup, { recursive: true });
    writeFileSync(cgroup, 'a file now');
    expect(scopes?.inside('ses_a', () => 'started')).toBe('started');
    rmSync(cgroup);
    mkdirSync(cgroup);
    expect(scopes?.inside('ses_b', () => readdirSync(cgroup))).toEqual([]);
  });
});

test('open() returns null if the cgroup cannot be written or does not exist', () => {
  expect([SessionScopes.open(join(cgroup, 'none')), SessionScopes.open(null)]).toEqual([null, null]);
  expect([cgroupAccess(cgroup), cgroupAccess(join(cgroup, 'none')), cgroupAccess(null)]).toEqual([
    'writable',
    'denied',
    'none',
  ]);
});

test.runIf(existsSync('/proc/self/stat'))(
  'killing a session ends a process that only its cgroup identifies',
  async () => {
    const host = await startHost({ more: ['--cgroup', cgroup] });
    expect(host.log()).toContain('sessions have a cgroup each');
    const daemon = await host.connect();
    const [session, other] = [await daemon.spawn('sleep 1000'), await daemon.spawn('sleep 1000')];
    const scope = `orchd-${host.process.pid}`;
    expect(readFileSync(procs(scope, session.sessionId), 'utf8')).toBe('0');
    // The process left the session and emptied its environment. Only its cgroup shows which session started it.
    const escaped = spawn('sleep', ['1000'], { env: {}, detached: true, stdio: 'ignore' });
    await once(escaped, 'spawn');
    const ended = once(escaped, 'exit');
    writeFileSync(procs(scope, session.sessionId), `${escaped.pid}\n`);
    expect(await daemon.call('kill', { sessionId: session.sessionId, graceMs: 10_000 })).toMatchObject({ escaped: [] });
    await ended;
    expect([isAlive(session.pid), isAlive(other.pid)]).toEqual([false, true]);
    await host.stop();
  },
);
