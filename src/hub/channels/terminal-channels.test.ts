import type { NatsConnection } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { createKeyPair } from './seal.js';
import { MAX_CHANNELS, TerminalChannels } from './terminal-channels.js';

/** A connection whose server replies to nothing until `reply` is called. */
function silentConnection() {
  const waiting: (() => void)[] = [];
  let subscriptions = 0;
  const connection = {
    subscribe: () => {
      subscriptions++;
      let isClosed = false;
      return {
        isClosed: () => isClosed,
        unsubscribe: () => {
          subscriptions--;
          isClosed = true;
        },
      };
    },
    flush: () => new Promise<void>((resolve) => waiting.push(resolve)),
    publish: () => undefined,
  } as unknown as NatsConnection; // the part that is used
  const reply = (): void => {
    for (const go of waiting.splice(0)) go();
  };
  return { connection, reply, subscriptions: () => subscriptions };
}

test('terminals that are being opened count for the limit until they are given up or have ended', async () => {
  const { connection, reply, subscriptions } = silentConnection();
  const channels = new TerminalChannels('build');
  const opening = Array.from({ length: MAX_CHANNELS }, () => channels.prepare(connection, 'laptop'));
  const refused = { code: 'ORCHD_HUB_FORBIDDEN' };
  await expect(channels.prepare(connection, 'laptop')).rejects.toMatchObject(refused);
  reply();
  const prepared = await Promise.all(opening);
  await expect(channels.prepare(connection, 'laptop')).rejects.toMatchObject(refused);

  const begun = prepared[0]?.begin(createKeyPair().publicKey);
  await expect(channels.prepare(connection, 'laptop')).rejects.toMatchObject(refused); // it is open now
  begun?.close();
  for (const one of prepared.slice(1)) one.cancel();
  for (const one of prepared.slice(1)) one.cancel(); // again, without an effect
  expect(subscriptions()).toBe(0);
  const again = Array.from({ length: MAX_CHANNELS }, () => channels.prepare(connection, 'laptop'));
  await expect(channels.prepare(connection, 'laptop')).rejects.toMatchObject(refused);
  reply();
  for (const one of await Promise.all(again)) one.cancel();
});
