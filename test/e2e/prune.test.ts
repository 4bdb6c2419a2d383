/** Tests that old data is removed, and nothing else, even if the daemon crashes meanwhile. */
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { OutputOf, Session } from '../../src/protocol/index.js';
import { gone, startDaemon, type TestDaemon } from '../harness/daemon.js';
import { createRandom } from '../harness/random.js';

type Pruned = OutputOf<'daemon.prune'>;
const SEED = 11;
const KILLS = 3;
const MONTH_MS = 30 * 24 * 60 * 60 * 1000;
const PATIENCE = { timeout: 20_000, interval: 20 };
const ASKS = `echo ':ORCHESTRATOR: QUESTION - where to?'; read -r a`;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterEach(async () => {
  const { call } = daemon.client;
  await daemon.killAll();
  for (const { id } of await call('session.list', {})) await call('session.remove', { session: id, forever: true });
});
afterAll(() => daemon.close());

const start = () => daemon.start();
const names = async () => (await daemon.client.call('session.list', {})).map(({ name }) => name).sort();
const journals = () => readdirSync(daemon.paths.journalsDir).sort();
const prune = (...args: string[]) => daemon.json<Pruned>('prune', '--older-than', '0s', ...args);
async function ended(name: string): Promise<Session> {
  const session = await daemon.sh(`echo ${name}; exit 0`, '--name', name);
  await daemon.event('session_exited', ({ session_id }) => session_id === session.id);
  return session;
}
async function killHost(session: Session): Promise<void> {
  const { host } = await daemon.client.call('daemon.status', {});
  process.kill(host.pid, 'SIGKILL');
  await gone(host.pid);
  await daemon.event('session_lost', ({ session_id }) => session_id === session.id);
  await vi.waitFor(() => daemon.client.call('daemon.status', {}), PATIENCE);
}

test('prune removes ended sessions with their journals and keeps living ones and open items', async () => {
  const asker = await daemon.sh(ASKS, '--name', 'asker');
  const item = await daemon.openItem(asker);
  await killHost(asker);
  const [living, old] = [await daemon.sh('read x', '--name', 'living'), await ended('old')];

  const planned = await prune('--dry-run');
  expect(planned).toMatchObject({ dry_run: true, sessions: [{ id: old.id, name: 'old' }], bytes: expect.any(Number) });
  expect(await names()).toEqual(['asker', 'living', 'old']);

  const outcome = await prune();
  expect(outcome.sessions).toEqual(planned.sessions);
  expect(await names()).toEqual(['asker', 'living']);
  expect(journals()).toEqual([asker.id, living.id].sort());
  expect((await daemon.client.call('inbox.list', {})).map(({ id }) => id)).toEqual([item.id]);
  await daemon.event('session_removed', (event) => event.session_id === old.id && event.reason === 'pruned');
  expect(await daemon.orchd('show', 'old')).toMatchObject({ code: 3 });
});

test('--older-than needs a unit', async () => {
  const old = await ended('precious');
  expect(await daemon.orchd('prune', '--older-than', '30')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--older-than takes an age with its unit, such as 30d or 12h, not '30'"),
  });
  // The limit is earlier than any time stamp, so nothing is that old.
  const age = Number.MAX_SAFE_INTEGER;
  expect(await daemon.client.call('daemon.prune', { older_than_ms: age })).toMatchObject({ sessions: [] });
  expect(await names()).toEqual([old.name]);
});

test('a reader from the start gets a gap event, and an open item keeps its events', async () => {
  await ended('first');
  const asker = await daemon.sh(ASKS, '--name', 'asker');
  const item = await daemon.openItem(asker);
  const { seq } = await daemon.event('item_opened', ({ item_id }) => item_id === item.id);
  const { events } = await prune();
  expect(events).toBeGreaterThan(0);
  expect(events).toBeLessThan(seq);
  const all = async () => daemon.client.call('event.list', { since: 0 });
  const [gap] = await all();
  expect(gap).toEqual({ event_type: 'gap', from: 1, to: expect.any(Number) });
  expect((await all())[1]).toMatchObject({ seq: Number(gap?.['to']) + 1 });
  expect(await daemon.event('item_opened', ({ item_id }) => item_id === item.id)).toMatchObject({ seq });
  await daemon.crash();
  await start();
  expect((await all())[0]).toEqual(gap);
  expect(await names()).toEqual(['asker']);
});

