/** Tests machines on a hub: real daemons and a real nats-server. */
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OutputOf } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { holdingProxy } from '../harness/holding-proxy.js';
import { joinHub, publishedEvents, readStream } from '../harness/hub.js';
import { hasNats, type NatsServer, startNats } from '../harness/nats-server.js';

type HubStatus = OutputOf<'hub.status'>;

// Each test has a hub of its own, and all share two daemons, which leave that hub after each test.
let server: NatsServer;
let one: TestDaemon;
let two: TestDaemon;

beforeAll(async () => {
  if (!hasNats) return;
  [one, two] = await Promise.all([startDaemon(), startDaemon()]);
});
afterAll(async () => {
  for (const daemon of [one, two]) await daemon?.close();
});
beforeEach(async () => {
  server = await startNats();
  await one.orchd('hub', 'init', server.url);
});
afterEach(async () => {
  await Promise.all([one, two].map((daemon) => reset(daemon)));
  await server.close();
});

async function reset(daemon: TestDaemon): Promise<void> {
  await daemon.start(); // A test may have killed it.
  if ((await status(daemon)).joined) await daemon.client.call('hub.leave', {});
  for (const { id } of await daemon.client.call('session.list', {})) {
    await daemon.client.call('session.kill', { session: id, grace_ms: 0 });
    await daemon.client.call('session.remove', { session: id, forever: true });
  }
}

const status = (daemon: TestDaemon): Promise<HubStatus> => daemon.client.call('hub.status', {});

/** Resolves when the hub has every event of the daemon. */
async function published(daemon: TestDaemon): Promise<number> {
  let last = 0;
  await expect
    .poll(async () => {
      last = (await daemon.client.call('daemon.status', {})).last_seq;
      const { published_seq, state } = await status(daemon);
      return state === 'connected' && published_seq === last;
    })
    .toBe(true);
  return last;
}

const counted = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const seqsOf = async (name: string): Promise<number[]> =>
  (await publishedEvents(server.url, name)).map(({ seq }) => seq);
const ASK = 'echo ":ORCHESTRATOR: QUESTION - Which colour?"; read -r answer';

