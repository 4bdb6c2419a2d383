import type { JetStreamManager } from '@nats-io/jetstream';
import { expect, test } from 'vitest';
import { PassedMessages } from './passed-messages.js';

/** A server with as many messages in its stream, and as many that its consumer has not done. */
function server(messages: number, pending: number, inProgress: number) {
  const deleted: string[] = [];
  const manager = {
    streams: { info: async () => ({ state: { subjects: { 'orchd.one.mail.command.two.c1': messages } } }) },
    consumers: {
      info: async () => ({ num_pending: pending, num_ack_pending: inProgress }),
      delete: async (_stream: string, consumer: string) => deleted.push(consumer) > 0,
    },
  } as unknown as JetStreamManager; // the part that is used
  return { manager, deleted };
}
const passed = (mustBeIdle: boolean) =>
  new PassedMessages({ stream: 'orchd_mail', consumer: 'one', filter: 'orchd.one.mail.>', mustBeIdle });

test('a consumer that has passed messages without delivering them is deleted at the second look', async () => {
  const looking = passed(false);
  const { manager, deleted } = server(5, 1, 2);
  expect([await looking.look(manager), deleted.length]).toEqual([false, 0]);
  expect(await looking.look(manager)).toBe(true);
  expect(deleted).toEqual(['one']);
  expect(await looking.look(manager)).toBe(false); // it begins anew
});

test('a message that was acknowledged between two requests is no passed one', async () => {
  const looking = passed(false);
  expect(await looking.look(server(3, 1, 1).manager)).toBe(false);
  const { manager, deleted } = server(2, 1, 1);
  expect(await looking.look(manager)).toBe(false);
  expect(await looking.look(server(3, 1, 1).manager)).toBe(false);
  expect(deleted).toEqual([]);
});

test('a consumer with work in progress stays until that is over, if it must be idle', async () => {
  const looking = passed(true);
  for (const state of [server(5, 0, 1), server(5, 1, 0), server(5, 0, 0)])
    expect(await looking.look(state.manager)).toBe(false);
  expect(await looking.look(server(5, 0, 0).manager)).toBe(true);
});

test('a consumer that the server has no more is made anew at once', async () => {
  const { manager } = server(1, 0, 0);
  const gone = Object.assign(new Error('consumer not found'), { code: 10_014 });
  const info = () => Promise.reject(gone);
  expect(await passed(true).look({ ...manager, consumers: { ...manager.consumers, info } } as JetStreamManager)).toBe(
    true,
  );
  const silent = () => Promise.reject(new Error('timeout'));
  const unknown = { ...manager, consumers: { ...manager.consumers, info: silent } } as JetStreamManager;
  await expect(passed(true).look(unknown)).rejects.toThrow('timeout');
});
