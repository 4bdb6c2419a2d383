/** Tests that the host serves one daemon at a time, accepts the next one, and survives any input on its socket. */
import { spawn as spawnProcess } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMAND_BYTES, CONTRACT_VERSION, connectHost, WATCH_CONTRACT } from '../../src/host/index.js';
import { HOST_VERSION } from '../../src/host/version.js';
import { startHost, type TestHost } from '../harness/host.js';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.stop());

/** Connects without the client, sends text and returns lines. */
async function connectRaw(): Promise<{ socket: Socket; send(text: string): void; line(): Promise<unknown> }> {
  const socket = connect(host.socketPath);
  await new Promise((resolve) => socket.once('connect', resolve));
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  let rest = '';
  socket.on('data', (chunk) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const wanted = waiting.shift();
      if (wanted) wanted(part);
      else lines.push(part);
    }
  });
  return {
    socket,
    send: (text) => void socket.write(text),
    async line() {
      const line = lines.shift() ?? (await new Promise<string>((resolve) => waiting.push(resolve)));
      return JSON.parse(line);
    },
  };
}

describe('the lease', () => {
  it('goes to the last daemon that sends hello, and the earlier daemon gets a notice and is refused', async () => {
    const first = await host.connect();
    const second = await host.connect();
    expect(second.client.welcome.epoch).toBe(first.client.welcome.epoch + 1);
    expect(await first.closed).toMatchObject({ code: 'ORCHD_LEASE_LOST' });
    expect(first.notices.at(-1)).toEqual({ notice: 'replaced' });
    await expect(first.call('shutdown', { graceMs: 0 })).rejects.toMatchObject({ code: 'ORCHD_LEASE_LOST' });
    second.close();
  });

  it('is required: a command before hello is refused', async () => {
    const raw = await connectRaw();
    raw.send('{"id":1,"command":"shutdown","graceMs":0}\n');
    expect(await raw.line()).toMatchObject({ id: 1, ok: false, problem: { code: 'ORCHD_INVALID' } });
    raw.socket.destroy();
  });

  it('passes to the next daemon after a crash, and the sessions continue', async () => {
    // This daemon runs in a separate process, which the test kills.
    const script = `
      import { connectHost } from ${JSON.stringify(join(import.meta.dirname, '../../src/host/index.ts'))};
      const client = await connectHost({ socketPath: ${JSON.stringify(host.socketPath)} });
      const env = { PATH: process.env.PATH ?? '' };
      await client.call('spawn', { sessionId: 'ses_flood', file: '/usr/bin/seq', argv: ['seq', '1', '300000'], cwd: '/', env,
        umask: 0o22, cols: 80, rows: 24, notes: [] });
      await client.call('spawn', { sessionId: 'ses_wait', file: '/bin/cat', argv: ['cat'], cwd: '/', env,
        umask: 0o22, cols: 80, rows: 24, notes: [] });
      process.stdout.write('spawned');
      await new Promise(() => setInterval(() => {}, 1000));
    `;
    const file = join(host.directory, 'daemon.mts');
    writeFileSync(file, script);
    const cwd = join(import.meta.dirname, '../..');
    const process_ = spawnProcess(process.execPath, ['--import', 'tsx', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd,
    });
    await new Promise((resolve) => process_.stdout.once('data', resolve));
    const ended = new Promise((resolve) => process_.once('exit', resolve));
    process_.kill('SIGKILL');
    await ended;
    const daemon = await host.connect();
    const ids = daemon.client.welcome.sessions.map(({ sessionId }) => sessionId);
    expect(ids).toEqual(expect.arrayContaining(['ses_flood', 'ses_wait']));
    const flood = daemon.follow('ses_flood');
    await flood.exit();
    const numbers = Array.from({ length: 300_000 }, (_, i) => `${i + 1}\r\n`).join('');
    expect(flood.output().equals(Buffer.from(numbers))).toBe(true);
    await daemon.call('keys', { sessionId: 'ses_wait', text: 'still here\r' });
    await daemon.follow('ses_wait').untilText('still here\r\nstill here');
    await daemon.call('kill', { sessionId: 'ses_wait', graceMs: 0 });
    daemon.close();
  });
});

