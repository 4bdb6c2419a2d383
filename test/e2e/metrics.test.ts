/** Tests the metrics of the real daemon: over socket and TCP, for Prometheus, for programs and for users. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Ask, askHttp } from '../harness/http.js';
import { type PrometheusFamily, readPrometheus } from '../harness/prometheus.js';

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool)
  process.stderr.write('The check by promtool is skipped: it is not in PATH (Debian: apt-get install prometheus)\n');

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ flags: ['--port', '0'] });
});
afterAll(() => daemon.close());

const scrape = (how?: Ask) => askHttp(daemon.paths.socket, 'GET', '/metrics', how);
const families = async (): Promise<Map<string, PrometheusFamily>> => readPrometheus((await scrape()).text);
const metric = (
  all: Map<string, PrometheusFamily>,
  name: string,
  labels: Record<string, string> = {},
): number | undefined =>
  all
    .get(name.replace(/_(bucket|sum|count)$/, ''))
    ?.samples.find((sample) => sample.name === name && JSON.stringify(sample.labels) === JSON.stringify(labels))?.value;

test('/metrics counts items, answers and rejected messages', async () => {
  const before = await families();
  expect(metric(before, 'orchd_notice_seconds_count')).toBe(0);
  const session = await daemon.sh(`
    echo ':ORCHESTRATOR: QUESTION - Which?'; read -r answer; echo "took $answer"
    printf '%s\\n' '\`\`\`orchestrator-message' '{"type":"QUESTION","data":{}}' '\`\`\`'; cat`);
  const item = await daemon.openItem(session);
  const open = await families();
  expect(metric(open, 'orchd_notice_seconds_count')).toBe(1);
  expect(metric(open, 'orchd_items', { type: 'QUESTION', state: 'open' })).toBe(1);
  expect(metric(open, 'orchd_sessions', { state: 'waiting' })).toBe(1);
  expect(metric(open, 'orchd_session_blocked_seconds', { session: session.id })).toBeGreaterThanOrEqual(0);
  await daemon.client.call('inbox.answer', { item: item.id, text: 'this' });
  await daemon.event('answer_acknowledged');
  await daemon.event('message_rejected');
  const after = await families();
  expect(metric(after, 'orchd_answer_seconds_count', { by: 'client' })).toBe(1);
  expect(metric(after, 'orchd_answer_written_seconds_count')).toBe(1);
  expect(metric(after, 'orchd_answer_acknowledged_seconds_count')).toBe(1);
  expect(metric(after, 'orchd_messages_rejected_total', { reason: 'schema' })).toBe(1);
  expect(metric(after, 'orchd_messages_total', { type: 'QUESTION' })).toBe(1);
  expect(metric(after, 'orchd_blocked_seconds_total')).toBeGreaterThan(0);
  expect(metric(after, 'orchd_journal_bytes')).toBeGreaterThan(0);
  // Events that only depend on time may still come. Afterwards both figures agree.
  await expect
    .poll(async () => {
      const [all, { last_seq }] = [await families(), await daemon.client.call('daemon.status', {})];
      return [
        metric(all, 'orchd_queue_depth', { queue: 'outbox_events' }),
        metric(all, 'orchd_event_seq') === last_seq,
      ];
    })
    .toEqual([0, true]);
  await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
  const end = await families();
  expect(end.get('orchd_session_blocked_seconds')?.samples).toEqual([]);
  expect(metric(end, 'orchd_sessions_ended')).toBe(1);
});

test('/metrics counts open streams', async () => {
  const session = await daemon.sh('cat');
  const counts = async () => {
    const all = await families();
    return ['events', 'terminal'].map((stream) => metric(all, 'orchd_subscribers', { stream }));
  };
  await expect.poll(counts).toEqual([0, 0]);
  const terminal = await daemon.client.terminal(session.id, { mode: 'stream' });
  const end = new AbortController();
  const events = daemon.client.events({ follow: true, since: 0, signal: end.signal })[Symbol.asyncIterator]();
  await events.next();
  expect(await counts()).toEqual([1, 1]);
  terminal.close();
  end.abort();
  await events.next();
  await expect.poll(counts).toEqual([0, 0]); // The daemon notices the disconnect a little later.
  await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
});

test.skipIf(!hasPromtool)('promtool accepts names, types and help of the metrics', async () => {
  const { text } = await scrape();
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([0, '', '']);
});

describe('/metrics over TCP', () => {
  test('needs the token and has the content type of Prometheus', async () => {
    const { url } = await daemon.client.call('daemon.status', {});
    const at = { url: url ?? expect.fail('no TCP') };
    expect((await scrape(at)).status).toBe(401);
    const token = readFileSync(daemon.paths.tokenFile, 'utf8').trim();
    const { status, headers, text } = await scrape({ ...at, token });
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(readPrometheus(text).size).toBeGreaterThan(20);
  });
});

test('`orchd metrics` prints text, and JSON with the same families', async () => {
  const { code, stdout } = await daemon.orchd('metrics');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^noticed +1: half in at most [\d.]+ (ms|s), 95 % in /m);
  expect(stdout).toMatch(/^rejected +1 schema$/m);
  const { families: all } = await daemon.json<{ families: { name: string }[] }>('metrics');
  expect(all.map(({ name }) => name)).toEqual([...(await families()).keys()]);
});
