/**
 * Tests a hostile or careless user: no action ends the daemon, reaches the wrong session, or reports success when it
 * failed.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Item, Session } from '../../src/protocol/index.js';
import { gone, startDaemon, type TestDaemon } from '../harness/daemon.js';
import { openTerminal } from '../tui/person.js';

const BIN = join(import.meta.dirname, '../../bin/orchd.js');

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ flags: ['--port', '0'] });
});
afterAll(() => daemon.close());

const status = () => daemon.client.call('daemon.status', {});

test('clients that disconnect during a refused upgrade do not end the daemon', async () => {
  const { url, daemon: before } = await status();
  const upgrade = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  const port = Number(new URL(url ?? '').port);
  for (let i = 0; i < 20; i++) {
    await new Promise((resolve) => {
      const socket = i % 2 === 0 ? connect({ path: daemon.paths.socket }) : connect({ port, host: '127.0.0.1' });
      socket.on('connect', () => {
        socket.write(upgrade, () => (i % 2 === 0 ? socket.destroy() : socket.resetAndDestroy()));
      });
      socket.on('error', () => {}).on('close', resolve);
    });
  }
  expect((await status()).daemon.pid).toBe(before.pid);
});

test('commands work in a directory that was removed, such as a discarded worktree', async () => {
  const gone = mkdtempSync(join(tmpdir(), 'orchd-gone-'));
  const inside = (command: string) =>
    spawnSync('sh', ['-c', `cd '${gone}' && rmdir '${gone}' && ${command}`], {
      encoding: 'utf8',
      env: { ...process.env, ...daemon.env },
    });
  expect(inside(`'${BIN}' ls -q`)).toMatchObject({ status: 0, stderr: '' });
  mkdirSync(gone);
  expect(inside(`'${BIN}' run -d -C / -- true`)).toMatchObject({ status: 0, stderr: '' });
  mkdirSync(gone);
  const here = inside(`'${BIN}' run -d -- true`);
  expect([here.status, here.stderr]).toEqual([1, expect.stringContaining(gone)]);
  expect(here.stderr).not.toContain('bug');
});

test('an empty name matches no session', async () => {
  const session = await daemon.sh('read x');
  for (const args of [
    ['kill', ''],
    ['send', '', 'x'],
    ['rename', '', 'other'],
    ['answer', '', 'x'],
    ['show', ''],
  ]) {
    expect((await daemon.orchd(...args)).code, args.join(' ')).not.toBe(0);
  }
  expect(await daemon.client.call('session.show', { session: session.id })).toMatchObject({
    name: 'sh',
    ended_at: null,
  });
  await daemon.orchd('kill', session.id);
});

test.each([
  ['exits immediately', 'echo so soon; exit 7', 'so soon', 7],
  ['is killed by a signal', 'echo killed; kill -KILL $$', 'killed', 137],
])('`run` of a program that %s shows its output and returns its exit code', async (_how, script, output, code) => {
  const person = openTerminal(`exec $ORCHD run -- sh -c '${script}'`, { env: daemon.env });
  expect(await person.exited).toBe(code);
  expect(person.bytes()).toContain(output);
  person.close();
});

test('-q keeps the requested output, --json has precedence, and a usage error names the help', async () => {
  const { id } = await daemon.sh('read x', '--name', 'quiet');
  expect(await daemon.orchd('show', '-q', 'quiet')).toMatchObject({ code: 0, stdout: `${id}\n` });
  expect((await daemon.orchd('metrics', '-q')).stdout).toContain('noticed');
  expect((await daemon.orchd('doctor', '-q')).stdout).not.toContain('ok ');
  expect(JSON.parse((await daemon.orchd('ls', '-q', '--json')).stdout)).toContainEqual(expect.objectContaining({ id }));
  for (const [args, help] of [
    [['ls', '--nope'], 'orchd ls --help'],
    [['answer'], 'orchd answer --help'],
    [['shwo'], 'orchd --help'],
  ] as const) {
    expect(await daemon.orchd(...args), args.join(' ')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`See \`${help}\``),
    });
  }
  expect(await daemon.orchd('export', 'quiet', '--text', '--json')).toMatchObject({ code: 2, stdout: '' });
  await daemon.orchd('kill', id);
});

test('`wait` finds a state that lasted only a moment', async () => {
  const session = await daemon.sh(
    'read go; printf "%s\\n" ":ORCHESTRATOR: BLOCKED - why" ":ORCHESTRATOR: TASK COMPLETE"; read x',
  );
  const waiting = daemon.client.call('session.wait', { session: session.id, until: 'blocked' });
  await status(); // The daemon handles requests in order, so `wait` has begun.
  await daemon.orchd('send', session.id, 'go');
  expect((await waiting).state).toBe('blocked');
  await daemon.orchd('kill', session.id);
});

test('the environment of a call configures the session that it starts', async () => {
  const own = daemon.env['ORCHD_SESSIONS_COLS'];
  daemon.env['ORCHD_SESSIONS_COLS'] = '66';
  const session = await daemon.json<Session>('run', '-d', '--json', '--', 'sh', '-c', 'read x');
  daemon.env['ORCHD_SESSIONS_COLS'] = 'wide';
  expect((await daemon.orchd('config')).stderr).toContain('sessions.cols is "wide", but must be a number');
  if (own === undefined) delete daemon.env['ORCHD_SESSIONS_COLS'];
  expect(session.size.cols).toBe(66);
  await daemon.orchd('kill', session.id);
});

test('a session cannot close its own question by typing into itself', async () => {
  const session = await daemon.sh(
    `echo ':ORCHESTRATOR: QUESTION - may I?'; ${process.execPath} ${BIN} send $ORCHD_SESSION_ID yes; echo ` +
      '"code $?"; read x',
  );
  const item = await daemon.openItem(session);
  await daemon.event(
    'session_state_changed',
    ({ session_id, state }) => session_id === session.id && state === 'waiting',
  );
  for (;;) {
    const { text } = await daemon.client.call('session.capture', { session: session.id });
    if (text.includes('code 1')) break;
    expect(text).not.toContain('code 0');
  }
  expect((await daemon.json<Item[]>('inbox')).map(({ id }) => id)).toContain(item.id);
  await daemon.orchd('kill', session.id);
});

test('unknown event types, keys, content types and malformed URLs are refused', async () => {
  expect(await daemon.orchd('events', '-f', '--type', 'mesage')).toMatchObject({ code: 2 });
  expect(await daemon.orchd('prompt', '--key', 'a b')).toMatchObject({ code: 2 });
  const quoted = await daemon.orchd('prompt', '--key', 'a"bcd');
  expect(quoted.stdout).toContain('{"key": "a\\"bcd"');
  const { url } = await status();
  const authorization = `Bearer ${readFileSync(daemon.paths.tokenFile, 'utf8').trim()}`;
  for (const [path, init] of [
    ['/api/sessions/%ff', {}],
    ['/api/sessions', { method: 'POST', body: 'x', headers: { 'content-type': 'text/csv' } }],
  ] as const) {
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: { authorization, ...('headers' in init && init.headers) },
    });
    expect(await response.json()).toMatchObject({ code: 'ORCHD_INVALID', message: expect.any(String) });
  }
});

// This test is the last one, because it ends the daemon.
test('`stop` ends the host and every program even if the daemon is dead', async () => {
  const session = await daemon.sh('sleep 1000');
  const { host } = await status();
  await daemon.crash();
  expect(await daemon.json('stop')).toEqual({ stopped: true, killed: 1 });
  await gone(host.pid);
  await gone((session as Session).pid);
});
