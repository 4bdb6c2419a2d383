/** How a daemon is started, replaced and ended: what is wrong is said before anything is ended, and what cannot be had is said at all. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

let daemon: TestDaemon | undefined;
const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  await daemon?.close();
  daemon = undefined;
  for (const clean of cleanups.splice(0)) await clean();
});

async function fresh(options?: Parameters<typeof startDaemon>[0]): Promise<TestDaemon> {
  daemon = await startDaemon(options);
  return daemon;
}
const statusOf = (of: TestDaemon) => of.client.call('daemon.status', {});

function configure(of: TestDaemon, text: string): void {
  mkdirSync(dirname(of.paths.configFile), { recursive: true });
  writeFileSync(of.paths.configFile, text);
}

describe('`orchd restart`', () => {
  test('with a flag or a configuration that is refused leaves the daemon as it is, and says so', async () => {
    const own = await fresh();
    const { daemon: before } = await statusOf(own);
    const tried = async (code: string, ...args: string[]) => {
      const result = await own.orchd('restart', '--json', ...args);
      expect([result.code, JSON.parse(result.stderr)]).toEqual([2, expect.objectContaining({ code })]);
      expect(JSON.parse(result.stderr).error).toContain(`the daemon (pid ${before.pid}) goes on as it is`);
      expect((await statusOf(own)).daemon).toEqual(before);
    };
    for (const port of ['abc', '99999', '-1', '']) await tried('ORCHD_USAGE', `--port=${port}`);
    for (const text of ['x = [', '[notify]\nafter_ms = "soon"\n', '[daemon]\nno_such = 1\n']) {
      configure(own, text);
      await tried('ORCHD_CONFIG');
    }
    configure(own, '');
    expect((await own.orchd('restart', '--no-tcp')).code).toBe(0);
    expect((await statusOf(own)).daemon.pid).not.toBe(before.pid);
  });
});

describe('`orchd start`', () => {
  test('refuses what is no port, whether a daemon runs or not', async () => {
    const own = await fresh();
    const refused = { code: 2, stderr: expect.stringContaining("not 'abc'") };
    expect(await own.orchd('start', '--detach', '--port', 'abc')).toMatchObject(refused);
    await own.orchd('stop');
    expect(await own.orchd('start', '--detach', '--port', 'abc')).toMatchObject(refused);
  });
});
