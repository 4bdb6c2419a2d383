/** A terminal whose presence was reported gets every later notification. */
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Client } from '../../client/index.js';
import { openTerminalNotifier } from './terminal-notifier.js';

/**
 * A fake daemon that replies to daemon.status when the test calls `reply`. It records calls and event subscriptions in
 * order.
 */
function aDaemon() {
  const calls: string[] = [];
  let reply: (status: { last_seq: number }) => void = () => {};
  const status = new Promise<{ last_seq: number }>((resolve) => {
    reply = resolve;
  });
  const client = {
    call: (name: string, input: object) => {
      calls.push(name === 'presence.tell' ? `present ${(input as { present: boolean }).present}` : name);
      return name === 'daemon.status' ? status : Promise.resolve({});
    },
    async *events({ since, signal }: { since: number; signal: AbortSignal }) {
      calls.push(`events since ${since}`);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  } as unknown as Client; // the methods that a notifier calls
  return { client, calls, reply };
}

const open = (client: Client, setting: string) => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()] as unknown as [NodeJS.ReadStream, NodeJS.WriteStream];
  return openTerminalNotifier({ client, env: {}, setting, stdin, stdout, session: () => null });
};
const nextTick = () => new Promise(setImmediate);

it('reports presence once it receives notifications, and absence when it is closed', async () => {
  const { client, calls, reply } = aDaemon();
  const notifier = open(client, 'bell');
  await nextTick();
  expect(calls).toEqual(['daemon.status']);
  reply({ last_seq: 41 });
  await nextTick();
  expect(calls.slice(1)).toEqual(['present true', 'events since 41']);
  await notifier.close();
  expect(calls.slice(3)).toEqual(['present false']);
});

it('reports presence at once if notifications are off', async () => {
  const { client, calls } = aDaemon();
  const notifier = open(client, 'off');
  expect(calls).toEqual(['present true']);
  await notifier.close();
});
