/** Tests terminals of sessions on other machines of a hub: real daemons and a real nats-server. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createClient,
  type DaemonControl,
  type Terminal,
  type TerminalEnd,
  type TerminalOptions,
} from '../../src/client/index.js';
import type { Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type HoldingProxy, holdingProxy } from '../harness/holding-proxy.js';
import { enroll, joinHub } from '../harness/hub.js';
import { hasNats, type NatsServer, startNats } from '../harness/nats-server.js';

let server: NatsServer;
/** The way of the laptop to the server. */
let way: HoldingProxy;
let laptop: TestDaemon;
let build: TestDaemon;
const open: Terminal[] = [];

/** The closing code if the other machine cannot be reached. */
const LOST = 4001;
const SIZE = { cols: 60, rows: 12 };

beforeAll(async () => {
  if (!hasNats) return;
  [server, laptop, build] = await Promise.all([
    startNats(),
    startDaemon(),
    startDaemon({ env: { ORCHD_HUB_SHARE: 'screens', ORCHD_HUB_ACCEPT: 'read, type, start' } }),
  ]);
  way = await holdingProxy(server.port);
  await laptop.orchd('hub', 'init', server.url);
  await joinHub(laptop, way.url, 'laptop');
  await joinHub(build, server.url, 'build');
});
afterAll(async () => {
  for (const daemon of [laptop, build]) await daemon?.close();
  way?.close();
  await server?.close();
});
beforeEach(async () => {
  if (!hasNats) return;
  await enroll(build, 'laptop', laptop);
  const away = async () => (await laptop.client.call('hub.status', {})).machines.map((one) => [one.name, one.away]);
  await expect.poll(away).toContainEqual(['build', false]);
});
afterEach(async () => {
  for (const terminal of open.splice(0)) terminal.close();
  for (const { id } of await build.client.call('session.list', { all: false })) {
    await build.client.call('session.kill', { session: id, grace_ms: 0 });
  }
});

interface Watched {
  readonly terminal: Terminal;
  readonly controls: DaemonControl[];
  /** Returns the text that was shown so far. */
  text(): string;
  end(): TerminalEnd | null;
}

/** Opens a terminal of a session of `build` on the laptop. */
async function watch({ id }: Pick<Session, 'id'>, options: TerminalOptions = {}): Promise<Watched> {
  const terminal = await laptop.client.terminal(id, { machine: 'build', size: SIZE, ...options });
  open.push(terminal);
  const controls: DaemonControl[] = [];
  const chunks: Buffer[] = [];
  let end: TerminalEnd | null = null;
  terminal.onControl((message) => controls.push(message));
  terminal.onBytes((bytes) => chunks.push(Buffer.from(bytes)));
  void terminal.ended.then((ended) => {
    end = ended;
  });
  return { terminal, controls, text: () => Buffer.concat(chunks).toString(), end: () => end };
}

const shows = (watched: Watched, text: string): Promise<void> => expect.poll(watched.text).toContain(text);
const code = (watched: Watched): number | undefined => watched.end()?.code;
/** Number of open terminal streams of `build`. */
const watchers = async (): Promise<number | undefined> => {
  const { families } = await build.client.call('daemon.metrics', {});
  const streams = families.find(({ name }) => name === 'orchd_subscribers')?.samples;
  return streams?.find(({ labels }) => labels['stream'] === 'terminal')?.value;
};

const shell = (...flags: string[]) =>
  build.sh(`stty -echo; echo ready; while read -r line; do eval "$line"; done`, ...flags);