test('prune removes the closed items of a living session', async () => {
  const session = await daemon.sh(`${ASKS}; ${ASKS}`, '--name', 'talker');
  const item = await daemon.openItem(session);
  await daemon.client.call('inbox.answer', { item: item.id, text: 'there' });
  await daemon.event('answer_acknowledged', ({ item_id }) => item_id === item.id);
  await vi.waitFor(async () => expect(await daemon.client.call('inbox.list', {})).toHaveLength(1), PATIENCE);
  expect(await prune()).toMatchObject({ items: 1, sessions: [] });
  expect(await daemon.client.call('inbox.list', { all: true })).toMatchObject([{ state: 'open' }]);
});

test('--max-bytes removes the sessions that ended first', async () => {
  const [one, two, three] = [await ended('one'), await ended('two'), await ended('three')];
  const { sessions } = await daemon.json<Pruned>('prune', '--dry-run', '--older-than', '1d', '--max-bytes', '1');
  expect(sessions.map(({ id }) => id)).toEqual([one.id, two.id, three.id]);
  const total = sessions.reduce((sum, { bytes }) => sum + bytes, 0);
  await daemon.json('prune', '--older-than', '1d', '--max-bytes', String(total - 1));
  expect(await names()).toEqual(['three', 'two']);
});

test('rm --forever removes an ended session and withdraws its item, and refuses a living one', async () => {
  const asker = await daemon.sh(ASKS, '--name', 'asker');
  const item = await daemon.openItem(asker);
  expect(await daemon.orchd('rm', 'asker')).toMatchObject({ code: 4, stderr: expect.stringContaining('orchd kill') });
  await killHost(asker);
  expect(await daemon.orchd('rm', '--forever', 'asker')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^asker removed, /),
  });
  await daemon.event('item_withdrawn', ({ item_id, reason }) => item_id === item.id && reason === 'session_removed');
  expect(await daemon.client.call('inbox.list', { all: true })).toEqual([]);
  expect(journals()).toEqual([]);
  await daemon.crash();
  await start();
  expect(await names()).toEqual([]);
});

test('a clock that has jumped removes nothing until a person says that it is right', async () => {
  const old = await ended('old');
  await daemon.crash();
  writeFileSync(join(daemon.paths.stateDir, 'clock'), JSON.stringify({ at: Date.now() - MONTH_MS, doubtedMs: 0 }));
  await start();
  expect((await daemon.orchd('status')).stdout).toContain('the clock has jumped from');
  expect(await prune('--dry-run')).toMatchObject({ sessions: [{ id: old.id }] });
  const refused = await daemon.orchd('prune', '--older-than', '0s');
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('--trust-clock')]);
  expect(await names()).toEqual(['old']);
  expect(await prune('--trust-clock')).toMatchObject({ sessions: [{ id: old.id }] });
  expect((await daemon.orchd('status')).stdout).not.toContain('clock');
});

test('a daemon prunes at its start and finishes an interrupted removal', async () => {
  const [old, half] = [await ended('old'), await ended('half')];
  await daemon.crash();
  const folder = join(daemon.paths.journalsDir, half.id);
  renameSync(folder, `${folder}.removed`);
  mkdirSync(dirname(daemon.paths.configFile), { recursive: true });
  writeFileSync(daemon.paths.configFile, '[retention]\ndays = 0\nmax_bytes = 1\n');
  await start();
  await daemon.event('session_removed', ({ session_id }) => session_id === old.id);
  await daemon.event('session_removed', ({ session_id }) => session_id === half.id);
  await vi.waitFor(() => expect(journals()).toEqual([]), PATIENCE);
});

test(`a daemon that is killed ${KILLS} times while it prunes loses nothing else`, async () => {
  const random = createRandom(SEED);
  const living = await daemon.sh(ASKS, '--name', 'living');
  const item = await daemon.openItem(living);
  for (let round = 0; round < KILLS; round++) {
    await Promise.all([ended(`a${round}`), ended(`b${round}`)]);
    daemon.client.call('daemon.prune', { older_than_ms: 0 }).catch(() => {});
    const life = random.below(30);
    for (let turn = 0; turn < life; turn++) await new Promise(setImmediate);
    await daemon.crash();
    await start();
    expect(await names()).toContain('living');
    expect((await daemon.client.call('inbox.list', {})).map(({ id }) => id)).toEqual([item.id]);
  }
  await prune();
  expect(await names()).toEqual(['living']);
  expect(journals()).toEqual([living.id]);
  expect(existsSync(join(daemon.paths.journalsDir, living.id))).toBe(true);
  await daemon.client.call('inbox.answer', { item: item.id, text: 'home' });
  await daemon.event('answer_written', ({ item_id }) => item_id === item.id);
  const numbers = (await daemon.client.call('event.list', { since: 0 })).flatMap((event) =>
    (event.event_type as string) === 'gap' ? [] : [event.seq],
  );
  expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i));
}, 120_000);
