/** Tests output that crashes every daemon that reads it: after three crashed starts orchd skips it and continues. */
import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Event, OutputOf } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { readJournal } from '../harness/read-journal.js';

const DAEMON = join(import.meta.dirname, '../../dist/daemon.js');
const PRELOAD = join(import.meta.dirname, '../harness/end-on-poison.cjs');

let daemon: TestDaemon | undefined;
afterEach(async () => {
  await daemon?.close();
  daemon = undefined;
});

const eventsOf = async (own: TestDaemon): Promise<Event[]> => {
  const events: Event[] = [];
  for await (const event of own.client.events({ since: 0 })) if (event.event_type !== 'gap') events.push(event);
  return events;
};

/**
 * Starts a daemon that crashes when it decodes the word `poison`.
 * @returns  True if it began to listen.
 */
const startPoisoned = (own: TestDaemon): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const args = ['--require', PRELOAD, DAEMON, '--no-tcp'];
    const child = spawn(process.execPath, args, { env: own.env, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
    child.stdout.setEncoding('utf8').on('data', (text: string) => text.includes('listening') && resolve(true));
    child.once('error', reject);
    child.once('exit', () => resolve(false));
  });

test('the fourth start skips the output that crashed three starts, reports it, and reads the rest', async () => {
  daemon = await startDaemon();
  const own = daemon;
  const { stateDir, journalsDir } = own.paths;
  // The word is not in the command, because the daemon decodes that, too.
  const session = await own.sh(`echo ':ORCHESTRATOR: QUESTION - Before?'
    while [ ! -e ${stateDir}/go ]; do sleep 0.02; done
    printf ':ORCHESTRATOR: QUESTION - poi%s?\\n' son; sleep 0.5
    echo ':ORCHESTRATOR: QUESTION - Behind?'; : > ${stateDir}/printed; cat`);
  const other = await own.sh(`echo ':ORCHESTRATOR: QUESTION - Other?'; cat`);
  const [before] = [await own.openItem(session), await own.openItem(other)];
  await own.crash(); // The test ends this daemon, so that only daemons that start later read the following output.
  writeFileSync(`${stateDir}/go`, '');
  await expect.poll(() => existsSync(`${stateDir}/printed`)).toBe(true);

  for (let time = 1; time <= 3; time++) expect(await startPoisoned(own)).toBe(false);
  expect(await startPoisoned(own)).toBe(true);

  const told = await own.event('journal_damaged');
  expect(told).toMatchObject({ session_id: session.id, detail: expect.stringContaining('passed over') });
  await own.event('item_opened', (event) => event.data['question'] === 'Behind?');
  const events = await eventsOf(own);
  expect(events.filter((event) => event.event_type === 'item_opened')).toHaveLength(3);
  const { records, damaged } = await own.client.call('session.journal', { session: session.id });
  expect(damaged).toMatchObject([{ from: told.from, to: told.to }]);
  const note = records.find((record) => record.kind === 'note' && record['name'] === 'passed_over');
  expect(note?.['data']).toMatchObject({ from: told.from, to: told.to });
  expect((await own.client.call('session.show', { session: session.id })).state).toBe('waiting');
  const explained = await own.json<OutputOf<'event.explain'>>('explain', before.id);
  expect(explained.bytes?.text).toContain('Before?');

  expect((await own.orchd('capture', session.id)).stderr).toContain('passed over');

  // If the same journal is read from its beginning, the events are the same.
  await own.crash();
  for (const file of ['hearing.json', 'screen.json']) rmSync(join(journalsDir, session.id, file), { force: true });
  expect(await startPoisoned(own)).toBe(true);
  await own.client.call('inbox.answer', { item: before.id, text: 'still here' });
  await own.event('answer_written', (event) => event.item_id === before.id);
  const opened = (await eventsOf(own)).filter((event) => event.event_type === 'item_opened');
  expect(opened).toHaveLength(3);
  const text = [...readJournal(journalsDir, session.id)].flatMap((record) =>
    record.kind === 'out' ? [Buffer.from(record.bytes).toString()] : [],
  );
  expect(text.join('')).not.toContain('poison');
});
