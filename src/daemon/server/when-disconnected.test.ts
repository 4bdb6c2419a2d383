import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { whenDisconnected } from './when-disconnected.js';

const server = createServer();
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function request() {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1'); // it listens on TCP
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [, reply] = (await once(server, 'request')) as [unknown, ServerResponse];
  return { socket, reply };
}

test('whenDisconnected reports a caller that disconnects, also if it did so before', async () => {
  const { socket, reply } = await request();
  const gone: string[] = [];
  whenDisconnected(reply, () => gone.push('later'));
  expect(gone).toEqual([]);
  socket.destroy();
  await once(reply, 'close');
  whenDisconnected(reply, () => gone.push('at once'));
  expect(gone).toEqual(['later', 'at once']);
});

test('whenDisconnected reports a reply that has ended', async () => {
  const { reply } = await request();
  let isGone = false;
  whenDisconnected(reply, () => {
    isGone = true;
  });
  reply.end('done');
  await once(reply, 'close');
  expect(isGone).toBe(true);
});
