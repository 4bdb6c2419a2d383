/**
 * Hostile MCP clients, over standard input and output and over HTTP, while others use the daemon: 1,000 open calls,
 * batches of calls, storms of cancellations and notifications, huge ids, half a line, and a client that never reads.
 *
 * A usual client comes first: its request loads the SDK of MCP, which takes one long turn in the life of a daemon.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { askHttp } from '../harness/http.js';
import { attackAll, startAgent } from './parts/attackers.js';
import type { Home } from './parts/home.js';
import { MCP_ATTACKS } from './parts/mcp-attacks.js';
import type { HardTest } from './run.js';

export const hard: HardTest = {
  summary: 'hostile MCP clients, one after the other, while others use the daemon',
  options: ['--only REGEXP    only attacks with such a name'],
  async run(args) {
    const { values } = parseArgs({ args, options: { only: { type: 'string' } } });
    const only = new RegExp(values.only ?? '');
    const names = Object.keys(MCP_ATTACKS).filter((name) => only.test(name));
    await attackAll(join(import.meta.dirname, 'parts/mcp-attacks.ts'), names, isServed);
  },
};

async function isServed(home: Home): Promise<boolean> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const { token } = await startAgent(home);
  const listed = await askHttp(home.paths.socket, 'POST', '/mcp', { body, token });
  return listed.body.result.tools.length > 0;
}
