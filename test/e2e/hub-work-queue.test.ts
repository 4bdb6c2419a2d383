/** Tests the queue of a label with a real nats-server. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { initHub } from '../../src/hub/index.js';
import { type Begun, type HeldWork, WorkOffers, WorkQueue, type WorkQueuePorts } from '../../src/hub/labels/index.js';
import { hasNats, type NatsServer, startNats } from '../harness/nats-server.js';

const PATIENCE = { timeout: 20_000 };
let server: NatsServer;
let connection: NatsConnection;
let end: AbortController;

beforeEach(async () => {
  if (!hasNats) return;
  server = await startNats();
  connection = await connect({ servers: `127.0.0.1:${server.port}` });
  end = new AbortController();
  await initHub({ url: server.url, name: 'laptop' }, { maxAgeMs: 1_000_000, maxBytes: 10_000_000, replicas: 1 });
});
afterEach(async () => {
  end?.abort();
  await connection?.close();
  await server?.close();
});

const publish = (from: string, id: string) => jetstream(connection).publish(`orchd.${from}.work.gpu.${id}`, 'text');
/** The ids of the work that the queue has. */
async function queued(): Promise<string[]> {
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info('orchd_work', { subjects_filter: '>' });
  return Object.keys(state.subjects ?? {}).map((subject) => subject.split('.').at(-1) ?? '');
}
const queue = (ports: Partial<WorkQueuePorts>): WorkQueue =>
  new WorkQueue({
    labels: ['gpu'],
    isFree: () => true,
    whenFree: async () => undefined,
    held: () => [],
    now: () => 0,
    begin: async () => 'begun',
    release: async () => undefined,
    log: { info: () => undefined },
    ...ports,
  });
const mail = { taken: async () => undefined, outcome: async () => undefined };

describe.skipIf(!hasNats)('the queue of a label', () => {
  test('leaves work that was begun with its machine if that cannot tell so at once', async () => {
    const held: HeldWork[] = [];
    const told: string[] = [];
    let [begun, tries] = [0, 0];
    await publish('laptop', 'run_1');
    const tested = queue({
      held: () => held,
      begin: async (work) => {
        begun++;
        held.push({ ...work, outcome: null });
        return 'begun';
      },
    });
    const taken = async (from: string, id: string): Promise<void> => {
      if (tries++ === 0) throw new Error('the stream is full');
      told.push(`${from} ${id}`);
    };
    const running = tested.run(connection, { ...mail, taken }, end.signal);
    await expect.poll(() => told, PATIENCE).toEqual(['laptop run_1']);
    expect(begun).toBe(1); // it was not given back after the first try
    end.abort();
    await connection.close();
    await running;
  });

  test('removes work that no machine can accept, and too much that this one refuses', async () => {
    const begun: string[] = [];
    const kinds: Record<string, Begun> = { junk: 'void', mallory: 'refused', laptop: 'begun' };
    for (let at = 0; at < 5; at++) await publish('junk', `void_${at}`);
    for (let at = 0; at < 150; at++) await publish('mallory', `run_${at}`);
    await publish('laptop', 'run_good');
    const begin = async ({ from, id }: { from: string; id: string }): Promise<Begun> => {
      const kind = kinds[from] ?? 'void';
      if (kind === 'begun') begun.push(id);
      return kind;
    };
    const tested = queue({ begin });
    void tested.run(connection, mail, end.signal);
    await expect.poll(() => begun, PATIENCE).toEqual(['run_good']);
    await expect.poll(queued, PATIENCE).toHaveLength(101); // 100 of the refused ones, and the one in progress
    expect(tested.floods()).toEqual([
      { machine: 'junk', count: 5 },
      { machine: 'mallory', count: 50 },
    ]);
  });

  test('does not acknowledge the message that a restored server has in the place of held work', async () => {
    for (const id of ['run_1', 'run_2']) await publish('laptop', id);
    const reply = '$JS.ACK.orchd_work.label_gpu.1.2.2.1700000000000000000.0'; // at 2, before the backup was restored
    const work = { from: 'laptop', id: 'run_lost', reply, proof: '' };
    const held: HeldWork[] = [{ ...work, outcome: { output: 1 } }];
    const told: string[] = [];
    const outcome = async (_from: string, id: string): Promise<void> => void told.push(id);
    const tested = queue({ held: () => held, release: async () => void held.pop(), isFree: () => false });
    void tested.run(connection, { ...mail, outcome }, end.signal);
    await expect.poll(() => held, PATIENCE).toEqual([]);
    expect([told, await queued()]).toEqual([['run_lost'], ['run_1', 'run_2']]);
  });

  test('gets work again that is neither there nor done, after all mail was read', async () => {
    const offers = new WorkOffers('laptop');
    const work = { id: 'run_1', label: 'gpu', message: 'text' };
    const [yes, no] = [async () => true, async () => false];
    const offered = await offers.offer(connection, work, yes);
    const look = (isOpen: () => Promise<boolean>) => offers.offer(connection, { ...work, offered }, isOpen);
    expect(await look(yes)).toEqual(offered); // it is there
    await (await jetstreamManager(connection)).streams.purge('orchd_work');
    expect(await look(yes)).toEqual(offered); // its outcome may be in the mail by now
    expect(await look(no)).toEqual(offered); // not all mail was read
    offers.forgetExcept(new Set()); // it was done
    expect(await look(yes)).toEqual(offered);
    expect(await queued()).toEqual([]);
    const again = await look(yes);
    expect(again.seq).toBeGreaterThan(offered.seq);
    expect(await queued()).toEqual(['run_1']);
  });
});
