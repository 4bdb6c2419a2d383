/** Tests that killing a session ends all of its processes, and no others. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '../../src/cli/daemon/is-alive.js';
import { SessionScopes } from '../../src/host/processes/session-scopes.js';
import { startHost, type TestDaemon, type TestHost, type TestSession } from '../harness/host.js';

/** True if the host may write to its own cgroup. */
const hasScopes = (() => {
  const scopes = SessionScopes.open();
  scopes?.close();
  return scopes !== null;
})();

let host: TestHost;
let daemon: TestDaemon;
beforeAll(async () => {
  host = await startHost();
  daemon = await host.connect();
});
afterAll(() => host.stop());

/** Returns the pid that the program printed as `NAME=pid;`. */
async function printedPid(session: TestSession, name: string): Promise<number> {
  await session.untilText(`${name}=`);
  const find = () => new RegExp(`${name}=(\\d+);`).exec(session.output().toString())?.[1];
  await session.until('out', () => find() !== undefined);
  return Number(find());
}
/** Returns the pids of processes whose arguments contain a text and whose environment does not contain ORCHD. */
const processesWith = (text: string): number[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const isMeant = readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(text);
      return isMeant && !readFileSync(`/proc/${name}/environ`, 'latin1').includes('ORCHD') ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
const kill = (session: TestSession, graceMs: number) => daemon.call('kill', { sessionId: session.sessionId, graceMs });
const enter = (session: TestSession) => daemon.call('keys', { sessionId: session.sessionId, text: '\r' });

describe('kill', () => {
  it('gives a program graceMs to exit by itself and keeps its last output', async () => {
    const session = await daemon.spawn(
      'trap "" HUP; trap "echo goodbye; exit 3" TERM; echo ready; while :; do sleep 0.02; done',
    );
    await session.untilText('ready');
    const { escaped, position } = await kill(session, 30_000);
    const exit = await session.exit();
    expect(exit).toMatchObject({ exitCode: 3, signal: null, leftOpen: false, escaped: [], end: position });
    expect(session.output().toString()).toContain('goodbye');
    expect(escaped).toEqual([]);
  });

  it('ends a program that ignores SIGHUP, SIGTERM and SIGINT', async () => {
    const session = await daemon.spawn('trap "" HUP TERM INT; echo ready; while :; do sleep 0.02; done');
    await session.untilText('ready');
    const { escaped } = await kill(session, 20);
    expect(escaped).toEqual([]);
    expect(await session.exit()).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  });

  it('with a short grace does not wait for an earlier kill with a longer one', async () => {
    const session = await daemon.spawn('trap "" HUP TERM INT; echo ready; while :; do sleep 0.02; done');
    await session.untilText('ready');
    const both = await Promise.all([kill(session, 60_000), kill(session, 0)]);
    expect(both.map(({ escaped }) => escaped)).toEqual([[], []]);
    expect(await session.exit()).toMatchObject({ signal: 'SIGKILL' });
  });

  it('ends a stopped program', async () => {
    const session = await daemon.spawn('echo ready; kill -STOP $$; echo gone on');
    await session.untilText('ready');
    await kill(session, 30_000);
    expect(await session.exit()).toMatchObject({ signal: expect.stringMatching(/^SIG(HUP|TERM)$/) });
  });

  it.runIf(existsSync('/proc/self/stat'))('finds grandchildren that called setsid', async () => {
    const session = await daemon.spawn(
      'setsid sh -c \'trap "" HUP TERM; echo "far=$$;"; while :; do sleep 0.02; done\' & trap "" HUP; echo ' +
        '"near=$$;"; wait',
    );
    const far = await printedPid(session, 'far');
    const near = await printedPid(session, 'near');
    expect([isAlive(far), isAlive(near)]).toEqual([true, true]);
    const { escaped } = await kill(session, 50);
    expect([isAlive(far), isAlive(near), escaped]).toEqual([false, false, []]);
    expect(session.records.at(-1)?.kind).toBe('exit');
  });

  it.runIf(hasScopes)('finds processes that called setsid and emptied their environment', async () => {
    const escaping = `env -i setsid sh -c '(trap "" HUP TERM; echo "gone=$$;"; while :; do sleep 0.02; done) & exit'`;
    const session = await daemon.spawn(`${escaping}; echo started; sleep 1000`);
    await session.untilText('started');
    const other = await daemon.spawn('echo ready; sleep 1000');
    await other.untilText('ready');
    const left = (): number[] => processesWith('while :; do sleep 0.02; done');
    expect(left().length).toBeGreaterThan(0);
    const { escaped } = await kill(session, 50);
    expect([left(), escaped, isAlive(other.pid)]).toEqual([[], [], true]);
    await kill(other, 50);
  });

  it('never ends the connected daemon, even if the session started it', async () => {
    const session = await daemon.spawn('sh -c \'trap "" HUP TERM; echo "child=$$;"; exec sleep 1000\' & wait');
    const child = await printedPid(session, 'child');
    // The child connects with its pid, as a daemon does.
    const inner = await host.connect({ pid: child });
    const { escaped } = await inner.call('kill', { sessionId: session.sessionId, graceMs: 50 });
    expect([isAlive(child), escaped]).toEqual([true, []]);
    inner.close();
    process.kill(child, 'SIGKILL');
    daemon = await host.connect();
  });

  it('ends the processes that an ended session left behind', async () => {
    const session = await daemon.spawn('(trap "" HUP; echo "left"; exec sleep 1000) & read -r go; exit 0');
    await session.untilText('left');
    await enter(session);
    expect(await session.exit()).toMatchObject({ exitCode: 0, leftOpen: true });
    const found = await kill(session, 30_000);
    expect(found.escaped).toEqual([]);
    expect(session.records.filter(({ kind }) => kind === 'exit').length).toBe(1);
  });

  it('ends a session whose host was killed', async () => {
    const own = await startHost();
    const before = await own.connect();
    const session = await before.spawn('trap "" HUP; echo "pid=$$;"; while :; do sleep 0.05; done');
    const pid = await printedPid(session, 'pid');
    own.process.kill('SIGKILL');
    await own.ended;
    expect(isAlive(pid)).toBe(true);
    const next = await startHost({ directory: own.directory });
    const after = await next.connect();
    const killed = await after.call('kill', { sessionId: session.sessionId, graceMs: 0 });
    expect([isAlive(pid), killed]).toEqual([false, { position: 0, escaped: [] }]);
    await next.stop();
  });

  it("ends the process tree of a killed host's session only if pid and start time match", async () => {
    const own = await startHost();
    const before = await own.connect();
    const loop = 'while :; do sleep 0.05; done';
    const script = `trap "" HUP TERM PIPE; echo "pid=$$;"; (${loop}) & echo "child=$!;"; ${loop}`;
    // The processes have no environment by which they could be found.
    const session = await before.spawn(['/usr/bin/env', '-i', '/bin/sh', '-c', script], { mode: 'batch' });
    const pids = [await printedPid(session, 'pid'), await printedPid(session, 'child')];
    const { pid, time } = await session.until('start');
    own.process.kill('SIGKILL');
    await own.ended;
    const next = await startHost({ directory: own.directory });
    const after = await next.connect();
    const about = { sessionId: session.sessionId, graceMs: 0 };
    await after.call('kill', { ...about, earlier: { pid, startedAt: time - 60_000 } });
    // If the session has a cgroup, the cgroup identifies its processes.
    await expect.poll(() => pids.map(isAlive)).toEqual([!hasScopes, !hasScopes]);
    await after.call('kill', { ...about, earlier: { pid, startedAt: time } });
    await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
    await next.stop();
  });

  it('at shutdown ends all sessions at the same time', async () => {
    const own = await startHost();
    const other = await own.connect();
    const sessions: TestSession[] = [];
    for (let n = 0; n < 5; n++)
      sessions.push(await other.spawn('trap "" TERM HUP; echo "pid=$$;"; while :; do sleep 0.05; done'));
    await Promise.all(sessions.map((session) => session.untilText('pid=')));
    expect(await other.call('shutdown', { graceMs: 20 })).toEqual({ killed: 5 });
    expect(await own.ended).toBe(0);
    expect(sessions.map(({ pid }) => isAlive(pid))).toEqual([false, false, false, false, false]);
    await own.stop();
  });
});

describe('a terminal that a background process keeps open', () => {
  it('is reported with leftOpen, and the output before the exit is kept', async () => {
    const session = await daemon.spawn('(trap "" HUP; while :; do echo noise; done) & read -r go; echo last; exit 0');
    await session.untilText('noise');
    await enter(session);
    expect(await session.exit()).toMatchObject({ exitCode: 0, leftOpen: true });
    expect(session.output().includes('last')).toBe(true);
    await kill(session, 0);
  });
});
