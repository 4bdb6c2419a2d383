/** Tests the client against a small real server on a real Unix socket. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { OrchdError } from '../protocol/index.js';
import { type Client, type ClientOptions, createClient, type DaemonControl } from './index.js';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let folder: string;
let socketPath: string;
let server: Server;
let connections: Socket[];
let handle: Handler;
let client: Client;
let seen: { method: string | undefined; url: string | undefined; headers: IncomingMessage['headers']; body: string }[];

async function listen(): Promise<void> {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    seen.push({ method: request.method, url: request.url, headers: request.headers, body });
    handle(request, response, body);
  });
  connections = [];
  server.on('connection', (connection) => connections.push(connection));
  server.listen(socketPath);
  await once(server, 'listening');
}
async function stop(): Promise<void> {
  for (const connection of connections) connection.destroy();
  await new Promise((resolve) => server.close(resolve));
}
const reply = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};
const connectWith = (options: Partial<ClientOptions> = {}): Client => {
  client.close();
  client = createClient({ socketPath, clientName: 'test', ...options });
  return client;
};
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error) => (error instanceof OrchdError ? error.code : error),
  );

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'orchd-client-'));
  socketPath = join(folder, 'odd: name.sock');
  seen = [];
  handle = (_request, response) => reply(response, {});
  client = createClient({ socketPath, clientName: 'test' });
  await listen();
});
afterEach(async () => {
  client.close();
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('calls', () => {
  test('sends each field in the path, the query or the body', async () => {
    await client.call('session.capture', { session: 'a b/ü?', ansi: true, scrollback: 5 });
    await client.call('event.list', { type: ['message', 'session exited'], since: 0 });
    await client.call('session.list', {});
    await client.call('session.send', { session: 'x', text: 'héllo', enter: false });
    await client.call('daemon.stop', {});
    expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/api/sessions/a%20b%2F%C3%BC%3F/screen?ansi=true&scrollback=5', ''],
      ['GET', '/api/events?type=message&type=session+exited&since=0', ''],
      ['GET', '/api/sessions', ''],
      ['POST', '/api/sessions/x/send', '{"text":"héllo","enter":false}'],
      ['POST', '/api/stop', '{}'],
    ]);
  });

  test('returns the reply, and sends the name and the token of the client', async () => {
    handle = (_request, response) => reply(response, [{ id: 'ses_1', name: 'ü'.repeat(100_000) }], 201);
    connectWith({ token: 'secret' });
    expect(await client.call('session.list', {})).toEqual([{ id: 'ses_1', name: 'ü'.repeat(100_000) }]);
    expect(seen[0]?.headers).toMatchObject({ 'x-orchd-client': 'test', authorization: 'Bearer secret' });
  });

  test('throws the error of the daemon with its code, message and details', async () => {
    const problem = new OrchdError('ORCHD_ITEM_CLOSED', 'answered before', { answer: { text: 'yes' } }).toProblem();
    handle = (_request, response) => reply(response, problem, 409);
    await expect(client.call('inbox.answer', { item: 'i', text: 'no' })).rejects.toMatchObject({
      name: 'OrchdError',
      code: 'ORCHD_ITEM_CLOSED',
      message: 'answered before',
      details: { answer: { text: 'yes' } },
    });
  });

  test('throws ORCHD_INTERNAL for a reply that is not from a daemon', async () => {
    handle = (_request, response) => response.writeHead(502).end('<html>');
    expect(await codeOf(client.call('session.list', {}))).toBe('ORCHD_INTERNAL');
    handle = (_request, response) => response.end('{"cut":');
    expect(await codeOf(client.call('session.list', {}))).toBe('ORCHD_INTERNAL');
  });

  test('throws ORCHD_DAEMON_UNREACHABLE if no daemon listens', async () => {
    connectWith({ socketPath: join(folder, 'none.sock') });
    expect(await codeOf(client.call('daemon.status', {}))).toBe('ORCHD_DAEMON_UNREACHABLE');
  });

  test.runIf(process.platform === 'linux')('waits if the accept queue of the daemon is full', async () => {
    await stop();
    server.listen({ path: socketPath, backlog: 1 });
    await once(server, 'listening');
    // The server accepts nothing before this turn of the event loop ends.
    const others = Array.from({ length: 3 }, () => connect(socketPath).on('error', () => {}));
    const refused = once(others[2] ?? server, 'error');
    expect(await codeOf(client.call('daemon.status', {}))).toBe('no error');
    expect((await refused)[0]).toMatchObject({ code: 'EAGAIN' });
    for (const other of others) other.destroy();
  });

  test('throws ORCHD_DAEMON_UNREACHABLE if the connection breaks before or during the reply', async () => {
    handle = (request) => request.socket.destroy();
    expect(await codeOf(client.call('session.kill', { session: 'x' }))).toBe('ORCHD_DAEMON_UNREACHABLE');
    handle = (request, response) => response.writeHead(200).write('{"a', () => request.socket.destroy());
    expect(await codeOf(client.call('session.list', {}))).toBe('ORCHD_DAEMON_UNREACHABLE');
  });

  test('throws ORCHD_DAEMON_SILENT after the timeout, except for calls that may take long', async () => {
    connectWith({ timeoutMs: 20 });
    handle = () => {};
    expect(await codeOf(client.call('session.list', {}))).toBe('ORCHD_DAEMON_SILENT');
    handle = (_request, response) => response.writeHead(200).write('{');
    expect(await codeOf(client.call('session.list', {}))).toBe('ORCHD_DAEMON_SILENT');
    handle = (request, response) => {
      if (/wait|prune|restart/.test(request.url ?? ''))
        void codeOf(client.call('session.list', {})).then(() => reply(response, { id: 1 }));
    };
    expect(await client.call('session.wait', { session: 'x', until: 'done' })).toEqual({ id: 1 });
    expect(await client.call('run.wait', { run: 'x' })).toEqual({ id: 1 });
    expect(await client.call('daemon.prune', {})).toEqual({ id: 1 });
    expect(await client.call('session.restart', { session: 'x', grace_ms: 30_000 })).toEqual({ id: 1 });
  });

  test('close ends waiting calls, and later calls send nothing', async () => {
    handle = () => client.close();
    expect(await codeOf(client.call('session.wait', { session: 'x', until: 'done' }))).toBe('ORCHD_DAEMON_UNREACHABLE');
    expect(await codeOf(client.call('session.list', {}))).toBe('ORCHD_DAEMON_UNREACHABLE');
    expect(seen).toHaveLength(1);
  });

  test('a signal ends one call, and the signal of the client ends all', async () => {
    const own = new AbortController();
    handle = () => own.abort();
    expect(await codeOf(client.call('session.list', {}, { signal: own.signal }))).toBe('ORCHD_DAEMON_UNREACHABLE');
    const all = new AbortController();
    connectWith({ signal: all.signal });
    handle = () => all.abort();
    expect(await codeOf(client.call('session.list', {}))).toBe('ORCHD_DAEMON_UNREACHABLE');
  });

  test('refuses a request above the size limit without sending it', async () => {
    const text = 'é'.repeat(2 * 1024 * 1024);
    expect(await codeOf(client.call('session.send', { session: 'x', text }))).toBe('ORCHD_TOO_LARGE');
    expect(seen).toEqual([]);
  });

  test('replaces line breaks in the name and the token, so that they cannot add a header', async () => {
    connectWith({ clientName: 'a\r\nx-evil: 1', token: 'b\nc' });
    await client.call('session.list', {});
    expect(seen[0]?.headers).toMatchObject({ 'x-orchd-client': 'a??x-evil: 1', authorization: 'Bearer b?c' });
    expect(seen[0]?.headers).not.toHaveProperty('x-evil');
  });
});

describe('replies', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\nDate: now\r\n';
  const answer = (text: string): void => {
    server.removeAllListeners('request');
    server.on('request', async (request) => {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at++) {
        await new Promise((resolve) => request.socket.write(bytes.subarray(at, at + 1), resolve));
        await new Promise(setImmediate);
      }
      request.socket.end();
    });
  };

  test.each([
    ['by length', `${HEAD}Content-Length: 6\r\n\r\n["é"]`],
    [
      'in chunks with extensions and trailers',
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n2;x=y\r\n["\r\n4\r\né"]\r\n0\r\nA: b\r\n\r\n`,
    ],
    ['until the end', `${HEAD}\r\n["é"]`],
    ['after a 100', `HTTP/1.1 100 Continue\r\n\r\n${HEAD}content-length:6\r\n\r\n["é"]`],
  ])('reads a reply %s, split at any byte', async (_how, text) => {
    answer(text);
    expect(await client.call('session.list', {})).toEqual(['é']);
  });

  test.each([
    ['nothing', ''],
    ['half a head', HEAD],
    ['half a body', `${HEAD}content-length: 9\r\n\r\n[]`],
    ['half a chunk', `${HEAD}transfer-encoding: chunked\r\n\r\n9\r\n[]`],
    ['chunks without their end', `${HEAD}transfer-encoding: chunked\r\n\r\n2\r\n[]\r\n`],
    ['no size', `${HEAD}transfer-encoding: chunked\r\n\r\nx\r\n`],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['a head without end', `HTTP/1.1 200 OK\r\n${'x'.repeat(70_000)}`],
  ])('treats %s as a broken connection', async (what, text) => {
    if (what === 'a head without end') {
      server.removeAllListeners('request');
      server.on('request', (request) => request.socket.end(text));
    } else answer(text);
    expect(await codeOf(client.call('session.list', {}))).toBe('ORCHD_DAEMON_UNREACHABLE');
  });
});

const event = (seq: number) => ({ seq, event_type: 'session_lost', timestamp: 'now', session_id: `ü${seq}` });
const lines = (...values: unknown[]): string => values.map((it) => `${JSON.stringify(it)}\n`).join('');
async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}
const urls = (): unknown[] => seen.map(({ url }) => url);

describe('events', () => {
  test('parses lines as events, split at any byte, up to the end of the log', async () => {
    const bytes = Buffer.from(`${lines(event(1), { event_type: 'gap', from: 2, to: 4 })}\n${lines(event(5))}`);
    handle = async (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      for (const byte of bytes) await new Promise((resolve) => response.write(Buffer.of(byte), resolve));
      response.end();
    };
    const events = await collect(client.events({ since: 0, type: ['session_lost', 'result'], session: 's' }));
    expect(events).toEqual([event(1), { event_type: 'gap', from: 2, to: 4 }, event(5)]);
    expect(urls()).toEqual(['/api/events?type=session_lost&type=result&session=s&since=0']);
    expect(seen[0]?.headers.accept).toBe('application/x-ndjson');
  });

  test('a follower resumes after its last event when the daemon is replaced, without duplicates', async () => {
    const connections: boolean[] = [];
    handle = (_request, response) => void response.write(lines(event(8), event(9)));
    const got: unknown[] = [];
    for await (const it of client.events({ since: 7, follow: true, onConnection: (is) => connections.push(is) })) {
      got.push(it.event_type === 'gap' ? it : it.seq);
      if (it.event_type === 'gap') continue;
      if (it.seq === 12) break;
      if (it.seq !== 9) continue;
      await stop();
      handle = (_request, response) =>
        void response.write(lines(event(9), { event_type: 'gap', from: 10, to: 11 }, event(12)));
      await listen();
    }
    expect(got).toEqual([8, 9, { event_type: 'gap', from: 10, to: 11 }, 12]);
    expect(urls()).toEqual(['/api/events?follow=true&since=7', '/api/events?follow=true&since=9']);
    expect(connections).toEqual([false, true]);
  });

  test('a follower without since misses nothing, even if the stream breaks before its first event', async () => {
    handle = (request, response) => {
      if (request.url === '/api/status') return reply(response, { last_seq: 41 });
      if (seen.length > 2) return void response.write(lines(event(42)));
      response.flushHeaders();
      request.socket.end();
    };
    for await (const it of client.events({ follow: true })) {
      expect(it).toEqual(event(42));
      break;
    }
    expect(urls()).toEqual(['/api/status', '/api/events?follow=true&since=41', '/api/events?follow=true&since=41']);
  });

  test('throws if the stream breaks and reconnect is false', async () => {
    handle = (request, response) => response.write(lines(event(1)), () => request.socket.destroy());
    const reading = collect(client.events({ since: 0, follow: true, reconnect: false }));
    expect(await codeOf(reading)).toBe('ORCHD_DAEMON_UNREACHABLE');
  });

  test('throws the error of a refused request, at first and after a reconnect', async () => {
    const problem = new OrchdError('ORCHD_INVALID', 'since 9 is after the newest event').toProblem();
    handle = (_request, response) => reply(response, problem, 422);
    expect(await codeOf(collect(client.events({ since: 9, follow: true })))).toBe('ORCHD_INVALID');
    handle = (request, response) => {
      handle = (_again, refused) => reply(refused, problem, 422);
      response.write(lines(event(1)), () => request.socket.destroy());
    };
    expect(await codeOf(collect(client.events({ since: 0, follow: true })))).toBe('ORCHD_INVALID');
  });

  test('leaving the loop, a signal or close ends the stream', async () => {
    let open = 0;
    const closed: Promise<unknown>[] = [];
    handle = (_request, response) => {
      open++;
      closed.push(once(response, 'close'));
      response.write(lines(event(1)));
    };
    const own = new AbortController();
    for await (const _ of client.events({ since: 0, follow: true })) break;
    for await (const _ of client.events({ since: 0, follow: true, signal: own.signal })) own.abort();
    for await (const _ of client.events({ since: 0, follow: true })) client.close();
    await Promise.all(closed);
    expect(open).toBe(3);
  });
});

describe('terminals', () => {
  let sockets: WebSocketServer;
  const accept = (serve: (socket: WebSocket, request: IncomingMessage) => void): void => {
    sockets = new WebSocketServer({ noServer: true });
    server.on('upgrade', (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (ws) => serve(ws, request)),
    );
  };

  test('passes bytes and control messages both ways, and reports the end', async () => {
    const arrived: unknown[] = [];
    accept((socket, request) => {
      arrived.push(request.url, request.headers['x-orchd-client']);
      socket.send('{"type":"size","cols":80,"rows":24}');
      socket.send(Buffer.from('\x1b[H'));
      socket.on('message', (data: Buffer, isBinary) => {
        arrived.push(isBinary ? data : data.toString());
        if (arrived.length < 5) return;
        socket.send('{"type":"exit","state":"exited","exit_code":0}');
        socket.close(1000, 'bye');
      });
    });
    const terminal = await client.terminal('a/b', { size: { cols: 80, rows: 24 }, readOnly: true });
    await new Promise(setImmediate); // data sent at once has arrived by now and waits
    const got: unknown[] = [];
    terminal.onControl((message: DaemonControl) => got.push(message));
    terminal.onBytes((bytes) => got.push(Buffer.from(bytes).toString()));
    await terminal.sendBytes('é');
    await terminal.sendBytes(Uint8Array.of(3));
    await terminal.sendControl({ type: 'resize', cols: 1, rows: 2 });
    expect(await terminal.ended).toEqual({ code: 1000, reason: 'bye' });
    expect(arrived).toEqual([
      '/api/sessions/a%2Fb/terminal?mode=attach&cols=80&rows=24&read_only=true',
      'test',
      Buffer.from('é'),
      Buffer.of(3),
      '{"type":"resize","cols":1,"rows":2}',
    ]);
    expect(got).toEqual([
      { type: 'size', cols: 80, rows: 24 },
      '\x1b[H',
      { type: 'exit', state: 'exited', exit_code: 0 },
    ]);
    await terminal.sendBytes('late');
  });

  test('passes nothing while paused, and the rest in order later, even after close', async () => {
    const opened: WebSocket[] = [];
    accept((socket) => opened.push(socket));
    const terminal = await client.terminal('x');
    const got: string[] = [];
    terminal.onBytes((bytes) => got.push(Buffer.from(bytes).toString()));
    opened[0]?.send(Buffer.from('first'));
    while (got.length === 0) await new Promise(setImmediate);
    terminal.pause();
    await new Promise<unknown>((resolve) => opened[0]?.send(Buffer.from('second'), resolve));
    await new Promise(setImmediate);
    expect(got).toEqual(['first']);
    terminal.close();
    expect((await terminal.ended).code).toBe(1000);
    expect(got).toEqual(['first', 'second']);
  });

  test('throws the error of a refused request', async () => {
    const body = JSON.stringify(new OrchdError('ORCHD_SESSION_UNKNOWN', 'no session x').toProblem());
    server.on('upgrade', (_request, socket) => {
      socket.end(`HTTP/1.1 404 Refused\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);
    });
    expect(await codeOf(client.terminal('x'))).toBe('ORCHD_SESSION_UNKNOWN');
  });

  test('throws if no daemon listens or the daemon is silent', async () => {
    server.on('upgrade', () => {});
    connectWith({ timeoutMs: 20 });
    expect(await codeOf(client.terminal('x'))).toBe('ORCHD_DAEMON_SILENT');
    connectWith({ socketPath: join(folder, 'none.sock') });
    expect(await codeOf(client.terminal('x'))).toBe('ORCHD_DAEMON_UNREACHABLE');
  });

  test('ends after close, a broken connection or the close of the client', async () => {
    const opened: WebSocket[] = [];
    accept((socket) => opened.push(socket));
    const first = await client.terminal('x');
    first.close();
    expect((await first.ended).code).toBe(1000);
    const second = await client.terminal('x');
    second.onBytes(() => {});
    opened[1]?.terminate();
    expect((await second.ended).code).toBe(1006);
    const third = await client.terminal('x');
    client.close();
    expect((await third.ended).code).toBe(1000);
  });
});
