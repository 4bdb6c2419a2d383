/**
 * Tests notifications by the real daemon: it runs the command once per item, also across crashes, and `orchd notify`
 * reports on it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Item } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

/**
 * Uses two FIFOs: the command waits for a reader, and then for the signal that everything was read. No other command
 * can write in between.
 */
const COMMAND =
  'cat > "$ORCHD_HOME/told"; printf "%s\\n" "$ORCHD_NOTIFY_TEXT" >> "$ORCHD_HOME/texts"; read -r _ < ' +
  '"$ORCHD_HOME/read"';

let daemon: TestDaemon;
beforeAll(async () => {
  // On a busy machine, the test may take longer to read the output than a command is usually allowed to run.
  const notify = { ORCHD_NOTIFY_AFTER_MS: '0', ORCHD_NOTIFY_COMMAND: COMMAND, ORCHD_NOTIFY_TIMEOUT_MS: '60000' };
  daemon = await startDaemon({ env: notify });
  execFileSync('mkfifo', [inHome('told'), inHome('read')]);
});
afterAll(() => daemon.close());

const inHome = (name: string): string => join(daemon.env['ORCHD_HOME'] ?? '', name);
const asks = (name: string, question: string) =>
  daemon.sh(`echo ':ORCHESTRATOR: QUESTION - ${question}'; read -r answer`, '--name', name);
/** Returns the input of the command, once it has run to its end. */
async function nextTold(): Promise<{ title: string; text: string; items: Item[]; test: boolean }> {
  const told = await readFile(inHome('told'), 'utf8');
  await writeFile(inHome('read'), '\n');
  return JSON.parse(told);
}
const notified = (itemId: string) => daemon.event('item_notified', (event) => event.item_id === itemId);

test('an item is notified once, and items that open while the command runs share one notification', async () => {
  const first = await daemon.openItem(await asks('one', 'Which?'));
  expect(await notified(first.id)).toMatchObject({ title: 'one asks', text: 'Which?', session_id: first.session_id });
  // The command waits until the test reads.
  const second = await daemon.openItem(await asks('two', 'Second?'));
  const third = await daemon.openItem(await asks('three', 'Third?'));
  await Promise.all([notified(second.id), notified(third.id)]);
  const told = await nextTold();
  expect(told).toMatchObject({ title: 'one asks', text: 'Which?', test: false });
  expect(told.items).toMatchObject([{ id: first.id, state: 'open', data: { question: 'Which?' } }]);
  const rest = await nextTold();
  expect(rest).toMatchObject({ title: '2 items wait for you', text: 'two asks, three asks' });
  expect(rest.items.map(({ id }) => id)).toEqual([second.id, third.id]);
  expect((await daemon.client.call('inbox.show', { item: first.id })).notified_at).toMatch(/Z$/);
});

test("an agent's text reaches the command without being run by a shell", async () => {
  const words = '$(touch "$ORCHD_HOME/hacked") `touch "$ORCHD_HOME/hacked"` ; touch hacked # " \\';
  const item = await daemon.openItem(
    await daemon.sh(
      `printf '%s\\n' "$WORDS"; cat`,
      '--name',
      'evil',
      '--env',
      `WORDS=:ORCHESTRATOR: QUESTION - ${words}`,
    ),
  );
  const told = await nextTold();
  expect(told.items.map(({ id }) => id)).toEqual([item.id]);
  expect(told.text).toBe(words);
  expect(readFileSync(inHome('texts'), 'utf8').split('\n')).toContain(words);
  expect(existsSync(inHome('hacked'))).toBe(false);
});

test('after a daemon crash only items that opened meanwhile are notified', async () => {
  const before = await daemon.openItem(await asks('before', 'Before?'));
  await nextTold();
  await daemon.sh(
    `while [ ! -e "$ORCHD_HOME/away" ]; do sleep 0.02; done; echo ':ORCHESTRATOR: BLOCKED - Meanwhile.'; cat`,
    '--name',
    'away',
  );
  await daemon.crash();
  execFileSync('touch', [inHome('away')]);
  await daemon.start();
  const told = await nextTold();
  expect(told).toMatchObject({ title: 'away is blocked', items: [{ type: 'BLOCKED' }] });
  const events = await daemon.client.call('event.list', { type: ['item_notified'] });
  expect(events.filter((event) => 'item_id' in event && event.item_id === before.id)).toHaveLength(1);
});

test('an item that the user sees is notified only after the user has left', async () => {
  const sits = (present: boolean, session?: string) =>
    daemon.client.call('presence.tell', { client_id: 'here', present, ...(session !== undefined && { session }) });
  const seen = await daemon.sh(`read -r go; echo ':ORCHESTRATOR: QUESTION - Seen?'; cat`, '--name', 'seen');
  expect(await sits(true, 'seen')).toMatchObject({ present_until: expect.stringMatching(/Z$/) });
  await daemon.client.call('session.send', { session: seen.id, text: 'go' });
  const item = await daemon.openItem(seen);
  await daemon.openItem(await asks('elsewhere', 'Unseen?'));
  expect(await nextTold()).toMatchObject({ title: 'elsewhere asks' });
  expect((await daemon.client.call('inbox.show', { item: item.id })).notified_at).toBeUndefined();
  expect(await sits(false)).toEqual({ present_until: null });
  expect(await nextTold()).toMatchObject({ title: 'seen asks', items: [{ id: item.id }] });
});

test('`orchd notify test` runs the command and reports the outcome of each channel', async () => {
  const testing = daemon.json<{ outcomes: { way: string; state: string; hint: string }[]; daemon: object }>(
    'notify',
    'test',
  );
  expect(await nextTold()).toMatchObject({ title: 'orchd can reach you', items: [], test: true });
  const { outcomes, daemon: settings } = await testing;
  expect(outcomes).toMatchObject([
    { way: 'terminal', state: expect.stringMatching(/off|sent/) },
    { way: 'command', state: 'sent', detail: expect.stringMatching(/^done in \d+ ms: cat > /) },
  ]);
  expect(settings).toMatchObject({ command: { outcome: 'done', exit_code: 0 }, quiet: { now: false }, after_ms: 0 });
});

test('`orchd notify` prints the settings and refuses unknown subcommands', async () => {
  expect((await daemon.orchd('notify')).stdout).toMatch(
    /^terminal {2}.+\ncommand {3}cat > .+\nafter {5}0 ms.+\nquiet {5}never\n$/,
  );
  expect(await daemon.orchd('notify', 'tset')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('orchd notify test'),
  });
});
