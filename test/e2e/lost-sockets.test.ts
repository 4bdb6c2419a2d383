/** Tests that a daemon and a host whose sockets or home were removed can be reached, or end. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { gone, type TestDaemon } from '../harness/daemon.js';
import { test } from '../harness/fresh-daemon.js';

const statusOf = (of: TestDaemon) => of.client.call('daemon.status', {});

function removeSockets({ paths }: TestDaemon): void {
  for (const socket of [paths.socket, paths.hostSocket]) rmSync(socket);
}

// Lost hosts are found in /proc.
describe.skipIf(process.platform !== 'linux').concurrent('after a loss of', () => {
  test('its sockets, a daemon is reached by `orchd start`', async ({ fresh }) => {
    const own = await fresh();
    const session = await own.sh('sleep 1000');
    const before = await statusOf(own);
    removeSockets(own);
    const { code, stdout } = await own.orchd('doctor');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`pid ${before.daemon.pid} does not listen`)]);
    expect(await own.orchd('start', '--detach')).toMatchObject({ code: 0, stderr: '' });
    const { daemon, host } = await statusOf(own);
    expect([daemon.pid, host.pid]).toEqual([before.daemon.pid, before.host.pid]);
    await own.crash();
    expect((await own.orchd('start', '--detach')).code, 'the host has its socket again, too').toBe(0);
    expect((await statusOf(own)).host.pid).toBe(before.host.pid);
    expect(await own.json('kill', session.id)).toMatchObject([{ id: session.id, state: 'exited' }]);
  });

  test('its sockets, a daemon and its sessions are ended by `orchd stop`', async ({ fresh }) => {
    const own = await fresh();
    await own.sh('sleep 1000');
    const { daemon, host } = await statusOf(own);
    removeSockets(own);
    expect(await own.orchd('stop')).toMatchObject({ code: 0, stdout: 'stopped; 1 session ended\n' });
    await Promise.all([gone(daemon.pid), gone(host.pid)]);
  });

  test('its socket, a host is found by a new daemon', async ({ fresh }) => {
    const own = await fresh();
    const session = await own.sh('sleep 1000');
    const { host } = await statusOf(own);
    await own.crash();
    removeSockets(own);
    expect((await own.orchd('start', '--detach')).code).toBe(0);
    expect((await statusOf(own)).host.pid).toBe(host.pid);
    expect(await own.json('show', session.id)).toMatchObject({ pid: session.pid, ended_at: null });
  });

  test('its home, a host is reported, and ends with the next start there', async ({ fresh }) => {
    const [own, other] = [await fresh(), await fresh()];
    const { pid } = await own.sh('sleep 1000');
    const before = await statusOf(own);
    rmSync(own.env['ORCHD_HOME'] as string, { recursive: true }); // the harness has set it
    expect((await other.orchd('doctor')).stdout).toContain(`\`kill ${before.host.pid}\` ends it and its programs`);
    expect((await own.orchd('start', '--detach', '--no-tcp')).code).toBe(0);
    await Promise.all([before.daemon.pid, before.host.pid, pid as number].map(gone));
    const { daemon, sessions } = await statusOf(own);
    expect([Number(readFileSync(own.paths.pidFile, 'utf8')), sessions]).toEqual([daemon.pid, 0]);
    expect(existsSync(own.paths.hostSocket)).toBe(true);
  });
});
