import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { withDeadline } from './deadline.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void; // V8 provides it with --expose-gc

test('a deadline aborts its signal even if garbage is collected before it', async () => {
  const { signal } = new AbortController();
  const limited = withDeadline(signal, 50);
  for (let times = 0; times < 3; times++) {
    await new Promise(setImmediate);
    collectGarbage();
  }
  await vi.waitFor(() => expect(limited.aborted).toBe(true), { timeout: 10_000 });
});

test('aborting the parent signal aborts the limited one at once, even if the parent was aborted before', () => {
  const caller = new AbortController();
  const before = withDeadline(caller.signal, 60_000);
  expect(before.aborted).toBe(false);
  caller.abort('gone');
  expect(before.reason).toBe('gone');
  expect(withDeadline(caller.signal, 60_000).reason).toBe('gone');
});
