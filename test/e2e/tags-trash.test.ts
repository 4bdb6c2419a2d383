/** Tests tags, the trash, answers that are taken back, and the commands for them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Item, OutputOf, Session } from '../../src/protocol/index.js';
import { gone, startDaemon, type TestDaemon } from '../harness/daemon.js';

const PATIENCE = { timeout: 20_000, interval: 20 };
const ASKS = `echo ':ORCHESTRATOR: QUESTION - where to?'; read -r a; echo "got <$a>"; read -r b`;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());

const start = () => daemon.start();
const names = async (...args: string[]) => (await daemon.json<Session[]>('ls', ...args)).map(({ name }) => name).sort();
async function ended(name: string): Promise<Session> {
  const session = await daemon.sh(`echo ${name}; exit 0`, '--name', name);
  await daemon.event('session_exited', ({ session_id }) => session_id === session.id);
  return session;
}
const shows = (name: string, text: string) =>
  vi.waitFor(async () => expect((await daemon.orchd('capture', name)).stdout).toContain(text), PATIENCE);

test('tags can be given, changed, limited and listed, and survive a daemon crash', async () => {
  await daemon.sh('read x', '--name', 'api', '--tag', 'web', '--tag', 'größe');
  await daemon.sh('read x', '--name', 'db');
  await daemon.event('session_started', (event) => event.name === 'api' && event.tags?.join() === 'größe,web');
  expect(await daemon.orchd('tag', 'api', 'a/b', '--remove', 'web')).toMatchObject({ stdout: 'api: a/b größe\n' });
  await daemon.event('session_tagged', (event) => event.tags.join() === 'a/b,größe');
  expect(await names('--tag', 'a/b')).toEqual(['api']);
  expect(await names('--tag', 'web')).toEqual([]);
  expect(await daemon.orchd('tag', 'api', '#no')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("'#no' cannot be a tag: use 1 to 32 letters"),
  });
  const many = Array.from({ length: 16 }, (_, i) => `t${i}`);
  expect(await daemon.orchd('tag', 'db', ...many)).toMatchObject({ code: 0 });
  expect((await daemon.orchd('tag', 'db', 'more')).stderr).toContain('a session has at most 16 tags, not 17');
  await daemon.crash();
  await start();
  expect((await daemon.client.call('session.show', { session: 'api' })).tags).toEqual(['a/b', 'größe']);
  expect((await daemon.orchd('ls')).stdout).toMatch(/TAGS.*\n.*a\/b größe/);
});

test('send --tag and --all type into several sessions and report on each', async () => {
  await daemon.sh('read x; echo "got <$x>"; read y', '--name', 'one', '--tag', 'both');
  await daemon.sh('read x; echo "got <$x>"; read y', '--name', 'two', '--tag', 'both');
  expect((await daemon.orchd('send', '--tag', 'both', 'hello')).stdout).toBe('one: sent\ntwo: sent\n');
  await shows('one', 'got <hello>');
  await shows('two', 'got <hello>');
  expect(await daemon.orchd('send', '--tag', 'none', 'x')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('no living session has the tag none'),
  });
  expect((await daemon.orchd('send', '--all', 'a', 'b')).stderr).toContain('with --all or --tag, say only the text');
  const sent = await daemon.json<{ name: string }[]>('send', '--all', 'x');
  expect(sent.map(({ name }) => name)).toEqual(expect.arrayContaining(['one', 'two']));
});

test('answer accepts a session name if that session has one open item', async () => {
  const asker = await daemon.sh(ASKS, '--name', 'asker');
  await daemon.openItem(asker);
  expect((await daemon.orchd('answer', 'asker', 'left')).stdout).toBe('answered asker: left\n');
  await shows('asker', 'got <left>');
  expect((await daemon.orchd('answer', 'asker', 'again')).stderr).toContain("session 'asker' has no open item");
  expect((await daemon.orchd('answer', 'nobody', 'x')).stderr).toContain("no item and no session 'nobody'");
  const both = `echo ':ORCHESTRATOR: QUESTION - one?'; echo ':ORCHESTRATOR: QUESTION - two?'; read -r a; read -r b`;
  const two = await daemon.sh(both, '--name', 'twice');
  await daemon.event('item_opened', (event) => event.session_id === two.id && event.data['question'] === 'two?');
  expect(await daemon.orchd('answer', 'twice', 'x')).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/has 2 open items, give an id: itm_\w+ \(one\?\), itm_\w+ \(two\?\)/),
  });
});

test('a waiting answer can be taken back, and the next answer is typed instead', async () => {
  const session = await daemon.sh(ASKS, '--name', 'patient');
  const item = await daemon.openItem(session);
  // A draft of the user in the input line holds the answer back.
  await daemon.client.call('session.send', { session: session.id, text: 'half', enter: false });
  await daemon.orchd('answer', 'patient', 'wrong');
  await daemon.event('answer_stalled', (event) => event.item_id === item.id && event.reason === 'composer_busy');
  expect((await daemon.orchd('answer', 'patient', '--undo')).stdout).toContain('the answer to patient is taken back');
  await daemon.event('item_reopened', (event) => event.item_id === item.id && event.by === 'cli');
  expect(await daemon.client.call('inbox.show', { item: item.id })).toMatchObject({ state: 'open', answer: null });
  await daemon.client.call('inbox.answer', { item: item.id, text: 'right' });
  await daemon.client.call('session.keys', { session: session.id, keys: ['C-u'] });
  await shows('patient', 'got <right>');
  await daemon.event('answer_written', (event) => event.item_id === item.id);
  expect(await daemon.orchd('answer', item.id, '--undo')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('orchd has begun to type it'),
  });
  expect(await daemon.orchd('answer', 'itm_none', '--undo')).toMatchObject({ code: 3 });
});

test('inbox -i answers items one by one until none is left', async () => {
  for (const { id } of await daemon.client.call('inbox.list', {}))
    await daemon.client.call('inbox.answer', { item: id, decline: true });
  const first = await daemon.sh(ASKS.replace('where to?', 'first?'), '--name', 'first');
  await daemon.openItem(first);
  const second = await daemon.sh(ASKS.replace('where to?', 'second?'), '--name', 'second');
  await daemon.openItem(second);
  const asking = daemon.follow('inbox', '-i');
  asking.stdin?.end(':nonsense\n?\nto the left\n::colon\n');
  const stdout = await text(asking.stdout ?? process.stdin);
  expect(stdout).toMatch(/^1 of 2\nQUESTION {2}first .*\n {2}│ first\?\n/);
  expect(stdout).toContain('there is no command :nonsense');
  expect(stdout).toContain(':decline   decline the item');
  expect(stdout).toMatch(/✓ answered: to the left\n\n2 of 2\nQUESTION {2}second .*\n {2}│ second\?\n/);
  expect(stdout).toMatch(/✓ answered: :colon\n\nnothing waits for you\n$/);
  await shows('first', 'got <to the left>');
  await shows('second', 'got <:colon>');
});

test('a removed session is restored unchanged, also after a daemon crash', async () => {
  const session = await ended('old');
  await daemon.client.call('session.tag', { session: session.id, add: ['kept'] });
  const [before, journal] = [
    await daemon.client.call('session.show', { session: 'old' }),
    join(daemon.paths.journalsDir, session.id),
  ];
  const { until } = await daemon.client.call('session.remove', { session: 'old' });
  expect(Date.parse(until ?? '')).toBeGreaterThan(Date.now());
  expect(await names()).not.toContain('old');
  expect(await daemon.orchd('show', 'old')).toMatchObject({ code: 3 });
  expect(existsSync(journal)).toBe(true);
  await daemon.crash();
  await start();
  expect(await names()).not.toContain('old');
  expect((await daemon.orchd('rm', '--trash')).stdout).toMatch(/^ses_\w+ {2}old {2}.*deleted at/);
  expect((await daemon.orchd('rm', '--undo')).stdout).toBe('old is back\n');
  expect(await daemon.client.call('session.show', { session: 'old' })).toEqual(before);
  await daemon.event('session_restored', (event) => event.session.tags?.join() === 'kept');
  expect((await daemon.orchd('replay', 'old', '--at', '0:01')).stdout).toContain('old');
  expect((await daemon.orchd('rm', '--undo')).stderr).toContain('the trash is empty');
});

test('a restored lost session has its open question again', async () => {
  const session = await daemon.sh(ASKS, '--name', 'lost');
  const item = await daemon.openItem(session);
  const { host } = await daemon.client.call('daemon.status', {});
  process.kill(host.pid, 'SIGKILL');
  await gone(host.pid);
  await daemon.event('session_lost', ({ session_id }) => session_id === session.id);
  await daemon.client.call('session.remove', { session: session.id });
  await daemon.event('item_withdrawn', ({ item_id }) => item_id === item.id);
  expect(await daemon.client.call('inbox.list', { all: true })).not.toContainEqual(
    expect.objectContaining({ id: item.id }),
  );
  await daemon.client.call('trash.restore', { removed: 'lost' });
  await daemon.event('item_reopened', (event) => event.item.id === item.id && event.reason === 'session_restored');
  expect(await daemon.client.call('inbox.list', { session: 'lost' })).toMatchObject([
    { id: item.id } satisfies Partial<Item>,
  ]);
});

test('rm --forever deletes at once, from the list and from the trash', async () => {
  const [one, two] = [await ended('first-gone'), await ended('second-gone')];
  const journal = ({ id }: Session): boolean => existsSync(join(daemon.paths.journalsDir, id));
  await daemon.orchd('rm', 'first-gone');
  expect([journal(one), journal(two)]).toEqual([true, true]);
  const removed = await daemon.json<OutputOf<'session.remove'>[]>('rm', '--forever', 'first-gone', 'second-gone');
  expect(removed.map((each) => [each.name, each.until])).toEqual([
    ['first-gone', undefined],
    ['second-gone', undefined],
  ]);
  expect([journal(one), journal(two)]).toEqual([false, false]);
  expect(await daemon.client.call('trash.list', {})).toEqual([]);
});
