import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inOrder, MAX_WAITING } from './in-order.js';

let begun: string[];
let open: ServerResponse[];
let server: Server;
let port: number;
beforeEach(async () => {
  begun = [];
  open = [];
  server = createServer(
    inOrder((request, response) => {
      begun.push(request.url ?? '');
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

test('pipelined requests begin one after the other, and those of another connection do not wait', async () => {
  const socket = connect(port, '127.0.0.1');
  const replies = text(socket);
  socket.write(request('/1') + request('/2') + request('/3', 'Connection: close'));
  await expect.poll(() => begun).toEqual(['/1']);
  const other = connect(port, '127.0.0.1');
  other.write(request('/other'));
  await expect.poll(() => begun).toEqual(['/1', '/other']);
  for (const path of ['/2', '/3']) {
    open.splice(0, 1)[0]?.end(`before ${path} `);
    if (path === '/2') open.splice(0, 1)[0]?.end('other');
    await expect.poll(() => begun.at(-1)).toBe(path);
  }
  open[0]?.end('last');
  expect(await replies).toMatch(/before \/2 .*before \/3 .*last/s);
});

test('a connection with too many requests that wait is closed', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {}); // it may be reset
  socket.write(request('/').repeat(MAX_WAITING + 2));
  await once(socket, 'close');
  expect(begun).toEqual(['/']);
});
