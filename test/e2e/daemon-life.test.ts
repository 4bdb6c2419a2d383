/**
 * Tests how a daemon is started, replaced and stopped: errors are reported before anything is stopped, and a missing
 * TCP port is reported.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { describe, expect } from 'vitest';
import { gone, type TestDaemon } from '../harness/daemon.js';
import { type OwnDaemons, test } from '../harness/fresh-daemon.js';

const statusOf = (of: TestDaemon) => of.client.call('daemon.status', {});

/** Occupies a port with another process. */
async function takePort(afterwards: OwnDaemons['afterwards']): Promise<{ port: number; free(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on no port');
  const free = () => new Promise<void>((resolve) => server.close(() => resolve()));
  afterwards(free);
  return { port: address.port, free };
}

function configure(of: TestDaemon, text: string): void {
  mkdirSync(dirname(of.paths.configFile), { recursive: true });
  writeFileSync(of.paths.configFile, text);
}

test.concurrent('`orchd stop` also ends a host that is just starting', async ({ fresh }) => {
  const own = await fresh();
  const { host, daemon: running } = await statusOf(own);
  process.kill(host.pid, 'SIGKILL');
  for (let call = statusOf(own); (await call.catch(() => null)) !== null; call = statusOf(own));
  const { code, stderr } = await own.orchd('stop');
  expect([code, stderr]).toEqual([0, '']);
  await gone(running.pid);
  expect(existsSync(own.paths.hostSocket)).toBe(false);
});

describe.concurrent('orchd restart', () => {
  test('logs no error while clients show sessions', async ({ fresh }) => {
    const own = await fresh();
    for (let n = 0; n < 8; n++) {
      const { id } = await own.sh('echo ready; read x');
      const terminal = await own.client.terminal(id, { size: { cols: 90, rows: 30 } });
      await new Promise<void>((resolve) =>
        terminal.onBytes((bytes) => Buffer.from(bytes).includes('ready') && resolve()),
      );
    }
    const { daemon: before } = await statusOf(own);
    expect((await own.orchd('restart', '--no-tcp')).code).toBe(0);
    await gone(before.pid);
    const errors = readFileSync(own.paths.logFile, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"level":"error"'));
    expect(errors).toEqual([]);
  });

  test('refuses an invalid port or configuration and keeps the running daemon', async ({ fresh }) => {
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

  test('keeps --no-tcp and --port of the running daemon unless one of them is given', async ({ fresh, afterwards }) => {
    const own = await fresh();
    const restarted = await own.orchd('restart');
    expect(restarted).toMatchObject({ code: 0, stdout: expect.stringContaining('with --no-tcp as before') });
    expect(await statusOf(own)).toMatchObject({ url: null, tcp: { port: null, by: 'flag' } });
    const { port, free } = await takePort(afterwards);
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

  test('refuses a port that is in use and keeps the running daemon', async ({ fresh, afterwards }) => {
    const own = await fresh();
    const { daemon: before } = await statusOf(own);
    const { port } = await takePort(afterwards);
    const { code, stderr } = await own.orchd('restart', '--port', String(port));
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining(`port ${port} is taken; the daemon (pid ${before.pid})`),
    ]);
    expect((await statusOf(own)).daemon).toEqual(before);
  });
});

describe.concurrent('a TCP port that is in use', () => {
  test('makes start --port fail, and no daemon is started', async ({ fresh, afterwards }) => {
    const own = await fresh();
    await own.orchd('stop');
    const { port, free } = await takePort(afterwards);
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

  test('from the configuration is reported by start, restart, status and web', async ({ fresh, afterwards }) => {
    const own = await fresh();
    await own.orchd('stop');
    const { port } = await takePort(afterwards);
    configure(own, `[daemon]\nport = ${port}\n`);
    const words = `port ${port} is taken`;
    expect(await own.orchd('start', '--detach')).toMatchObject({ code: 0, stderr: expect.stringContaining(words) });
    expect((await own.orchd('status')).stdout).toContain(`tcp       off (${words})\n`);
    expect(await statusOf(own)).toMatchObject({ url: null, tcp: { port, by: 'configuration', problem: words } });
    expect((await own.orchd('web', '--no-open')).stderr).toContain(`there is none: ${words}\n`);
    expect((await own.orchd('start', '--detach')).stderr, 'once').not.toContain(words);
    expect((await own.orchd('restart')).stderr).toContain(words);
    configure(own, '[daemon]\ntcp = false\n');
    expect((await own.orchd('restart')).stderr).not.toContain(words);
    expect((await own.orchd('status')).stdout).toContain('tcp       off\n');
    expect((await own.orchd('web', '--no-open')).stderr).toContain(
      'there is none: the daemon listens on its socket only\n',
    );
  });
});

describe.concurrent('orchd stop', () => {
  test('ends the programs of a dead daemon even if the configuration is invalid', async ({ fresh }) => {
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

describe.concurrent('orchd start', () => {
  test('refuses an invalid port whether or not a daemon runs', async ({ fresh }) => {
    const own = await fresh();
    const refused = { code: 2, stderr: expect.stringContaining("not 'abc'") };
    expect(await own.orchd('start', '--detach', '--port', 'abc')).toMatchObject(refused);
    await own.orchd('stop');
    expect(await own.orchd('start', '--detach', '--port', 'abc')).toMatchObject(refused);
  });
});
