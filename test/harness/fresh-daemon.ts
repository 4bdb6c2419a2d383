/** Tests that start daemons of their own. Each is closed when its test ends, also while other tests run. */
import { test as base } from 'vitest';
import { startDaemon, type TestDaemon } from './daemon.js';

export interface OwnDaemons {
  fresh(options?: Parameters<typeof startDaemon>[0]): Promise<TestDaemon>;
  /** Registers what is done after the test, before its daemons are closed: a stopped host would never end. */
  beforeClose(cleanUp: () => Promise<unknown> | unknown): void;
  /** Registers what is done after the test, once its daemons are closed. */
  afterwards(cleanUp: () => Promise<unknown> | unknown): void;
}

export const test = base.extend<OwnDaemons>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures from the pattern
  afterwards: async ({}, use) => {
    const cleanUps: Parameters<OwnDaemons['afterwards']>[0][] = [];
    await use((cleanUp) => void cleanUps.push(cleanUp));
    for (const cleanUp of cleanUps) await cleanUp();
  },
  fresh: async ({ afterwards: _ }, use) => {
    const daemons: TestDaemon[] = [];
    await use(async (options) => {
      const daemon = await startDaemon(options);
      daemons.push(daemon);
      return daemon;
    });
    for (const daemon of daemons) await daemon.close();
  },
  // It is ended before `fresh`, because it needs it.
  beforeClose: async ({ fresh: _ }, use) => {
    const cleanUps: Parameters<OwnDaemons['beforeClose']>[0][] = [];
    await use((cleanUp) => void cleanUps.push(cleanUp));
    for (const cleanUp of cleanUps) await cleanUp();
  },
});
