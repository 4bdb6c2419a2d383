/** Tests reading from other machines over a hub: real daemons and a real nats-server. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event, OutputOf, Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { holdingProxy } from '../harness/holding-proxy.js';
import { enroll, joinHub } from '../harness/hub.js';
import { hasNats, type NatsServer, startNats } from '../harness/nats-server.js';

type Read = Event & { readonly machine: string; readonly cursor: string };

const ASK = 'echo ":ORCHESTRATOR: QUESTION - Which colour?"; read -r answer';

let server: NatsServer;
let laptop: TestDaemon;
let build: TestDaemon;
let asking: Session;

beforeAll(async () => {
  if (!hasNats) return;
  server = await startNats();
  [laptop, build] = await Promise.all([startDaemon(), startDaemon()]);
  await laptop.orchd('hub', 'init', server.url);
  await joinHub(laptop, server.url, 'laptop', { since: 0 });
  await joinHub(build, server.url, 'build', { since: 0 });
  await enroll(build, 'laptop', laptop);
  asking = await build.sh(ASK, '--name', 'ask');
  await build.openItem(asking);
});
afterAll(async () => {
  for (const daemon of [laptop, build]) await daemon?.close();
  await server?.close();
});

/** Resolves when the hub has every event of a daemon. */
async function published(daemon: TestDaemon): Promise<void> {
  const behind = async (): Promise<number | null | undefined> => {
    const { state, lag } = await daemon.client.call('hub.status', {});
    return state === 'connected' ? lag : undefined;
  };
  await expect.poll(behind, { timeout: 20_000 }).toBe(0);
}

async function read(...options: string[]): Promise<Read[]> {
  const { stdout, stderr } = await laptop.orchd('events', '--json', '--machine', ...options);
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Read);
}

const seqs = (events: readonly Read[], machine: string): number[] =>
  events.filter((event) => event.machine === machine).map(({ seq }) => seq ?? 0);

describe.skipIf(!hasNats)('reading from other machines', () => {
  test('one cursor is a place in the events of all machines', async () => {
    await laptop.sh('true');
    for (const daemon of [laptop, build]) await published(daemon);
    const all = await read('all');
    for (const name of ['laptop', 'build']) {
      const own = seqs(all, name);
      expect(own).toEqual(own.map((_, at) => at + 1)); // each once, in order
    }
    for (const at of [0, 2, all.length - 2]) {
      const rest = await read('all', '--since', all[at]?.cursor ?? '');
      const known = all.slice(at + 1);
      // A daemon may have published more since `all` was read.
      expect(rest.slice(0, known.length).map(({ machine, seq }) => [machine, seq])).toEqual(
        known.map(({ machine, seq }) => [machine, seq]),
      );
    }
    const ofBuild = await read('build', '--type', 'item_opened', '--session', 'ask');
    expect(ofBuild.map(({ machine, event_type }) => [machine, event_type])).toEqual([['build', 'item_opened']]);
  });

  test('a session, its item and its runs are shown from another machine', async () => {
    const shown = await laptop.json<{ id: string; machine: string; items: unknown[] }>('show', 'build/ask');
    expect([shown.id, shown.machine, shown.items.length]).toEqual([asking.id, 'build', 1]);
    expect((await laptop.orchd('show', '--machine', 'build', 'ask')).stdout).toMatch(/machine +build/);
    expect(await laptop.json('runs', 'list', '--machine', 'build')).toEqual([]);
    const hidden = await laptop.orchd('explain', 'build/ask');
    expect([hidden.code, hidden.stderr]).toEqual([1, expect.stringContaining('hub.share is "inbox"')]);
  });

  test('a list that is being loaded when the connection is lost says that the hub is away', async () => {
    const way = await holdingProxy(server.port);
    await laptop.client.call('hub.leave', {});
    await joinHub(laptop, way.url, 'laptop');
    await published(laptop);
    way.hold();
    const listed = laptop.client.call('hub.sessions', {}).catch((error: unknown) => error);
    way.refuse();
    expect(await listed).toMatchObject({ code: 'ORCHD_HUB_UNREACHABLE' });
    await laptop.client.call('hub.leave', {});
    way.close();
    await joinHub(laptop, server.url, 'laptop');
  });

  test('a follower goes on after an outage, and a cursor of a lost history is refused', async () => {
    const follower = laptop.follow('events', '-f', '--json', '--machine', 'all', '--since', '0');
    const followed: Read[] = [];
    if (follower.stdout)
      createInterface({ input: follower.stdout }).on('line', (line) => followed.push(JSON.parse(line)));
    await server.kill();
    const [store, backup] = [join(server.folder, 'store'), join(server.folder, 'backup')];
    cpSync(store, backup, { recursive: true });
    await server.start();
    const during = await build.sh('true');
    const seen = (): boolean => followed.some(({ session_id }) => session_id === during.id);
    await expect.poll(seen, { timeout: 30_000 }).toBe(true);
    const own = seqs(followed, 'build');
    expect(own).toEqual(own.map((_, at) => at + 1));
    const lost = followed.at(-1)?.cursor ?? '';
    await server.kill();
    rmSync(store, { recursive: true });
    cpSync(backup, store, { recursive: true });
    await server.start();
    const refused = async (): Promise<string> =>
      (await laptop.orchd('events', '--machine', 'all', '--since', lost)).stderr;
    await expect.poll(refused, { timeout: 30_000 }).toContain('before it was restored');
    const page = (): Promise<OutputOf<'hub.events'>> => laptop.client.call('hub.events', { since: '0', type: ['gap'] });
    expect(await page()).toMatchObject({ events: [], at_end: true, gap: false });
  });
});
