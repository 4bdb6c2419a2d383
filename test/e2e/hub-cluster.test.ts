/** Tests a hub of three servers with three copies of its streams: the server that leads a stream is killed. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { enroll, joinHub, publishedEvents } from '../harness/hub.js';
import { hasNats, type NatsServer, startCluster } from '../harness/nats-server.js';

const PATIENCE = { timeout: 90_000, interval: 200 };
/** Prints messages until it is told to ask, then a question, then the answer. */
const PROGRAM = `i=0
while [ ! -e "$1" ]; do
  i=$((i + 1))
  printf '\`\`\`orchestrator-message\\n{"type":"STATUS_UPDATE","data":{"currentStep":"step %s"}}\\n\`\`\`\\n' "$i"
  sleep 0.01
done
echo ":ORCHESTRATOR: QUESTION - Which colour?"; read -r answer; echo "read $answer"`;

let servers: NatsServer[] = [];
let one: TestDaemon;
let two: TestDaemon;

beforeAll(async () => {
  if (!hasNats) return;
  [one, two, servers] = await Promise.all([startDaemon(), startDaemon(), startCluster(3)]);
});
afterAll(async () => {
  for (const each of [one, two, ...servers]) await each?.close();
});

/** Returns the number of the server that leads the stream of events. */
async function leader(): Promise<number> {
  const connection = await connect({ servers: servers.map(({ port }) => `127.0.0.1:${port}`) });
  try {
    const { cluster } = await (await jetstreamManager(connection)).streams.info('orchd_events');
    return Number(cluster?.leader?.slice(1));
  } finally {
    await connection.close();
  }
}

describe.skipIf(!hasNats)('a hub of three servers', () => {
  test('loses and repeats nothing when the leading server is killed, and passes an answer meanwhile', async () => {
    const urls = servers.map(({ url }) => url).join(',');
    const init = async () => (await one.orchd('hub', 'init', urls, '--replicas', '3')).code;
    await expect.poll(init, PATIENCE).toBe(0); // the servers have to elect a leader first
    await joinHub(one, urls, 'one', { since: 0 });
    await joinHub(two, urls, 'two');
    await enroll(one, 'two', two);
    const go = `${one.paths.stateDir}/go`;
    const { id } = await one.client.call('session.start', { command: ['sh', '-c', PROGRAM, 'sh', go], cwd: '/' });
    const published = async () => (await one.client.call('hub.status', {})).published_seq ?? 0;
    await expect.poll(published, PATIENCE).toBeGreaterThan(50);

    const killed = await leader();
    await servers[killed]?.kill();
    const before = (await one.client.call('daemon.status', {})).last_seq;
    await expect.poll(published, PATIENCE).toBeGreaterThan(before);

    await one.orchd('run', '-d', '--', 'touch', go);
    const open = async () => (await two.client.call('hub.items', {})).find(({ machine }) => machine === 'one')?.item.id;
    await expect.poll(open, PATIENCE).toBeTruthy();
    const answered = await two.orchd('answer', `one/${await open()}`, 'blue');
    expect(answered.code, answered.stderr).toBe(0);
    const screen = async () => (await one.client.call('session.capture', { session: id })).text;
    await expect.poll(screen, PATIENCE).toContain('read blue');

    await servers[killed]?.start();
    const last = async () => (await one.client.call('daemon.status', {})).last_seq;
    await expect.poll(async () => (await published()) === (await last()), PATIENCE).toBe(true);
    const url = servers[(killed + 1) % 3]?.url ?? '';
    const seqs = (await publishedEvents(url, 'one')).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(seqs.length).toBeGreaterThanOrEqual(before);
  }, 300_000);
});
