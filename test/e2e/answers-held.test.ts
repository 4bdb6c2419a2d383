/** Tests that an accepted answer is written, or that an event says why it is not, also if the host does not respond. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { askHttp } from '../harness/http.js';
import { readPrometheus } from '../harness/prometheus.js';

let daemon: TestDaemon;
let hostPid: number;
beforeAll(async () => {
  daemon = await startDaemon({ env: { ORCHD_SESSIONS_STALL_MS: '300' } });
  hostPid = (await daemon.client.call('daemon.status', {})).host.pid;
});
afterAll(async () => {
  process.kill(hostPid, 'SIGCONT');
  await daemon.close();
});

test('an answer stalls after sessions.stall_ms if the host hangs, and is typed when the host continues', async () => {
  const session = await daemon.sh(`echo ':ORCHESTRATOR: QUESTION - Which?'; read -r answer; echo "took $answer"; cat`);
  const item = await daemon.openItem(session);
  process.kill(hostPid, 'SIGSTOP');
  const { answer } = await daemon.client.call('inbox.answer', { item: item.id, text: 'this' });
  expect(answer?.delivery).toBe('accepted');
  const stalled = await daemon.event('answer_stalled', ({ item_id }) => item_id === item.id);
  expect(stalled.reason).toBe('delayed');
  const metrics = readPrometheus((await askHttp(daemon.paths.socket, 'GET', '/metrics')).text);
  expect(metrics.get('orchd_answers_overdue')?.samples.map(({ value }) => value)).toEqual([0]);
  process.kill(hostPid, 'SIGCONT');
  await daemon.event('answer_written', ({ item_id }) => item_id === item.id);
  await daemon.event('answer_acknowledged', ({ item_id }) => item_id === item.id);
});

test('a repeated request with the same Idempotency-Key answers and types once', async () => {
  const session = await daemon.sh(`echo ':ORCHESTRATOR: QUESTION - Which?'; read -r answer; echo "took $answer"; cat`);
  const item = await daemon.openItem(session);
  const post = (path: string, text: string, key: string) =>
    askHttp(daemon.paths.socket, 'POST', path, { body: { text }, headers: { 'idempotency-key': key } });
  const [one, two] = [
    await post(`/api/inbox/${item.id}/answer`, 'this', 'k1'),
    await post(`/api/inbox/${item.id}/answer`, 'this', 'k1'),
  ];
  expect([one.status, two.status, two.body.answer.at]).toEqual([200, 200, one.body.answer.at]);
  expect((await post(`/api/inbox/${item.id}/answer`, 'this', 'k2')).body.code).toBe('ORCHD_ITEM_CLOSED');
  await daemon.event('answer_acknowledged', ({ item_id }) => item_id === item.id);
  const sends = [
    await post(`/api/sessions/${session.id}/send`, 'word', 'k3'),
    await post(`/api/sessions/${session.id}/send`, 'word', 'k3'),
    await post(`/api/sessions/${session.id}/send`, 'end', 'k4'),
  ];
  expect(sends.map(({ status }) => status)).toEqual([200, 200, 200]);
  const shown = async () => (await daemon.client.call('session.capture', { session: session.id })).text;
  // Each is typed once, and printed once by cat: after its echo, or after both echoes.
  await expect.poll(async () => (await shown()).match(/end/g)?.length).toBe(2);
  expect((await shown()).match(/word/g)).toHaveLength(2);
});
