/** Tests the access to the dashboard: links, codes, devices, roles, and requests from pages of other origins. */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { OutputOf, WebRole } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Ask, askHttp, type Reply } from '../harness/http.js';

let daemon: TestDaemon;
let url: string;
beforeAll(async () => {
  daemon = await startDaemon({ flags: ['--port', '0'] });
  url = (await daemon.client.call('daemon.status', {})).url ?? '';
});
afterAll(() => daemon.close());

const ask = (method: string, path: string, how: Ask = {}): Promise<Reply> =>
  askHttp(daemon.paths.socket, method, path, { url, ...how });
const codeIn = (link: string): string => new URL(link).hash.replace('#code=', '');
const newCode = async (role?: WebRole): Promise<string> =>
  codeIn((await daemon.client.call('web.link', { ...(role && { role }) })).url);
async function enter(role: WebRole = 'all'): Promise<OutputOf<'web.enter'>> {
  const { status, body } = await ask('POST', '/api/web/session', { body: { code: await newCode(role) } });
  expect(status).toBe(201);
  return body;
}

describe('web links', () => {
  test('orchd web --no-open --json prints a link with a code in its fragment', async () => {
    const link = await daemon.json<OutputOf<'web.link'>>('web', '--no-open');
    expect(link.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/ui\/#code=\S{30,}$/);
    expect(link.role).toBe('all');
    const { body } = await ask('POST', '/api/web/session', { body: { code: codeIn(link.url) } });
    expect(body).toMatchObject({ role: 'all', token: expect.stringMatching(/^web_/), expires_at: expect.any(String) });
    expect((await ask('GET', '/api/sessions', { token: body.token })).status).toBe(200);
  });

  test('a code works once, and an invalid code is refused', async () => {
    const code = await newCode();
    const tries = await Promise.all(
      [code, code, code, 'x', ''].map((one) => ask('POST', '/api/web/session', { body: { code: one } })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403, 422]);
  });

  test('without TCP the command names the option to set', async () => {
    const other = await startDaemon();
    try {
      const { code, stderr } = await other.orchd('web', '--no-open');
      expect([code, stderr]).toEqual([4, expect.stringContaining('daemon.tcp = true')]);
    } finally {
      await other.close();
    }
  });

  test('an unknown role is refused', async () => {
    expect((await daemon.orchd('web', '--no-open', '--role', 'root')).code).toBe(2);
  });
});

describe('web devices', () => {
  test('devices are listed and revoked, and a revoked device is disconnected immediately', async () => {
    const { token, device } = await enter();
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/events?hello=true`);
    await once(socket, 'open');
    const welcomed = once(socket, 'message');
    socket.send(JSON.stringify({ type: 'hello', token }));
    expect(JSON.parse(String((await welcomed)[0]))).toMatchObject({ type: 'welcome', device: { id: device.id } });
    const closed = once(socket, 'close');
    const devices = await daemon.json<OutputOf<'web.list'>>('web', '--list');
    expect(devices.map(({ id }) => id)).toContain(device.id);
    await daemon.json('web', '--revoke', device.id);
    expect((await closed)[0]).toBe(1008);
    expect((await ask('GET', '/api/status', { token })).status).toBe(401);
    expect((await daemon.orchd('web', '--revoke', device.id)).code).toBe(3);
  });

  test('the next daemon reads the devices from a private file', async () => {
    const { token } = await enter('read');
    expect(statSync(daemon.paths.webDevicesFile).mode & 0o777).toBe(0o600);
    await daemon.orchd('restart');
    url = (await daemon.client.call('daemon.status', {})).url ?? '';
    expect((await ask('GET', '/api/status', { token })).status).toBe(200);
  });
});

describe('web roles', () => {
  test('each role allows its operations only, and no role may create links', async () => {
    const { id } = await daemon.sh('sleep 1000');
    const tries = [
      ['GET', '/api/inbox', undefined],
      ['POST', '/api/inbox/itm_none/answer', { text: 'x' }],
      ['POST', `/api/sessions/${id}/rename`, { name: 'renamed' }],
      ['POST', '/api/web/links', {}],
    ] as const;
    const got: Record<string, number[]> = {};
    for (const role of ['read', 'answer', 'all'] as const) {
      const { token } = await enter(role);
      const replies = await Promise.all(tries.map(([method, path, body]) => ask(method, path, { token, body })));
      got[role] = replies.map(({ status }) => status);
    }
    expect(got).toEqual({
      read: [200, 403, 403, 403],
      answer: [200, 404, 403, 403], // There is no such item.
      all: [200, 404, 200, 403],
    });
  });

  test('the role read may watch a terminal but not type into it', async () => {
    const { id } = await daemon.sh('sleep 1000');
    const { token } = await enter('read');
    const first = async (query: string): Promise<unknown> => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/api/sessions/${id}/terminal?hello=true${query}`);
      await once(socket, 'open');
      socket.send(JSON.stringify({ type: 'hello', token }));
      const [data] = await once(socket, 'message');
      socket.close();
      return JSON.parse(String(data));
    };
    expect(await first('&read_only=true')).toMatchObject({ type: 'welcome' });
    expect(await first('')).toMatchObject({ type: 'refused', code: 'ORCHD_WEB_ROLE' });
  });

  test("a session may not create links, and an answer from a browser carries the device's name", async () => {
    const { body } = await ask('POST', '/api/web/session', {
      body: { code: codeIn((await daemon.client.call('web.link', { name: 'phone' })).url) },
    });
    const session = await daemon.sh('echo ":ORCHESTRATOR: QUESTION: Which?"; echo "$ORCHD_SESSION_TOKEN"; cat');
    const item = await daemon.openItem(session);
    const answered = await ask('POST', `/api/inbox/${item.id}/answer`, {
      token: body.token,
      body: { text: 'this', by: 'terminal' },
    });
    expect(answered.body.answer).toMatchObject({ text: 'this', by: 'web:phone' });
    const { stdout } = await daemon.orchd('capture', session.id);
    const token = /[A-Za-z0-9_-]{32,}/.exec(stdout)?.[0] ?? '';
    expect((await ask('POST', '/api/web/links', { token, body: {} })).status).toBe(403);
  });
});