describe.skipIf(!hasNats)('a hub', () => {
  test('gets each event of its machines once and in order, from the moment they join', async () => {
    await one.sh('true');
    const before = (await one.client.call('daemon.status', {})).last_seq;
    await one.json('hub', 'join', server.url, '--name', 'one');
    await two.json('hub', 'join', server.url, '--name', 'two', '--since', '0');
    for (const daemon of [one, two]) await daemon.openItem(await daemon.sh(ASK));
    const [lastOfOne, lastOfTwo] = [await published(one), await published(two)];
    const seqs = await seqsOf('one');
    // More events may have come since: `item_notified` follows its item after a second.
    expect(seqs.slice(0, lastOfOne - (seqs[0] ?? 0) + 1)).toEqual(counted(seqs[0] ?? 0, lastOfOne));
    expect(seqs[0]).toBeGreaterThan(before);
    expect((await seqsOf('two')).slice(0, lastOfTwo)).toEqual(counted(1, lastOfTwo));
    await expect
      .poll(async () => (await status(one)).machines.map(({ name, away, open_items }) => [name, away, open_items]), {
        timeout: 20_000,
      })
      .toEqual([
        ['one', false, 1],
        ['two', false, 1],
      ]);
    await expect
      .poll(async () => (await readStream(server.url, 'KV_orchd_items')).map(({ text }) => JSON.parse(text).data))
      .toEqual([{ question: 'Which colour?' }, { question: 'Which colour?' }]);
  });

  test('shows its limits, and the rate of this machine', async () => {
    await joinHub(one, server.url, 'one');
    await expect.poll(async () => (await status(one)).limits?.max_age_ms, { timeout: 20_000 }).toBe(30 * 86_400_000);
    expect((await one.orchd('hub', 'status')).stdout).toMatch(
      /limits +events are kept for 30d and 4\.\d+ GB \(now .*\); messages of 1\.\d+ MB; 20000 events a second from here/,
    );
  });

  test('loses no event when it is killed: the machine reports the outage and later catches up', async () => {
    await joinHub(one, server.url, 'one', { since: 0 });
    await one.sh('true');
    await published(one);
    await server.kill();
    await expect.poll(async () => (await status(one)).state).toBe('problem');
    await one.openItem(await one.sh(ASK));
    expect((await one.orchd('status')).stdout).toContain('the hub does not get the events of this machine');
    expect((await one.orchd('doctor')).stdout).toContain('the hub does not get the events of this machine');
    expect((await one.orchd('hub', 'status')).code).toBe(1);
    expect((await status(one)).lag).toBeGreaterThan(0);
    await server.start();
    const last = await published(one);
    expect(await seqsOf('one')).toEqual(counted(1, last));
  });

  test('gets the missing events again, once, when it was restored from a backup', async () => {
    await joinHub(one, server.url, 'one', { since: 0 });
    const early = await published(one);
    await server.kill();
    const [store, backup] = [join(server.folder, 'store'), join(server.folder, 'backup')];
    cpSync(store, backup, { recursive: true });
    await server.start();
    await one.sh('true');
    expect(await published(one)).toBeGreaterThan(early);
    await server.kill();
    rmSync(store, { recursive: true });
    cpSync(backup, store, { recursive: true });
    await server.start();
    await one.sh('true');
    const last = await published(one);
    await expect.poll(() => seqsOf('one')).toEqual(counted(1, last));
  });

  test('has each event once after kill -9 of a daemon before the acknowledgement', async () => {
    const proxy = await holdingProxy(server.port);
    try {
      await joinHub(one, proxy.url, 'one', { since: 0 });
      await published(one);
      const held = (await readStream(server.url, 'orchd_events')).length;
      proxy.hold(); // From here on the proxy holds the acknowledgements back.
      await one.sh('true');
      await expect.poll(async () => (await readStream(server.url, 'orchd_events')).length).toBeGreaterThan(held);
      await one.crash();
      proxy.release();
      await one.start();
      const last = await published(one);
      expect(await seqsOf('one')).toEqual(counted(1, last));
    } finally {
      proxy.close();
    }
  });

  test('has each event once after connections were cut during publication', async () => {
    const proxy = await holdingProxy(server.port);
    try {
      await joinHub(one, proxy.url, 'one', { since: 0 });
      await published(one);
      for (let round = 0; round < 5; round++) {
        const held = (await readStream(server.url, 'orchd_events')).length;
        proxy.hold();
        await one.sh('true');
        await expect.poll(async () => (await readStream(server.url, 'orchd_events')).length).toBeGreaterThan(held);
        proxy.cut();
        await published(one);
      }
      expect(await seqsOf('one')).toEqual(counted(1, await published(one)));
    } finally {
      proxy.close();
    }
  });

  test('lists the sessions and open items of all machines, also of a machine that is away', async () => {
    await joinHub(one, server.url, 'one');
    await joinHub(two, server.url, 'two', { since: 0 });
    const here = await one.sh('true');
    const asking = await two.sh(ASK);
    const item = await two.openItem(asking);
    await published(two);
    const ids = async (...args: string[]): Promise<string[][]> =>
      (await one.json<{ machine: string; id: string }[]>(...args)).map(({ machine: name, id }) => [name, id]);
    await expect
      .poll(() => ids('ls', '--machine', 'all'))
      .toEqual([
        ['one', here.id],
        ['two', asking.id],
      ]);
    await expect.poll(() => ids('inbox', '--machine', 'two')).toEqual([['two', item.id]]);
    expect(await ids('inbox', '--machine', 'one')).toEqual([]);
    expect((await one.json<{ id: string }[]>('ls')).map(({ id }) => id)).toEqual([here.id]);
    expect((await one.orchd('inbox', item.id, '--machine', 'all')).stdout).toContain('Which colour?');
    const unknown = await one.orchd('ls', '--machine', 'three');
    expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining("no machine 'three'")]);
    await two.crash();
    const away = async (): Promise<string> => (await one.orchd('ls', '--machine', 'two')).stdout;
    await expect.poll(away, { timeout: 40_000, interval: 500 }).toMatch(/two, away \d+s/);
    expect((await one.orchd('inbox', '--machine', 'all')).stdout).toMatch(/two \(away \d+s\)\/sh/);
  });

  test('is joined from the first request after a start on', async () => {
    await joinHub(two, server.url, 'two');
    await two.crash();
    await two.start();
    expect((await status(two)).joined).toBe(true);
  });

  test('no longer lists an item that was answered', async () => {
    await joinHub(one, server.url, 'one');
    await joinHub(two, server.url, 'two');
    const item = await two.openItem(await two.sh(ASK));
    const open = async (): Promise<string> => (await one.orchd('inbox', '--machine', 'all', '-q')).stdout;
    await expect.poll(open).toBe(`${item.id}\n`);
    await two.orchd('answer', item.id, 'blue');
    await expect.poll(open).toBe('');
  });

  test('gets no token of a session, and a machine continues its events after leave and join', async () => {
    await joinHub(one, server.url, 'one', { since: 0 });
    const file = join(one.env['ORCHD_HOME'] ?? '', 'token-of-session');
    const session = await one.sh(`printf %s "$ORCHD_SESSION_TOKEN" > ${file}; ${ASK}`);
    await one.openItem(session);
    await published(one);
    const token = readFileSync(file, 'utf8');
    expect(token.length).toBeGreaterThan(10);
    // The items of earlier tests were removed there, which leaves empty messages.
    const items = async () => (await readStream(server.url, 'KV_orchd_items')).filter(({ text }) => text !== '');
    await expect.poll(items).toHaveLength(1);
    for (const stream of ['orchd_events', 'KV_orchd_machines', 'KV_orchd_sessions', 'KV_orchd_items']) {
      await expect.poll(async () => (await readStream(server.url, stream)).length).toBeGreaterThan(0);
      const all = JSON.stringify(await readStream(server.url, stream));
      expect(all).not.toContain(token);
    }
    await one.json('hub', 'leave');
    expect(await status(one)).toEqual({ joined: false, machines: [] });
    const before = (await seqsOf('one')).at(-1) ?? 0;
    await one.sh('true');
    await joinHub(one, server.url, 'one', { since: before });
    const last = await published(one);
    expect(await seqsOf('one')).toEqual(counted(1, last));
  });

  test('refuses a machine name that is in use until it is taken over with --replace', async () => {
    const empty = await startNats();
    try {
      const early = await one.orchd('hub', 'join', empty.url, '--name', 'one');
      expect([early.code, early.stderr]).toEqual([4, expect.stringContaining('orchd hub init URL')]);
    } finally {
      await empty.close();
    }
    await joinHub(one, server.url, 'one', { since: 0 });
    await published(one);
    const refused = await two.orchd('hub', 'join', server.url, '--name', 'one');
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining("has published as 'one'")]);
    await two.json('hub', 'join', server.url, '--name', 'one', '--replace', '--since', '0');
    const last = await published(two);
    // The machine that had the name takes no more commands for it.
    await expect
      .poll(() => status(one), { timeout: 20_000 })
      .toMatchObject({
        state: 'problem',
        problem: expect.stringContaining("another machine has published as 'one'"),
        commands_problem: expect.any(String),
      });
    expect((await seqsOf('one')).slice(-last)).toEqual(counted(1, last));
  });
});
