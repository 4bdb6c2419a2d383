/**
 * How a daemon is started, replaced and ended: what is wrong is said before anything is ended, and what cannot be had
 * is said at all.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { gone, startDaemon, type TestDaemon } from '../harness/daemon.js';

let daemon: TestDaemon | undefined;
const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  await daemon?.close();
  daemon = undefined;
  for (const clean of cleanups.splice(0)) await clean();
});

async function fresh(options?: Parameters<typeof startDaemon>[0]): Promise<TestDaemon> {
  daemon = await startDaemon(options);
  return daemon;
}
const statusOf = (of: TestDaemon) => of.client.call('daemon.status', {});

/** Takes a port, so that another process listens on it. */
async function takePort(): Promise<{ port: number; free(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on no port');
  const free = () => new Promise<void>((resolve) => server.close(() => resolve()));
  cleanups.push(free);
  return { port: address.port, free };
}

function configure(of: TestDaemon, text: string): void {
  mkdirSync(dirname(of.paths.configFile), { recursive: true });
  writeFileSync(of.paths.configFile, text);
}

test('`orchd stop` while the next host is being started ends that host, too', async () => {
  const own = await fresh();
  const { host, daemon: running } = await statusOf(own);
  process.kill(host.pid, 'SIGKILL');
  for (let call = statusOf(own); (await call.catch(() => null)) !== null; call = statusOf(own));
  const { code, stderr } = await own.orchd('stop');
  expect([code, stderr]).toEqual([0, '']);
  await gone(running.pid);
  expect(existsSync(own.paths.hostSocket)).toBe(false);
});

describe('`orchd restart`', () => {
  test('with a flag or a configuration that is refused leaves the daemon as it is, and says so', async () => {
    const own = await fresh();
    const { daemon: before } = await statusOf(own);
    const tried = async (code: string, ...args: string[]) => {
      const result = await own.orchd('restart', '--json', ...args);
      expect([result.code, JSON.parse(result.stderr)]).toEqual([2, expect.objectContaining({ code })]);
      expect(JSON.parse(result.stderr).error).toContain(`the daemon (pid ${before.pid}) goes on as it is`);
      expect((await statusOf(own)).daemon).toEqual(before);
    };
    for (const port of ['abc', '99999', '-1', '']) await tried('ORCHD_USAGE', `--port=${port}`);
    for (const text of ['x = [', '[notify]\nafter_ms = "soon"\n', '[daemon]\nno_such = 1\n']) {
      configure(own, text);
      await tried('ORCHD_CONFIG');
    }
    configure(own, '');
    expect((await own.orchd('restart', '--no-tcp')).code).toBe(0);
    expect((await statusOf(own)).daemon.pid).not.toBe(before.pid);
  });

  test('keeps --no-tcp and --port of the daemon that runs, unless it is given one of them', async () => {
    const own = await fresh();
    const restarted = await own.orchd('restart');
    expect(restarted).toMatchObject({ code: 0, stdout: expect.stringContaining('with --no-tcp as before') });
    expect(await statusOf(own)).toMatchObject({ url: null, tcp: { port: null, by: 'flag' } });
    const { port, free } = await takePort();
    await free();
    expect((await own.orchd('restart', '--port', String(port))).code).toBe(0);
    expect((await own.orchd('restart')).stdout).toContain(`with --port ${port} as before`);
    expect((await statusOf(own)).url).toBe(`http://127.0.0.1:${port}`);
    expect((await own.orchd('restart', '--port', String(port))).code, 'its own port becomes free').toBe(0);
    await own.crash();
    configure(own, '[daemon]\nport = 0\n');
    expect((await own.orchd('start', '--detach')).code).toBe(0);
    expect((await statusOf(own)).tcp, 'a new start says it anew').toEqual({ port: 0, by: 'configuration' });
  });

  test('with a port that is taken leaves the daemon as it is', async () => {
    const own = await fresh();
    const { daemon: before } = await statusOf(own);
    const { port } = await takePort();
    const { code, stderr } = await own.orchd('restart', '--port', String(port));
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining(`port ${port} is taken; the daemon (pid ${before.pid})`),
    ]);
    expect((await statusOf(own)).daemon).toEqual(before);
  });
});

describe('a TCP port that is taken', () => {
  test('is refused where --port demands it, and nothing is started', async () => {
    const own = await fresh();
    await own.orchd('stop');
    const { port, free } = await takePort();
    const refused = await own.orchd('start', '--detach', '--json', '--port', String(port));
    expect([refused.code, JSON.parse(refused.stderr)]).toEqual([
      4,
      {
        code: 'ORCHD_PORT',
        error: `port ${port} is taken`,
        message: expect.stringContaining('--port'),
        details: { port },
      },
    ]);
    expect((await own.orchd('status')).code).toBe(5);
    await free();
    expect((await own.orchd('start', '--detach', '--port', String(port))).code).toBe(0);
  });

  test('is told where it is the configured one, at the start and by the status', async () => {
    const own = await fresh();
    await own.orchd('stop');
    const { port } = await takePort();
    configure(own, `[daemon]\nport = ${port}\n`);
    const words = `port ${port} is taken`;
    expect(await own.orchd('start', '--detach')).toMatchObject({ code: 0, stderr: expect.stringContaining(words) });
    expect((await own.orchd('status')).stdout).toContain(`tcp       off (${words})\n`);
    expect(await statusOf(own)).toMatchObject({ url: null, tcp: { port, by: 'configuration', problem: words } });
    expect((await own.orchd('start', '--detach')).stderr, 'once').toBe('');
    expect((await own.orchd('restart')).stderr).toContain(words);
    configure(own, '[daemon]\ntcp = false\n');
    expect((await own.orchd('restart')).stderr).toBe('');
    expect((await own.orchd('status')).stdout).toContain('tcp       off\n');
  });
});

describe('`orchd stop`', () => {
  test('ends the programs that a dead daemon has left while the configuration cannot be read', async () => {
    const own = await fresh();
    const session = await own.sh('exec sleep 1000');
    const { host } = await statusOf(own);
    await own.crash();
    for (const text of ['x = [', '[retention]\ndays = "never"\n']) {
      configure(own, text);
      expect((await own.orchd('start', '--detach')).code).toBe(2);
    }
    expect(await own.orchd('stop')).toMatchObject({ code: 0, stdout: 'stopped; 1 session ended\n' });
    await gone(host.pid);
    configure(own, '');
    expect((await own.orchd('start', '--detach', '--no-tcp')).code).toBe(0);
    await own.event('session_exited', (event) => event.session_id === session.id);
  });
});

describe('`orchd start`', () => {
  test('refuses what is no port, whether a daemon runs or not', async () => {
    const own = await fresh();
    const refused = { code: 2, stderr: expect.stringContaining("not 'abc'") };
    expect(await own.orchd('start', '--detach', '--port', 'abc')).toMatchObject(refused);
    await own.orchd('stop');
    expect(await own.orchd('start', '--detach', '--port', 'abc')).toMatchObject(refused);
  });
});
