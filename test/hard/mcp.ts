/**
 * The conformance tests of MCP, `npx @modelcontextprotocol/conformance server`, against the daemon's /mcp. They need
 * Node 22 or newer.
 *
 * They send no token, so a proxy adds the token of a session. All scenarios are run. Those of APPLIES must pass; the
 * others are for capabilities that orchd does not have (docs/guide/tools.md says why).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import type { HardTest } from './run.js';

/**
 * The scenarios that apply. The others need a tool, a prompt or a resource of that test, or the capability in their
 * name.
 */
const APPLIES = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];

export const hard: HardTest = {
  summary: 'the conformance tests of MCP, which npx fetches',
  options: ['--node PATH     the Node that runs them (22 or newer); default: this one'],
  async run(args) {
    const at = args.indexOf('--node');
    const node = at < 0 ? process.execPath : (args[at + 1] ?? process.execPath);
    const daemon = await startDaemon({ flags: [] });
    try {
      const proxy = await addToken(daemon);
      try {
        const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
        const failed: string[] = [];
        for (const scenario of APPLIES) {
          const code = await conformance(node, ['server', '--url', url, '--scenario', scenario]);
          if (code !== 0) failed.push(scenario);
        }
        if (failed.length > 0) throw new Error(`not passed: ${failed.join(', ')}`);
      } finally {
        proxy.close();
        proxy.closeAllConnections();
      }
    } finally {
      await daemon.close();
    }
  },
};

/** Starts a proxy to the daemon's TCP port that adds the token of a new session. */
async function addToken(daemon: TestDaemon): Promise<Server> {
  const file = join(daemon.paths.stateDir, 'token-of-session');
  const { id } = await daemon.sh(
    `printenv ORCHD_SESSION_TOKEN > '${file}'; echo ':ORCHESTRATOR: TASK COMPLETE'; read x`,
  );
  await daemon.event('message', ({ session_id }) => session_id === id);
  const authorization = `Bearer ${readFileSync(file, 'utf8').trim()}`;
  const { url } = await daemon.client.call('daemon.status', {});
  if (url === null) throw new Error('the daemon has no TCP port');
  const { port } = new URL(url);
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization };
    const options = { host: '127.0.0.1', port, method: incoming.method ?? 'GET', path: incoming.url ?? '/', headers };
    const passed = request(options, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 0, reply.headers);
      reply.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

async function conformance(node: string, args: readonly string[]): Promise<number> {
  const npx = ['--yes', '--package', '@modelcontextprotocol/conformance', 'conformance', ...args];
  // npx runs the first `node` on the path.
  const env = { ...process.env, PATH: `${join(node, '..')}:${process.env['PATH']}` };
  const child = spawn('npx', npx, { env, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
