/**
 * Hostile clients of the API, one after the other, while others use the daemon: requests that never end, thousands of
 * connections and subscriptions, streams without a reader, bursts of sizes, keys, captures and starts.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { attackAll } from './parts/attackers.js';
import { CLIENT_ATTACKS } from './parts/client-attacks.js';
import type { HardTest } from './run.js';

export const hard: HardTest = {
  summary: 'hostile clients of the API, one after the other, while others use the daemon',
  options: ['--only REGEXP    only attacks with such a name'],
  async run(args) {
    const { values } = parseArgs({ args, options: { only: { type: 'string' } } });
    const only = new RegExp(values.only ?? '');
    const names = Object.keys(CLIENT_ATTACKS).filter((name) => only.test(name));
    await attackAll(join(import.meta.dirname, 'parts/client-attacks.ts'), names, async ({ client }) => {
      const { daemon } = await client.call('daemon.status', {});
      return daemon.pid > 0;
    });
  },
};