describe('the host socket', () => {
  it('has mode 0600', async () => {
    expect(statSync(host.socketPath).mode & 0o777).toBe(0o600);
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect(HOST_VERSION).toBe(version);
  });

  it('answers invalid lines with an error and keeps the connection', async () => {
    const raw = await connectRaw();
    const hello = '{"id":7,"command":"hello","contract":1,"pid":1}\n';
    const bad: [string, object][] = [
      ['nonsense\n', { id: 0, ok: false, problem: { code: 'ORCHD_INVALID' } }],
      ['[1]\n', { id: 0, ok: false, problem: { code: 'ORCHD_INVALID' } }],
      ['{"id":3,"command":"__proto__"}\n', { id: 3, ok: false, problem: { code: 'ORCHD_INVALID' } }],
      ['{"id":4,"command":"hello","contract":"1","pid":1}\n', { id: 4, ok: false, problem: { code: 'ORCHD_INVALID' } }],
      [hello, { id: 7, ok: true, contract: CONTRACT_VERSION }],
      [
        '{"id":8,"command":"keys","sessionId":"ses_none","text":"x"}\n',
        { id: 8, problem: { code: 'ORCHD_SESSION_UNKNOWN' } },
      ],
      ['{"id":9,"command":"keys","sessionId":"../x","text":"x"}\n', { id: 9, problem: { code: 'ORCHD_INVALID' } }],
      ['{"id":10,"command":"spawn","sessionId":"ses_x","file":"sh"}\n', { id: 10, problem: { code: 'ORCHD_INVALID' } }],
      ['\n\n{"id":11,"command":"forget","sessionId":"ses_x"}\n', { id: 11, ok: false }],
      [`{"id":12,"command":"${'x'.repeat(17 * 1024 * 1024)}"}\n`, { id: 0, problem: { code: 'ORCHD_TOO_LARGE' } }],
      [hello, { id: 7, ok: true }],
    ];
    for (const [line, reply] of bad) {
      raw.send(line);
      expect(await raw.line()).toMatchObject(reply);
    }
    raw.socket.destroy();
  });

  it('is spared a command over COMMAND_BYTES: the client refuses it and stays connected', async () => {
    const daemon = await host.connect();
    const keys = (text: string) => daemon.call('keys', { sessionId: 'ses_none', text });
    await expect(keys('\u0001'.repeat(COMMAND_BYTES / 6))).rejects.toMatchObject({
      code: 'ORCHD_TOO_LARGE',
      message: expect.stringContaining(`may have ${COMMAND_BYTES}`),
    });
    await expect(keys('x')).rejects.toMatchObject({ code: 'ORCHD_SESSION_UNKNOWN' });
    daemon.close();
  });

  it.each([
    [WATCH_CONTRACT - 1, { notice: 'grew', sessionId: 'ses_told_2' }],
    [WATCH_CONTRACT, { notice: 'grown', positions: expect.arrayContaining([['ses_told_3', expect.any(Number)]]) }],
  ])('sends a daemon of contract %d the growth notice of that contract', async (contract, notice) => {
    const raw = await connectRaw();
    const sessionId = `ses_told_${contract}`;
    const hello = { id: 1, command: 'hello', contract, pid: process.pid };
    const program = {
      file: '/bin/true',
      argv: ['true'],
      cwd: '/',
      env: {},
      umask: 0o22,
      cols: 80,
      rows: 24,
      notes: [],
    };
    for (const request of [hello, { id: 2, command: 'spawn', sessionId, ...program }])
      raw.send(`${JSON.stringify(request)}\n`);
    expect(await raw.line()).toMatchObject({ id: 1, ok: true });
    let told = await raw.line();
    // Skips the notices about sessions of other tests, which are still ending.
    while (!JSON.stringify(told).includes(sessionId)) told = await raw.line();
    expect(told).toMatchObject(notice);
    raw.socket.destroy();
  });

  it('makes a second host exit with 4', async () => {
    const second = startHost({ directory: host.directory });
    await expect(second).rejects.toThrow(/ended with 4: orchd-host: another host listens at/);
    (await host.connect()).close();
  });

  it('can be reused after the first host was killed', async () => {
    const first = await startHost();
    first.process.kill('SIGKILL');
    expect(await first.ended).toBe('SIGKILL');
    const second = await startHost({ directory: first.directory });
    expect((await second.connect()).client.welcome.sessions).toEqual([]);
    await second.stop();
  });

  it('goes to exactly one of two hosts that start together', async () => {
    const first = await startHost();
    first.process.kill('SIGKILL');
    await first.ended;
    const { directory } = first;
    const starts = await Promise.allSettled([startHost({ directory }), startHost({ directory })]);
    const started = starts.filter((start) => start.status === 'fulfilled');
    expect(started.length).toBe(1);
    await started[0]?.value.stop();
  });

  it('makes the host exit with an error if its path is too long or cannot be created', async () => {
    const long = join(host.directory, 'x'.repeat(100));
    await expect(startHost({ directory: long })).rejects.toThrow(
      /ended with 2: orchd-host: the socket path .* is longer/,
    );
    await expect(startHost({ directory: '/dev/null/x' })).rejects.toThrow(/ended with 1: orchd-host: /);
  });

  it('is reported unreachable if no host listens', async () => {
    const attempt = connectHost({ socketPath: join(host.directory, 'nobody.sock') });
    await expect(attempt).rejects.toMatchObject({ code: 'ORCHD_HOST_UNREACHABLE' });
  });
});

describe('signals to the host', () => {
  it('SIGHUP and SIGINT have no effect, SIGTERM ends the sessions and then the host', async () => {
    const own = await startHost();
    const daemon = await own.connect();
    const session = await daemon.spawn('echo ready; exec cat');
    await session.untilText('ready');
    own.process.kill('SIGHUP');
    own.process.kill('SIGINT');
    await daemon.call('keys', { sessionId: session.sessionId, text: 'alive\r' });
    await session.untilText('alive');
    own.process.kill('SIGTERM');
    expect(await own.ended).toBe(0);
    expect((await daemon.closed) instanceof Error).toBe(true);
    await session.exit();
    await own.stop();
  });
});
