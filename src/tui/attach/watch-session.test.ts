/** After many requests, the last session is shown, and no other stream stays open. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Client, Terminal } from '../../client/index.js';
import { watchSession } from './watch-session.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A fake daemon whose streams open when the test calls `come`. */
function aDaemon() {
  const asked: { readonly session: string; readonly stream: Terminal; come(): void; readonly close: () => void }[] = [];
  const client = {
    terminal: (session: string) =>
      new Promise<Terminal>((resolve) => {
        const close = vi.fn();
        const ended = new Promise<never>(() => {});
        // it has everything that is used
        const stream = { onControl: vi.fn(), onBytes: vi.fn(), ended, close } as unknown as Terminal;
        asked.push({ session, stream, come: () => resolve(stream), close });
      }),
  } as unknown as Client; // no other method is called
  return { client, asked };
}
const isComing = () => vi.advanceTimersByTimeAsync(1_000);

it('shows a session that is left and wanted again before it came by one stream', async () => {
  const { client, asked } = aDaemon();
  const watch = watchSession(
    client,
    () => {},
    () => null,
  );
  for (const session of ['ses_a', null, 'ses_a']) {
    watch.show(session);
    await isComing();
  }
  expect(asked.map(({ session }) => session)).toEqual(['ses_a', 'ses_a']);
  for (const { come } of asked) come();
  await isComing();
  const [first, second] = asked;
  expect(first?.close).toHaveBeenCalledTimes(1);
  expect(second?.close).not.toHaveBeenCalled();
  watch.close();
  expect(second?.close).toHaveBeenCalledTimes(1);
});
