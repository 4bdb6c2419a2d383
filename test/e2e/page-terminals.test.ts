/**
 * Tests the terminals of a page: channels of its one WebSocket, with flow control. The test sends the messages itself,
 * without a browser.
 */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { WebRole } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { askHttp } from '../harness/http.js';

let daemon: TestDaemon;
let url: string;
beforeAll(async () => {
  daemon = await startDaemon({ flags: ['--port', '0'] });
  url = (await daemon.client.call('daemon.status', {})).url ?? '';
});
afterAll(() => daemon.close());

interface Seen {
  readonly type?: string;
  readonly event_type?: string;
  readonly channel?: number;
  readonly message?: { readonly type: string; readonly code?: string };
  readonly code?: number;
}

/** Opens a WebSocket like a page, up to its `hello`. */
async function openPage(role: WebRole = 'all') {
  const link = await daemon.client.call('web.link', { role });
  const body = { code: new URL(link.url).hash.replace('#code=', '') };
  const entered = await askHttp(daemon.paths.socket, 'POST', '/api/web/session', { url, body });
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/events?hello=true`);
  await once(socket, 'open');
  const seen: Seen[] = [];
  const texts = new Map<number, string>();
  const counts = new Map<number, number>();
  const waiting = new Set<() => void>();
  const count = (channel: number): void => void counts.set(channel, (counts.get(channel) ?? 0) + 1);
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      const channel = data.readUInt32BE();
      texts.set(channel, (texts.get(channel) ?? '') + data.subarray(4).toString());
      count(channel);
    } else {
      const message = JSON.parse(data.toString()) as Seen;
      seen.push(message);
      if (message.type === 'message' && message.channel !== undefined) count(message.channel);
    }
    for (const check of waiting) check();
  });
  const send = (message: object): void => socket.send(JSON.stringify(message));
  send({ type: 'hello', token: entered.body.token });
  return {
    socket,
    seen,
    texts,
    send,
    type(channel: number, text: string) {
      const header = Buffer.alloc(4);
      header.writeUInt32BE(channel);
      socket.send(Buffer.concat([header, Buffer.from(text)]));
    },
    /** Tells the daemon that all messages of a channel were handled. */
    takeAll: (channel: number) => send({ type: 'taken', channel, messages: counts.get(channel) ?? 0 }),
    until: (holds: () => boolean) =>
      new Promise<void>((resolve) => {
        const check = (): void => {
          if (!holds()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}

test('two terminals and the events share one connection, and keys reach their session', async () => {
  const page = await openPage();
  const [one, two] = [await daemon.sh('echo one; cat'), await daemon.sh('echo two; cat')];
  page.send({ type: 'open', channel: 1, session: one.id, query: 'mode=attach&cols=60&rows=10' });
  page.send({ type: 'open', channel: 70_000, session: two.id, query: 'mode=attach&read_only=true' });
  await page.until(() => /one/.test(page.texts.get(1) ?? '') && /two/.test(page.texts.get(70_000) ?? ''));
  page.type(1, 'hello\r');
  page.type(70_000, 'ignored\r');
  await page.until(() => /hello\r\n.*hello/s.test(page.texts.get(1) ?? ''));
  const { stdout } = await daemon.orchd('capture', two.id);
  expect(stdout).not.toContain('ignored');
  expect((await daemon.client.call('session.show', { session: one.id })).size).toEqual({ cols: 60, rows: 10 });
  await daemon.client.call('session.kill', { session: one.id });
  await page.until(() =>
    page.seen.some(({ type, channel, code }) => type === 'closed' && channel === 1 && code === 1000),
  );
  await page.until(() => page.seen.some(({ event_type }) => event_type === 'session_exited'));
  page.socket.close();
});

test('a slow page does not stop the session or the events, and later gets the newest screen', async () => {
  const page = await openPage();
  const session = await daemon.sh('read go; seq 1 600000; echo the-end; cat');
  page.send({ type: 'open', channel: 1, session: session.id, query: 'mode=attach&read_only=true' });
  await page.until(() => page.seen.some(({ message }) => message?.type === 'size'));
  await daemon.client.call('session.keys', { session: session.id, keys: ['Enter'] });
  for (;;) {
    const { text } = await daemon.client.call('session.capture', { session: session.id });
    if (text.includes('the-end')) break; // The session printed everything although the page acknowledged nothing.
  }
  const sent = (page.texts.get(1) ?? '').length;
  expect(sent).toBeLessThan(3_000_000); // The session printed 4.1 MB.
  await daemon.client.call('session.rename', { session: session.id, name: 'still-told' });
  await page.until(() => page.seen.some(({ event_type }) => event_type === 'session_renamed'));
  expect(page.texts.get(1)).not.toContain('the-end');
  page.takeAll(1);
  await page.until(() => (page.texts.get(1) ?? '').includes('the-end'));
  page.socket.close();
});

test('a role that may not type is refused a typing channel and keeps the others', async () => {
  const page = await openPage('answer');
  const session = await daemon.sh('echo here; cat');
  page.send({ type: 'open', channel: 1, session: session.id, query: 'mode=attach' });
  page.send({ type: 'open', channel: 2, session: 'none', query: 'mode=attach&read_only=true' });
  page.send({ type: 'open', channel: 3, session: session.id, query: 'mode=view&read_only=true&pause_ms=50' });
  const refusal = (channel: number) =>
    page.seen.find((one) => one.channel === channel && one.message?.type === 'refused')?.message?.code;
  await page.until(() => page.seen.some(({ channel, message }) => channel === 3 && message?.type === 'screen'));
  expect([refusal(1), refusal(2), refusal(3)]).toEqual(['ORCHD_WEB_ROLE', 'ORCHD_SESSION_UNKNOWN', undefined]);
  page.send({ type: 'close', channel: 3 });
  await page.until(() => page.seen.some(({ type, channel }) => type === 'closed' && channel === 3));
  page.socket.close();
});

test.each([
  ['text that is not JSON', 'x'],
  ['a channel that is not a number', '{"type":"close","channel":"1"}'],
  ['a negative channel', '{"type":"close","channel":-1}'],
  ['an unknown type', '{"type":"fly","channel":1}'],
])('%s ends the connection but not the daemon', async (_name, text) => {
  const page = await openPage();
  await page.until(() => page.seen.length > 0);
  page.socket.send(text);
  const [code] = await once(page.socket, 'close');
  expect(code).toBe(1007);
  await daemon.client.call('daemon.status', {});
});

test('a channel cannot be opened twice, and a page has at most 128 channels', async () => {
  const page = await openPage();
  const session = await daemon.sh('cat');
  const query = 'mode=view&read_only=true';
  for (let channel = 1; channel <= 129; channel++) page.send({ type: 'open', channel, session: session.id, query });
  await page.until(() => page.seen.some(({ channel, message }) => channel === 129 && message?.type === 'refused'));
  page.send({ type: 'open', channel: 1, session: session.id, query });
  const [code] = await once(page.socket, 'close');
  expect(code).toBe(1007);
});