describe('requests from other origins', () => {
  test('pages have a strict content security policy and are served to local host names only', async () => {
    const { status, headers, text } = await ask('GET', '/ui/');
    expect(status).toBe(200);
    expect(text).toContain('<div id="root">');
    expect(headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self';/);
    expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(headers['set-cookie']).toBeUndefined();
    expect((await ask('GET', '/ui/', { headers: { host: 'evil.example' } })).status).toBe(403);
    for (const path of ['/ui/../token', '/ui/%2e%2e/%2e%2e/package.json', '/ui/..%2fcli.js', '/ui//etc/passwd']) {
      const reply = await ask('GET', path);
      expect(reply.status === 200 ? reply.text : '', path).not.toMatch(/"name": "orchd"|root:/);
    }
    expect((await ask('GET', '/ui/assets/none.js')).status).toBe(404);
  });

  test('a path with a % that is no encoding returns the page below /ui/, and JSON elsewhere', async () => {
    for (const path of ['/ui/%E0%A4%A', '/ui/sessions/%', '/ui/%zz?at=%'])
      expect((await ask('GET', path)).text, path).toContain('<div id="root">');
    expect((await ask('GET', '/ui/%', { headers: { host: 'evil.example' } })).status).toBe(403);
    for (const path of ['/api/%E0%A4%A', '/api/sessions/%', '/%'])
      expect(JSON.parse((await ask('GET', path)).text), path).toMatchObject({ code: 'ORCHD_INVALID' });
  });

  test('a server on another port gets no token, no reply and no WebSocket', async () => {
    const hostile = createServer((_request, response) => response.end('evil')).listen(0, '127.0.0.1');
    await once(hostile, 'listening');
    const at = hostile.address();
    const origin = `http://127.0.0.1:${typeof at === 'object' ? at?.port : 0}`;
    const { token } = await enter();
    const headers = { origin };
    expect((await ask('POST', '/api/web/session', { headers, body: { code: await newCode() } })).status).toBe(403);
    const { status, headers: got } = await ask('GET', '/api/status', { headers, token });
    expect([status, got['access-control-allow-origin']]).toEqual([403, undefined]);
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/events?hello=true`, { origin });
    const [error] = await once(socket, 'error');
    expect(String(error)).toContain('403');
    hostile.close();
  });

  test.each(['', 'hello', '{"type":"hello"}', '{"type":"hello","token":7}', '{"type":"hello","token":"web_x"}', '[]'])(
    'a WebSocket whose first message is %s gets no event',
    async (message) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/api/events?hello=true&since=0`);
      await once(socket, 'open');
      const got: string[] = [];
      socket.on('message', (data) => got.push(String(data)));
      socket.send(message);
      const [code] = await once(socket, 'close');
      expect([code, got.map((one) => JSON.parse(one).code)]).toEqual([1008, ['ORCHD_UNAUTHORIZED']]);
    },
  );
});
