/** The attacks of `npm run test:hard -- mcp-clients`, and the process that carries out one of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { askHttp } from '../../harness/http.js';
import { type Attack, attackIfAsked } from './attackers.js';
import { BIN } from './home.js';

const CALLS = 1_000;
const ROUND_MS = 1;

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const ask = (id: number | string, question: string): object => ({
  id,
  method: 'tools/call',
  params: { name: 'ask', arguments: { question }, _meta: { progressToken: id } },
});
const cancelled = (requestId: number): object => ({ method: 'notifications/cancelled', params: { requestId } });
const numbers = Array.from({ length: CALLS }, (_, index) => index);

/** Writes to `orchd mcp` until the time is over. @param reads  False for a client that reads no reply. */
function byLine(text: (round: number) => string, reads = true): Attack {
  return async ({ session, token }, end) => {
    const env = { ...process.env, ORCHD_SESSION_ID: session, ORCHD_SESSION_TOKEN: token };
    const child: ChildProcess = spawn(process.execPath, [BIN, 'mcp'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    const gone = once(child, 'exit');
    child.stdin?.on('error', () => {});
    if (reads) child.stdout?.resume();
    for (let round = 0; Date.now() < end; round++) {
      const isRoomy = child.stdin?.write(text(round)) ?? false;
      await setTimeout(ROUND_MS); // the watch is in this process
      if (!isRoomy) await Promise.race([once(child.stdin ?? child, 'drain'), setTimeout(end - Date.now())]);
    }
    child.kill('SIGKILL');
    await gone;
  };
}

/** Sends bodies to /mcp, a hundred at a time, until the time is over. @param most  Maximum number of bodies. */
function byHttp(body: (round: number) => object, most = Number.POSITIVE_INFINITY): Attack {
  return async ({ socket, token }, end) => {
    const headers = { 'mcp-session-id': 'hostile', accept: 'application/json, text/event-stream' };
    for (let round = 0; Date.now() < end; ) {
      if (round >= most) {
        await setTimeout(end - Date.now());
        return;
      }
      const sent = Array.from({ length: 100 }, () =>
        askHttp(socket, 'POST', '/mcp', { body: body(round++), token, headers }).catch(() => {}),
      );
      await Promise.race([Promise.all(sent), setTimeout(200)]);
    }
  };
}

export const MCP_ATTACKS: Readonly<Record<string, Attack>> = {
  '1,000 open calls': byLine((round) => (round > 0 ? '' : numbers.map((id) => line(ask(id, `${id}?`))).join(''))),
  'batches of calls': byLine(
    (round) =>
      `${JSON.stringify(numbers.slice(0, 50).map((id) => ({ jsonrpc: '2.0', ...ask(`${round}-${id}`, `${id}?`) })))}\n`,
  ),
  'calls that are cancelled': byLine((round) => line(ask(round, 'never mind?')) + line(cancelled(round))),
  notifications: byLine(() => numbers.map((id) => line({ method: 'notifications/x', params: { id } })).join('')),
  'huge ids': byLine((round) => line({ id: `${'i'.repeat(1_000_000)}${round}`, method: 'ping' })),
  'a reader that never reads': byLine((round) => line({ id: round, method: 'tools/list' }), false),
  'half a line': byLine(() => 'x'.repeat(65_536)),
  'HTTP: 1,000 open calls': byHttp((round) => ({ jsonrpc: '2.0', ...ask(round, `${round}?`) }), CALLS),
  'HTTP: batches': byHttp((round) =>
    numbers.slice(0, 50).map((id) => ({ jsonrpc: '2.0', ...ask(`${round}-${id}`, 'b?') })),
  ),
  'HTTP: cancellations': byHttp((round) => ({ jsonrpc: '2.0', ...cancelled(round) })),
  'HTTP: unknown methods': byHttp((round) => ({ jsonrpc: '2.0', id: 'u'.repeat(100_000) + round, method: 'a/b' })),
};

await attackIfAsked(import.meta.filename, MCP_ATTACKS);
