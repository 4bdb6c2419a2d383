/**
 * Tests that the journal of a session that prints endlessly stays below its limit and keeps the output of open items.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { journalBytes } from '../../src/daemon/disk/bounded-journal.js';
import type { OutputOf } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

const MAX_BYTES = 16 * 1024 * 1024;
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { ORCHD_RETENTION_SESSION_BYTES: String(MAX_BYTES) } });
});
afterAll(() => daemon.close());

const PRINTS = `echo ':ORCHESTRATOR: QUESTION - The first?'; yes "$(printf '%0200d' 7)" | head -n 140000
  echo ':ORCHESTRATOR: QUESTION - The second?'; cat`;

test('a running session keeps the output of its open item, reports the gap, and is heard after the cut', async () => {
  const session = await daemon.sh(PRINTS);
  const itemOf = (question: string) =>
    daemon.event('item_opened', (event) => event.session_id === session.id && event.data['question'] === question);
  const [first, second] = [await itemOf('The first?'), await itemOf('The second?')];
  const dir = join(daemon.paths.journalsDir, session.id);
  await expect.poll(() => journalBytes(dir)).toBeLessThanOrEqual(MAX_BYTES);

  const { records, damaged } = await daemon.client.call('session.journal', { session: session.id });
  expect(damaged.map(({ detail }) => detail)).toContainEqual(expect.stringContaining('retention.session_bytes'));
  expect(records.map(({ kind }) => kind)).toContain('snapshot');
  const explained = await daemon.json<OutputOf<'event.explain'>>('explain', first.item_id);
  expect(explained.bytes?.text).toContain('The first?');

  const captured = await daemon.orchd('capture', session.id);
  expect(captured.stderr).toContain('retention.session_bytes');

  await daemon.crash();
  for (const file of ['hearing.json', 'screen.json']) rmSync(join(dir, file), { force: true });
  await daemon.start();
  await daemon.client.call('inbox.answer', { item: second.item_id, text: 'yes, the second' });
  await daemon.event('answer_written', ({ item_id }) => item_id === second.item_id);
  await expect.poll(async () => (await daemon.orchd('capture', session.id)).stdout).toContain('yes, the second');
  const opened: unknown[] = [];
  for await (const event of daemon.client.events({ since: 0, type: ['item_opened'] })) opened.push(event);
  expect(opened).toHaveLength(2);
});
