/**
 * Tests the WebSocket client against `ws`, which the daemon uses, and against servers that break the protocol.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createBareServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createLine, sendUpgrade } from './request.js';
import { createWebSocket, isAccepted, UPGRADE_FIELDS, type WebSocketClient } from './web-socket.js';
import type { Upgraded } from './whole-reply.js';

let folder: string;
let socketPath: string;
let server: Server;
let closeServer: () => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'orchd-web-socket-'));
  socketPath = join(folder, 's.sock');
  server = createServer();
  closeServer = () => server.close();
  server.listen(socketPath);
  await once(server, 'listening');
});
afterEach(() => {
  closeServer();
  rmSync(folder, { recursive: true });
});

const upgrade = (): Promise<Upgraded> =>
  sendUpgrade(createLine(socketPath, 'test', undefined), '/', UPGRADE_FIELDS, () => {});

interface Pair {
  readonly theirs: WebSocket;
  readonly ours: WebSocketClient;
  readonly got: (string | Buffer)[];
}

/** Returns a connection that is not resumed. */
async function pair(greet: (theirs: WebSocket) => void = () => {}): Promise<Pair> {
  const sockets = new WebSocketServer({ server });
  const connected = new Promise<WebSocket>((resolve) => {
    sockets.on('connection', (socket) => {
      greet(socket);
      resolve(socket);
    });
  });
  const upgraded = await upgrade();
  expect(isAccepted(upgraded)).toBe(true);
  const got: (string | Buffer)[] = [];
  const ours = createWebSocket(upgraded, (data, isBinary) => got.push(isBinary ? data : data.toString()));
  return { theirs: await connected, ours, got };
}

/** A server that accepts the upgrade and then sends arbitrary bytes. */
async function bare(say: (socket: Socket) => void): Promise<Upgraded> {
  server.close();
  const own = createBareServer((socket) => {
    socket.once('data', (request) => {
      const key = /sec-websocket-key: (\S+)/.exec(request.toString())?.[1] ?? '';
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
      say(socket);
    });
    socket.on('error', () => {});
  });
  closeServer = () => own.close();
  own.listen(socketPath);
  await once(own, 'listening');
  return upgrade();
}