describe.skipIf(!hasNats)('a terminal of another machine', () => {
  test('shows the screen, types, resizes, and tells how the program ended', async () => {
    const session = await shell('--size', '80x24');
    const watched = await watch(session);
    await shows(watched, 'ready');
    await watched.terminal.sendBytes('stty size; echo \'\u{1f680}\'; printf "\\033]52;c;aGk=\\007"\r');
    await shows(watched, '12 60');
    await shows(watched, '\u{1f680}');
    await expect.poll(() => watched.controls).toContainEqual({ type: 'clipboard', data: 'aGk=' });
    await watched.terminal.sendControl({ type: 'resize', cols: 71, rows: 13 });
    await expect.poll(() => watched.controls).toContainEqual({ type: 'size', cols: 71, rows: 13 });
    await watched.terminal.sendBytes('stty size\r');
    await shows(watched, '13 71');
    const other = await build.client.terminal(session.id, {});
    open.push(other);
    other.onBytes(() => undefined);
    await expect.poll(() => watched.controls).toContainEqual({ type: 'clients', others: 1, readers: 0 });
    await watched.terminal.sendBytes('exit 7\r');
    expect(await watched.terminal.ended).toMatchObject({ code: 1000 });
    expect(watched.controls.at(-1)).toEqual({ type: 'exit', state: 'failed', exit_code: 7, signal: null });
    await expect(watch({ id: 'nothing' })).rejects.toMatchObject({ code: 'ORCHD_SESSION_UNKNOWN' });
    await expect(laptop.client.terminal('x', { machine: 'other' })).rejects.toMatchObject({
      code: 'ORCHD_MACHINE_UNKNOWN',
    });
  });

  test('carries large pastes and large screens unchanged', async () => {
    const session = await build.sh('stty raw -echo; echo ready; head -c 3000000 | sha256sum; read x');
    const watched = await watch(session);
    await shows(watched, 'ready');
    const chunk = Buffer.alloc(100_000, 'typed text, ');
    const hash = createHash('sha256');
    for (let i = 0; i < 30; i++) {
      hash.update(chunk);
      await watched.terminal.sendBytes(chunk);
    }
    await shows(watched, hash.digest('hex').slice(0, SIZE.cols - 1));
  });

  test('ends on the other machine when the viewer leaves', async () => {
    const session = await shell();
    const watched = await watch(session);
    await shows(watched, 'ready');
    expect(await watchers()).toBe(1);
    watched.terminal.close();
    await expect.poll(watchers).toBe(0);
  });

  test.each([{ painted: true }, { painted: false }])(
    'skips output for a slow viewer, who then gets the newest screen (%o)',
    async (how) => {
      const flood = `for (let i = 0; i < 400; i++) process.stdout.write(('x'.repeat(79) + '\\n').repeat(1000))`;
      const session = await shell('--size', '60x12');
      const watched = await watch(session, how);
      await shows(watched, 'ready');
      watched.terminal.pause();
      await watched.terminal.sendBytes(`node -e "${flood}"; echo 'flood over'\r`); // 32 MB
      const shown = async () => (await build.client.call('session.capture', { session: session.id })).text;
      await expect.poll(shown).toContain('flood over');
      watched.terminal.resume();
      await shows(watched, 'flood over');
      expect(watched.text().length).toBeLessThan(4 * 1024 * 1024);
    },
  );

  test('ends while the hub is cut off, and opens again with a fresh screen', async () => {
    const session = await shell();
    const watched = await watch(session);
    await shows(watched, 'ready');
    way.hold();
    await build.client.call('session.send', { session: session.id, text: 'echo "mean""while"' });
    await expect.poll(() => code(watched)).toBe(LOST);
    expect(watched.end()?.reason).toBe("'build' does not reply");
    expect(watched.text()).not.toContain('meanwhile');
    await expect(watch(session)).rejects.toMatchObject({
      code: expect.stringMatching(/^ORCHD_(HUB_UNREACHABLE|HUB_REFUSED|MACHINE_AWAY)$/),
    });
    way.cut();
    const again: Watched[] = [];
    const opening = () => watch(session).then((next) => again.push(next));
    await expect.poll(() => again.length || opening().catch(() => 0)).toBe(1);
    await expect.poll(() => again[0]?.text()).toContain('meanwhile');
    await expect.poll(watchers).toBe(1); // `build` has noticed that the first one is gone
  });

  test('ends on the other machine when the viewer is silent', async () => {
    const session = await shell();
    const watched = await watch(session);
    await shows(watched, 'ready');
    await laptop.crash();
    await expect.poll(watchers).toBe(0);
    await laptop.start();
  });

  test('is refused without the permission, and ends when the key is removed', async () => {
    await enroll(laptop, 'build', build);
    const { id } = await laptop.sh('cat');
    const opening = (readOnly: boolean) => build.client.terminal(id, { machine: 'laptop', readOnly });
    const forbidden = { code: 'ORCHD_HUB_FORBIDDEN' };
    await expect(opening(false)).rejects.toMatchObject({ ...forbidden, message: expect.stringContaining('"type"') });
    await expect(opening(true)).rejects.toMatchObject({ ...forbidden, message: expect.stringContaining('no screens') });
    const session = await shell();
    const watched = await watch(session);
    await shows(watched, 'ready');
    await build.client.call('hub.unenroll', { name: 'laptop' });
    await expect.poll(() => code(watched)).toBe(1008);
    await expect(watch(session)).rejects.toMatchObject({
      ...forbidden,
      message: expect.stringContaining('orchd hub enroll laptop'),
    });
  });

  test('of a machine with an older orchd is refused with its version', async () => {
    const connection = await connect({ servers: `127.0.0.1:${server.port}` });
    const older = { name: 'older', version: '0.0.9', last_seq: 1, published_seq: 1, sessions: 0, open_items: 0 };
    await jetstream(connection).publish('$KV.orchd_machines.older', JSON.stringify(older));
    const opening = () => laptop.client.terminal('x', { machine: 'older' }).catch((error: unknown) => error);
    await expect.poll(opening).toMatchObject({
      code: 'ORCHD_MACHINE_OLDER',
      message: expect.stringContaining('an older orchd (0.0.9)'),
    });
    await connection.close();
  });

  test('is sealed: another user of an open server reads nothing, types nothing, and repeats nothing', async () => {
    const session = await shell();
    const stranger = await connect({ servers: `127.0.0.1:${server.port}` });
    const frames: { readonly subject: string; readonly data: Uint8Array }[] = [];
    stranger.subscribe('orchd.*.terminal.>', {
      callback: (_error, { subject, data }) => void frames.push({ subject, data }),
    });
    await stranger.flush();
    const watched = await watch(session);
    await shows(watched, 'ready');
    await watched.terminal.sendBytes('echo "typed-""once"\r');
    await shows(watched, 'typed-once');
    expect(frames.length).toBeGreaterThan(2);
    const all = Buffer.concat(frames.map(({ data }) => data));
    for (const words of ['ready', 'typed-', 'clients']) expect(all.includes(words), words).toBe(false);
    const copies = [...frames];
    for (const { subject, data } of copies) stranger.publish(subject, data);
    for (const subject of new Set(copies.map((frame) => frame.subject))) {
      for (const bytes of [Buffer.from('\x01evil\r'), Buffer.alloc(64)]) stranger.publish(subject, bytes);
      stranger.publish(subject.replace(/[^.]+$/, 'A'.repeat(22)), Buffer.alloc(64));
    }
    await stranger.flush();
    await watched.terminal.sendBytes('echo "still-""there"\r');
    await shows(watched, 'still-there');
    const { text } = await build.client.call('session.capture', { session: session.id, scrollback: 100 });
    expect(text.match(/typed-once/g)).toHaveLength(1);
    expect(text).not.toContain('evil');
    await stranger.close();
  });

  test("is not opened with an agent's token", async () => {
    const session = await shell();
    const file = `${laptop.env['ORCHD_HOME']}/token`;
    await laptop.sh(`printf %s "$ORCHD_SESSION_TOKEN" > ${file}.new; mv ${file}.new ${file}; cat`);
    const token = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    await expect.poll(token).not.toBe('');
    const agent = createClient({ socketPath: laptop.paths.socket, clientName: 'agent', token: token() });
    await expect(agent.terminal(session.id, { machine: 'build' })).rejects.toMatchObject({ code: 'ORCHD_FORBIDDEN' });
  });
});
