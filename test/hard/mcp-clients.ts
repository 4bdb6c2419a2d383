/**
 * Hostile MCP clients, over standard input and output and over HTTP, while others use the daemon: 1,000 open calls,
 * batches of calls, storms of cancellations and notifications, huge ids, half a line, and a client that never reads.
 * The attacker is a process of its own, so that its own work is not measured.
 *
 * Holds if requests of others take less than OWN_MS at the 99th percentile, apart from the time in which the daemon
 * waits for a core, if no turn of its event loop takes OWN_MS, and if a usual client is served afterwards. A usual client
 * comes first: its request loads the SDK of MCP, which takes one long turn in the life of a daemon.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { askHttp } from '../harness/http.js';
import { check, createHome, type Home, until } from './parts/home.js';
import { type Agent, attackApart, MCP_ATTACKS } from './parts/mcp-attacks.js';
import { startWatched } from './parts/turn-watch.js';
import { watchOthers } from './parts/watch-others.js';
import type { HardTest } from './run.js';

const OWN_MS = 100;

export const hard: HardTest = {
  summary: 'hostile MCP clients, one after the other, while others use the daemon',
  options: ['--only REGEXP    only attacks with such a name'],
  async run(args) {
    const { values } = parseArgs({ args, options: { only: { type: 'string' } } });
    const only = new RegExp(values.only ?? '');
    const home = createHome();
    try {
      const turns = await startWatched(home);
      const watch = await watchOthers(home);
      await isServed(home); // The first request over HTTP loads the SDK, once.
      for (const name of Object.keys(MCP_ATTACKS)) {
        if (!only.test(name)) continue;
        const agent = await startAgent(home);
        turns.longestMs();
        watch.begin();
        await attackApart(name, agent, home.env);
        const { p99, ownP99, max, lateMs, daemonMb } = await watch.end();
        const turnMs = turns.longestMs();
        console.log(
          `${name.padEnd(26)} p99 ${p99} (own ${ownP99}), max ${max} ms; messages up to ${lateMs} ms late; turn ${turnMs} ms; ` +
            `daemon ${daemonMb} MB`,
        );
        check(`others are served meanwhile (${name})`, ownP99 < OWN_MS && turnMs < OWN_MS);
        await home.client.call('session.kill', { session: agent.session, grace_ms: 0 });
        await home.client.call('session.remove', { session: agent.session, forever: true });
      }
      check('a usual client is served afterwards', await isServed(home));
      await watch.close();
    } finally {
      await home.close();
    }
  },
};

async function isServed(home: Home): Promise<boolean> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const { token } = await startAgent(home);
  const listed = await askHttp(home.paths.socket, 'POST', '/mcp', { body, token });
  return listed.body.result.tools.length > 0;
}

/** Starts a session that gives its token away. */
async function startAgent(home: Home): Promise<Agent> {
  const file = join(home.paths.stateDir, `token-${Date.now()}`);
  const command = ['sh', '-c', `printenv ORCHD_SESSION_TOKEN > '${file}.new'; mv '${file}.new' '${file}'; read x`];
  const { id: session } = await home.client.call('session.start', { command, cwd: '/' });
  const token = await until('the token', async () => {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch {
      return null;
    }
  });
  return { socket: home.paths.socket, session, token };
}
