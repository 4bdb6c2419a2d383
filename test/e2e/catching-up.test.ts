/** A start with much to hear: requests are answered meanwhile, what depends on it waits, and nothing of it is lost. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

let daemon: TestDaemon | undefined;
afterEach(async () => {
  await daemon?.close();
  daemon = undefined;
});

test('a daemon answers while it hears what was printed before its start, and then goes on as usual', async () => {
  daemon = await startDaemon({ env: { ORCHD_DAEMON_CATCH_UP_MS: '0' } });
  const own = daemon;
  const { stateDir, logFile } = own.paths;
  // Coloured lines, which cost more than plain ones.
  const session = await own.sh(
    `while [ ! -e ${stateDir}/go ]; do sleep 0.02; done
     yes "$(printf '\\033[31mred \\033[0mplain %0200d' 0)" | head -n 150000
     echo ':ORCHESTRATOR: QUESTION - heard?'
     : > ${stateDir}/printed; read -r a; echo ":ORCHESTRATOR: TASK COMPLETE - $a"; read -r b`,
  );
  const asking = await own.sh(`echo ':ORCHESTRATOR: QUESTION - first?'; read -r a; echo "got $a"; read -r b`);
  const first = await own.openItem(asking);
  await own.crash();
  writeFileSync(`${stateDir}/go`, '');
  await expect.poll(() => existsSync(`${stateDir}/printed`)).toBe(true);
  const before = readFileSync(logFile, 'utf8').length;
  expect((await own.orchd('start', '--detach', '--no-tcp')).code).toBe(0);

  const log = readFileSync(logFile, 'utf8').slice(before).split('\n');
  const listening = log.find((line) => line.includes('"listening"')) ?? '{}';
  expect(JSON.parse(listening)).toMatchObject({ message: 'listening', catching_up: expect.any(Number) });
  expect(JSON.parse(listening).catching_up).toBeGreaterThan(0);
  await own.client.call('inbox.answer', { item: first.id, text: 'now' });
  const item = await own.openItem(session);
  expect(item.data['question']).toBe('heard?');
  await own.client.call('inbox.answer', { item: item.id, text: 'yes' });
  const done = await own.event('message', (event) => event.message.type === 'TASK_COMPLETE');
  expect(done.message.data['summary']).toBe('yes');
  expect((await own.client.call('session.show', { session: session.id })).catching_up).toBeUndefined();
  expect((await own.client.call('daemon.status', {})).catching_up).toBeUndefined();
});
