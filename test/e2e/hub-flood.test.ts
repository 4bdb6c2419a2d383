/**
 * Tests with a real nats-server that one machine of a hub cannot flood the others. `test:hard hub-flood` measures it.
 */
import { jetstream } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WatchedBucket } from '../../src/hub/buckets/watched-bucket.js';
import { initHub } from '../../src/hub/index.js';
import { Mail } from '../../src/hub/mail/index.js';
import { readStream } from '../harness/hub.js';
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

describe.skipIf(!hasNats)('a machine that floods a hub', () => {
  test('has most of its commands left unread, and holds up no other one', async () => {
    const read: string[] = [];
    const logged: unknown[] = [];
    const mail = new Mail('build', {
      waiting: () => [],
      isEnrolled: (machine) => machine === 'laptop',
      now: () => 0,
      onCommand: async (from, id) => {
        read.push(`${from} ${id}`);
        return { output: {} };
      },
      onTaken: async () => undefined,
      onOutcome: async () => undefined,
      onOffered: async () => undefined,
      onServerTime: () => undefined,
      log: { info: (_message, about) => void logged.push(about) },
    });
    const send = (from: string, id: string) =>
      jetstream(connection).publish(`orchd.build.mail.command.${from}.${id}`, 'text');
    for (let at = 0; at < 500; at++) await send('mallory', `c${at}`);
    await send('laptop', 'answer');
    void mail.run(connection, end.signal);
    await expect.poll(() => read, PATIENCE).toContain('laptop answer');
    expect(read.filter((one) => one.startsWith('mallory'))).toHaveLength(20);
    expect(mail.floods()).toEqual([{ machine: 'mallory', count: 480 }]);
    expect(logged).toEqual([{ from: 'mallory' }]);
    const waiting = async (): Promise<number> =>
      (await readStream(server.url, 'orchd_mail')).filter(({ subject }) => subject.startsWith('orchd.build.')).length;
    await expect.poll(waiting, PATIENCE).toBe(0);
  });

  test('fills no memory of its readers with items of its own', async () => {
    const put = (machine: string, id: string, text: string) =>
      jetstream(connection).publish(`$KV.orchd_items.${machine}.${id}`, JSON.stringify({ id, text }));
    for (let at = 0; at < 5; at++) await put('mallory', `itm_${at}`, 'junk');
    await put('huge', 'itm_a', 'x'.repeat(1_000));
    await put('laptop', 'itm_b', 'Which colour?');
    const bucket = new WatchedBucket<{ readonly id: string }>('orchd_items', { entries: 3, chars: 500 });
    await bucket.watch(connection);
    const listed = (): string[] => bucket.list().map(({ machine, value }) => `${machine} ${value.id}`);
    expect(listed()).toEqual(['mallory itm_0', 'mallory itm_1', 'mallory itm_2', 'laptop itm_b']);
    expect(bucket.limited).toEqual(['mallory', 'huge']);
    await put('mallory', 'itm_1', 'changed');
    await put('mallory', 'itm_2', 'x'.repeat(1_000)); // too long by now
    await put('mallory', 'itm_9', 'junk');
    await expect.poll(listed, PATIENCE).toEqual(['mallory itm_0', 'mallory itm_1', 'laptop itm_b', 'mallory itm_9']);
  });
});
