import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAX_WAITING, serializePipelined } from './http-pipeline.js';

let started: string[];
let open: ServerResponse[];
let server: Server;
let port: number;
beforeEach(async () => {
  started = [];
  open = [];
  server = createServer(
    serializePipelined((request, response) => {
      started.push(request.url ?? '');
      open.push(response);
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port; // it listens on TCP
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const request = (path: string, ...lines: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n');

test('starts pipelined requests one after the other, without delaying other connections', async () => {
  const socket = connect(port, '127.0.0.1');
  const replies = text(socket);
  socket.write(request('/1') + request('/2') + request('/3', 'Connection: close'));
  await expect.poll(() => started).toEqual(['/1']);
  const other = connect(port, '127.0.0.1');
  other.write(request('/other'));
  await expect.poll(() => started).toEqual(['/1', '/other']);
  for (const path of ['/2', '/3']) {
    open.splice(0, 1)[0]?.end(`before ${path} `);
    if (path === '/2') open.splice(0, 1)[0]?.end('other');
    await expect.poll(() => started.at(-1)).toBe(path);
  }
  open[0]?.end('last');
  expect(await replies).toMatch(/before \/2 .*before \/3 .*last/s);
});

test('closes a connection with more than MAX_WAITING waiting requests, and parses no more of them', async () => {
  let parsed = 0;
  server.prependListener('request', () => parsed++);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {}); // it may be reset
  socket.write(request('/').repeat(1_000));
  await once(socket, 'close');
  expect(started).toEqual(['/']);
  expect(parsed).toBe(MAX_WAITING + 2);
});

test('answers MAX_WAITING pipelined requests', async () => {
  const socket = connect(port, '127.0.0.1');
  const replies = text(socket);
  socket.write(request('/').repeat(MAX_WAITING) + request('/last', 'Connection: close'));
  for (let count = 1; count <= MAX_WAITING + 1; count++) {
    await expect.poll(() => started.length).toBe(count);
    open.shift()?.end('reply');
  }
  expect((await replies).match(/reply/g)).toHaveLength(MAX_WAITING + 1);
});
