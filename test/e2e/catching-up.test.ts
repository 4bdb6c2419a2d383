/**
 * Tests a daemon that starts with much unread output, and a kill of a session with much unread output: the daemon
 * answers requests meanwhile, requests that depend on the output wait, and no output is lost.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

let daemon: TestDaemon | undefined;
afterEach(async () => {
  await daemon?.close();
  daemon = undefined;
});

test('a daemon answers requests while it catches up with the output printed before its start', async () => {
  daemon = await startDaemon({ env: { ORCHD_DAEMON_CATCH_UP_MS: '0' } });
  const own = daemon;
  const { stateDir, logFile } = own.paths;
  // The lines are coloured, because these take longer to read than plain ones.
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
  await own.start();

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

/** Output that the emulator needs long for: with 250,000 cells, minutes for what the host reads ahead. */
const slowly = `printf '\\033[?1049h\\033[?1049l%.0s' $(seq 4000)`;

test('kill, and remove with --forever, do not wait until the daemon has read all output', async () => {
  daemon = await startDaemon();
  const { client, paths } = daemon;
  const size = { cols: 1000, rows: 250 };
  const command = ['sh', '-c', `${slowly}; : > ${paths.stateDir}/printed; while :; do ${slowly}; done`];
  const { id: session, pid } = await client.call('session.start', { command, cwd: '/', size });
  await expect.poll(() => existsSync(`${paths.stateDir}/printed`), { timeout: 20_000 }).toBe(true);
  const killed = await client.call('session.kill', { session, grace_ms: 0 });
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(killed).toMatchObject({ ended_at: null, catching_up: expect.any(Number) });
  const listed = await client.call('session.list', {});
  expect(listed.find(({ id }) => id === session)?.catching_up).toBeGreaterThan(0);
  expect(await client.call('session.remove', { session, forever: true })).toMatchObject({ id: session });
  expect(existsSync(`${paths.journalsDir}/${session}`)).toBe(false);
  const status = await client.call('daemon.status', {});
  expect(status).not.toHaveProperty('catching_up');
});

test('a killed session ends after its last output was read and can then be revived', async () => {
  daemon = await startDaemon();
  const { client, paths } = daemon;
  const rest = `trap "echo ':ORCHESTRATOR: QUESTION - last?'; exit 3" HUP TERM`;
  const command = ['sh', '-c', `${rest}; ${slowly}; : > ${paths.stateDir}/printed; while :; do sleep 0.05; done`];
  const { id: session } = await client.call('session.start', { command, cwd: '/', size: { cols: 300, rows: 100 } });
  await expect.poll(() => existsSync(`${paths.stateDir}/printed`), { timeout: 20_000 }).toBe(true);
  await client.call('session.kill', { session });
  await daemon.event('session_exited', (event) => event.session_id === session);
  const told = await daemon.event('message', (event) => event.session_id === session);
  expect(told.message).toMatchObject({ type: 'QUESTION', data: { question: 'last?' } });
  expect((await client.call('session.show', { session })).catching_up).toBeUndefined();
  await client.call('session.revive', { session, fresh: true });
});
