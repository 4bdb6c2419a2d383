/** After many requests, the last session is shown, and no other stream stays open. */
import { afterEach, beforeEach, expect, it, type Mock, vi } from 'vitest';
import type { Client, Terminal } from '../../client/index.js';
import { SessionWatch } from './watch-session.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A fake daemon whose streams open when the test calls `come`. */
function aDaemon() {
  const asked: {
    readonly session: string;
    readonly stream: Terminal;
    readonly sendBytes: Mock;
    come(): void;
    readonly close: () => void;
  }[] = [];
  const client = {
    terminal: (session: string) =>
      new Promise<Terminal>((resolve) => {
        const close = vi.fn();
        const ended = new Promise<never>(() => {});
        // Has all methods that the code under test calls.
        const sendBytes = vi.fn();
        const stream = { onControl: vi.fn(), onBytes: vi.fn(), sendBytes, ended, close } as unknown as Terminal;
        asked.push({ session, stream, sendBytes, come: () => resolve(stream), close });
      }),
  } as unknown as Client; // no other method is called
  return { client, asked };
}
const waitForStream = () => vi.advanceTimersByTimeAsync(1_000);

it('uses one stream for a session that is left and shown again before its stream opens', async () => {
  const { client, asked } = aDaemon();
  const watch = new SessionWatch({ client, take: () => {} });
  for (const session of ['ses_a', null, 'ses_a']) {
    watch.show(session);
    await waitForStream();
  }
  expect(asked.map(({ session }) => session)).toEqual(['ses_a', 'ses_a']);
  for (const { come } of asked) come();
  await waitForStream();
  const [first, second] = asked;
  expect(first?.close).toHaveBeenCalledTimes(1);
  expect(second?.close).not.toHaveBeenCalled();
  watch.close();
  expect(second?.close).toHaveBeenCalledTimes(1);
});

it('sends input in order once the stream is open, and never to another session', async () => {
  const { client, asked } = aDaemon();
  const watch = new SessionWatch({ client, take: () => {}, typing: { size: { cols: 80, rows: 24 } } });
  expect(watch.type(Buffer.from('nowhere'))).toBe(false);
  watch.show('ses_a');
  expect(watch.type(Buffer.from('for a'))).toBe(true);
  await waitForStream();
  watch.show('ses_b');
  expect(watch.type(Buffer.from('for '))).toBe(true);
  expect(watch.type(Buffer.from('b'))).toBe(true);
  expect(watch.type(Buffer.alloc(5_000))).toBe(false);
  await waitForStream();
  for (const { come } of asked) come();
  await waitForStream();
  const sent = asked.map(({ sendBytes }) => sendBytes.mock.calls.map(([bytes]) => Buffer.from(bytes).toString()));
  expect(sent).toEqual([[], ['for ', 'b']]);
  watch.close();
});
