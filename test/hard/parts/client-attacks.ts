/** The attacks of `npm run test:hard -- clients`, and the process that carries out one of them. */
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { askHttp } from '../../harness/http.js';
import { type Agent, type Attack, attackIfAsked } from './attackers.js';

const ROUND_MS = 20;
/** Number of connections that are opened in one round. */
const AT_ONCE = 100;

/** Waits until there is time for another round. Returns false once the attack is over. */
async function goesOn(end: number): Promise<boolean> {
  await setTimeout(ROUND_MS);
  return Date.now() < end;
}

/** Opens connections that begin with a text, and writes another text to each of them again and again. */
function byBytes(count: number, first: string, more: string, reads = true): Attack {
  return async ({ socket, session }, end) => {
    const connections: Socket[] = [];
    do {
      for (let n = 0; n < AT_ONCE && connections.length < count; n++) {
        const connection = connect(socket).on('error', () => {});
        connection.write(first.replace('SESSION', session));
        if (reads) connection.resume();
        connections.push(connection);
      }
      if (more !== '') for (const connection of connections) if (connection.writable) connection.write(more);
    } while (await goesOn(end));
  };
}

/** Sends requests, as many as are open at most. */
function byRequests(open: number, request: (agent: Agent) => Parameters<typeof askHttp>, isAgent = false): Attack {
  return async (agent, end) => {
    let waiting = 0;
    do {
      for (let n = 0; n < AT_ONCE && waiting < open; n++) {
        waiting++;
        const [socket, method, path, how] = request(agent);
        const sent = askHttp(socket, method, path, { ...how, ...(isAgent && { token: agent.token }) });
        void sent.catch(() => {}).finally(() => waiting--);
      }
    } while (await goesOn(end));
  };
}

const openSocket = (socket: string, path: string, onOpen: (client: WebSocket) => void = () => {}): WebSocket => {
  const client: WebSocket = new WebSocket(`ws+unix://${socket}:${path}`, { perMessageDeflate: false });
  return client.on('error', () => {}).once('open', () => onOpen(client));
};

/** Opens WebSockets. @param reads  False for clients that read nothing. */
function bySockets(count: number, path: (agent: Agent) => string, reads = true): Attack {
  return async (agent, end) => {
    let opened = 0;
    do {
      for (let n = 0; n < AT_ONCE && opened < count; n++, opened++)
        openSocket(agent.socket, path(agent), (client) => void (reads || client.pause()));
    } while (await goesOn(end));
  };
}

/** Sends messages over one WebSocket, many at once, and opens another one when it was closed. */
function byMessages(path: (agent: Agent) => string, send: (client: WebSocket, round: number) => void): Attack {
  return async (agent, end) => {
    let client = openSocket(agent.socket, path(agent));
    let round = 0;
    do {
      if (client.readyState === WebSocket.CLOSED) client = openSocket(agent.socket, path(agent));
      if (client.readyState !== WebSocket.OPEN || client.bufferedAmount > 16 * 1024 * 1024) continue;
      for (let n = 0; n < 500; n++) send(client, round++);
    } while (await goesOn(end));
  };
}

const terminal = ({ session }: Agent): string => `/api/sessions/${session}/terminal?cols=80&rows=24`;
const POST = 'POST /api/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

export const CLIENT_ATTACKS: Readonly<Record<string, Attack>> = {
  'slow headers': byBytes(1_000, 'GET /api/status HTTP/1.1\r\nHost: x\r\nX-A: ', 'a'),
  'slow bodies': byBytes(500, `${POST}Content-Length: 3000000\r\n\r\n{"a":`, '1'.repeat(500)),
  'slow chunks': byBytes(300, `${POST}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n[\r\n'),
  'long headers': byBytes(
    300,
    `GET /api/status HTTP/1.1\r\nHost: x\r\n${`X-A: ${'b'.repeat(8000)}\r\n`.repeat(20)}`,
    '',
  ),
  'an unread journal': byBytes(200, 'GET /api/sessions/SESSION/journal HTTP/1.1\r\nHost: x\r\n\r\n', '', false),
  'an unread event log': byBytes(200, 'GET /events HTTP/1.1\r\nHost: x\r\n\r\n', '', false),
  '2,000 event streams': bySockets(2_000, () => '/api/events?follow=true'),
  'streams that nobody reads': bySockets(100, ({ session }) => `/api/sessions/${session}/terminal?mode=stream`, false),
  pings: byMessages(
    () => '/api/events?follow=true',
    (client) => client.ping('x'.repeat(100)),
  ),
  fragments: byMessages(
    () => '/api/events?hello=true',
    (client) => client.send('x', { fin: false }),
  ),
  'sizes in bursts': byMessages(terminal, (client, round) =>
    client.send(JSON.stringify({ type: 'resize', cols: 1 + ((round * 37) % 900), rows: 1 + ((round * 11) % 250) })),
  ),
  'keys that nobody reads': byMessages(terminal, (client) => client.send(Buffer.alloc(8 * 1024, 'k'))),
  captures: byRequests(1_000, ({ socket, session }) => [
    socket,
    'GET',
    `/api/sessions/${session}/screen?ansi=true&scrollback=100000`,
  ]),
  'names of an agent': byRequests(
    1_000,
    ({ socket, session }) => [socket, 'POST', `/api/sessions/${session}/rename`, { body: { name: 'other' } }],
    true,
  ),
  'starts of an agent': byRequests(
    100,
    ({ socket }) => [socket, 'POST', '/api/sessions', { body: { command: ['true'], cwd: '/' } }],
    true,
  ),
};

await attackIfAsked(import.meta.filename, CLIENT_ATTACKS);