describe('a WebSocket', () => {
  test('carries text and bytes of every length both ways', async () => {
    const { theirs, ours, got } = await pair();
    const echoed: (string | Buffer)[] = [];
    theirs.on('message', (data: Buffer, isBinary) => {
      echoed.push(isBinary ? data : data.toString());
      theirs.send(data, { binary: isBinary });
    });
    ours.resume();
    const sent = [
      '',
      'é',
      Buffer.alloc(0),
      Buffer.alloc(125, 1),
      Buffer.alloc(126, 2),
      Buffer.alloc(70_000, 3),
      'x'.repeat(3_000_000),
    ];
    for (const one of sent) await ours.send(one);
    theirs.once('message', () => {});
    ours.close(1000);
    await ours.ended;
    for (const arrived of [echoed, got]) {
      expect(arrived.map((one) => typeof one)).toEqual(sent.map((one) => typeof one));
      expect(arrived.every((one, n) => Buffer.from(one).equals(Buffer.from(sent[n] ?? '')))).toBe(true);
    }
  });

  test('gives nothing before it is resumed, and nothing while it is paused', async () => {
    const { theirs, ours, got } = await pair((socket) => socket.send('first'));
    await new Promise(setImmediate);
    expect(got).toEqual([]);
    const told = new Promise<void>((resolve) => theirs.once('pong', () => resolve()));
    ours.resume();
    theirs.ping();
    await told;
    expect(got).toEqual(['first']);
    ours.pause();
    await new Promise<void>((resolve) => theirs.send('second', () => resolve()));
    await new Promise(setImmediate);
    expect(got).toEqual(['first']);
    ours.close(1000);
    await ours.ended;
    expect(got).toEqual(['first', 'second']);
  });

  test('a listener that pauses is given no other message that came with the one', async () => {
    const frames = Buffer.concat([...'abc'].map((letter) => Buffer.from(`\x82\x01${letter}`, 'latin1')));
    const upgraded = await bare((socket) => socket.write(frames));
    const got: string[] = [];
    let took = (): void => {};
    const ours: WebSocketClient = createWebSocket(upgraded, (data) => {
      got.push(data.toString());
      ours.pause();
      took();
    });
    for (const wanted of ['a', 'ab', 'abc']) {
      await new Promise<void>((resolve) => {
        took = resolve;
        ours.resume();
      });
      expect(got.join('')).toBe(wanted);
    }
    upgraded.socket.destroy();
  });

  test('puts a message together that comes in pieces, with a ping between them', async () => {
    const said: Buffer[] = [];
    const upgraded = await bare((socket) => {
      socket.on('data', (bytes) => said.push(bytes));
      socket.write(Buffer.from('\x01\x02ab\x89\x01!\x00\x01c\x80\x01d\x88\x00', 'latin1'));
    });
    const got: string[] = [];
    const ours = createWebSocket(upgraded, (data, isBinary) => got.push(`${isBinary} ${data}`));
    ours.resume();
    expect(await ours.ended).toEqual({ code: 1005, reason: '' });
    expect(got).toEqual(['false abcd']);
    expect(Buffer.concat(said).toString('latin1')).toBe('\x8a\x81\0\0\0\0!\x88\x80\0\0\0\0');
  });

  test('ends as the other side says', async () => {
    const { theirs, ours } = await pair();
    ours.resume();
    const closed = once(theirs, 'close');
    theirs.close(1001, 'the daemon stops');
    expect(await ours.ended).toEqual({ code: 1001, reason: 'the daemon stops' });
    expect((await closed)[0]).toBe(1001);
    await ours.send('late');
  });

  test('says with which code it is closed, though it is paused', async () => {
    const { theirs, ours } = await pair((socket) => socket.send('unread'));
    const closed = once(theirs, 'close');
    ours.close(1000);
    expect((await closed)[0]).toBe(1000);
    expect((await ours.ended).code).toBe(1000);
  });

  test('that breaks ends with 1006', async () => {
    const { theirs, ours } = await pair();
    ours.resume();
    theirs.terminate();
    expect(await ours.ended).toEqual({ code: 1006, reason: '' });
  });

  test('gives nothing any more when it has ended, and waits for no farewell then', async () => {
    const upgraded = await bare((socket) => socket.write(Buffer.from('\x82\x01a\x82\x01b', 'latin1')));
    const got: string[] = [];
    const ours: WebSocketClient = createWebSocket(upgraded, (data) => {
      got.push(data.toString());
      ours.pause();
      upgraded.socket.destroy();
    });
    ours.resume();
    expect(await ours.ended).toEqual({ code: 1006, reason: '' });
    ours.resume();
    await new Promise(setImmediate);
    expect(got).toEqual(['a']);
    const set = vi.spyOn(globalThis, 'setTimeout');
    ours.close(1000);
    expect(set).not.toHaveBeenCalled();
    set.mockRestore();
  });

  test('keeps nothing of what comes after a farewell', async () => {
    const upgraded = await bare((socket) => {
      socket.once('data', () => socket.write(Buffer.from('\x88\x00', 'latin1')));
    });
    const ours = createWebSocket(upgraded, () => {});
    const before = upgraded.socket.listenerCount('data');
    ours.resume();
    void ours.send('bye');
    await once(upgraded.socket, 'data');
    expect([before, upgraded.socket.listenerCount('data')]).toEqual([1, 0]);
    upgraded.socket.destroy();
  });

  test.each([
    ['\xc1\x00', 'a frame of an extension that was not asked for'],
    ['\x80\x00', 'a frame out of order'],
    ['\x02\x00\x81\x00', 'a frame out of order'],
    ['\x83\x00', 'a frame out of order'],
  ])('ends with 1002 where %j breaks the protocol, and says so', async (bytes, reason) => {
    const said: Buffer[] = [];
    const upgraded = await bare((socket) => {
      socket.on('data', (chunk) => said.push(chunk));
      socket.on('end', () => socket.end());
      socket.write(Buffer.from(bytes, 'latin1'));
    });
    const ours = createWebSocket(upgraded, () => {});
    ours.resume();
    expect(await ours.ended).toEqual({ code: 1002, reason });
    expect(Buffer.concat(said).toString('latin1')).toBe('\x88\x82\0\0\0\0\x03\xea');
  });

  test('is none where the key was not understood', async () => {
    server.on('upgrade', (_request, socket) => {
      socket.end('HTTP/1.1 101 Switching Protocols\r\nsec-websocket-accept: b3RoZXI=\r\n\r\n');
    });
    const upgraded = await upgrade();
    expect(isAccepted(upgraded)).toBe(false);
    upgraded.socket.destroy();
  });
});
