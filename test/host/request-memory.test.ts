/** Tests that a running session does not keep the request that started it: its arguments may be megabytes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { Host } from '../../src/host/host.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** @returns The arguments, which only the session could still hold. */
function start(host: Host): WeakRef<string[]> {
  const argv = ['/bin/sh', '-c', 'sleep 1000', 'an argument'];
  const place = { file: '/bin/sh', argv, cwd: '/', env: {}, umask: 0o22 };
  host.handlers.spawn({ sessionId: 'ses_memory', ...place, cols: 80, rows: 24, notes: [] });
  return new WeakRef(argv);
}

it('a running session does not keep its arguments in memory', async () => {
  const journals = mkdtempSync(join(tmpdir(), 'orchd-memory-'));
  const host = new Host({ journals, log: () => {}, onGrew: () => {}, onBeat: () => {} });
  const argv = start(host);
  await new Promise(setImmediate); // a reference is kept until the end of the turn in which it was made
  collect();
  expect(argv.deref()).toBeUndefined();
  expect(host.describe()).toMatchObject([{ sessionId: 'ses_memory', exited: false }]);
  await host.shutdown(0);
  rmSync(journals, { recursive: true, force: true });
});
