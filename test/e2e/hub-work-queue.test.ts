/** Tests the queue of a label with a real nats-server. */
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { initHub } from '../../src/hub/index.js';
import { type HeldWork, WorkQueue } from '../../src/hub/work/index.js';
import { hasNats, startNats } from '../harness/nats-server.js';

test.skipIf(!hasNats)('work that was begun stays with its machine if that cannot tell so at once', async () => {
  const server = await startNats();
  const connection = await connect({ servers: `127.0.0.1:${server.port}` });
  const end = new AbortController();
  const held: HeldWork[] = [];
  const told: string[] = [];
  let [begun, tries] = [0, 0];
  try {
    await initHub({ url: server.url, name: 'laptop' }, { maxAgeMs: 1_000_000, maxBytes: 10_000_000, replicas: 1 });
    await jetstream(connection).publish('orchd.laptop.work.gpu.run_1', 'text');
    const queue = new WorkQueue({
      ...{ labels: ['gpu'], isFree: () => true, whenFree: async () => undefined, held: () => held },
      begin: async (work) => {
        begun++;
        held.push({ ...work, outcome: null });
        return true;
      },
      release: async () => undefined,
      log: { info: () => undefined },
    });
    const taken = async (from: string, id: string): Promise<void> => {
      if (tries++ === 0) throw new Error('the stream is full');
      told.push(`${from} ${id}`);
    };
    const running = queue.run(connection, { taken, outcome: async () => undefined }, end.signal);
    await expect.poll(() => told, { timeout: 20_000 }).toEqual(['laptop run_1']);
    expect(begun).toBe(1); // it was not given back after the first try
    end.abort();
    await connection.close();
    await running;
  } finally {
    end.abort();
    await connection.close();
    await server.close();
  }
});
