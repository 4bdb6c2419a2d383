/** An accepted answer is written, or says why it is not, also when the host does not answer. */
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

test('an answer that the host does not take is stalled after sessions.stall_ms, and typed when the host goes on', async () => {
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
