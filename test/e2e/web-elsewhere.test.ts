/** Tests the dashboard for browsers on other devices: TLS, proxies, and links as QR codes. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { OutputOf } from '../../src/protocol/index.js';
import { chromiumPath, expectAccessible, sharedBrowser } from '../harness/browser.js';
import { hasOpenssl, makeCertificate } from '../harness/certificate.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Ask, askHttp, type Reply } from '../harness/http.js';

let daemon: TestDaemon;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'orchd-elsewhere-'));
  daemon = await startDaemon({ flags: ['--port', '0'], env: { ORCHD_WEB_LISTEN: '0.0.0.0:0' } });
});
afterAll(async () => {
  await daemon.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (url: string, method: string, path: string, how: Ask = {}): Promise<Reply> =>
  askHttp(daemon.paths.socket, method, path, { url, ...how });
const listen = (...options: string[]) => daemon.json<OutputOf<'web.listen'>>('web', ...options);
const codeIn = (link: string): string => new URL(link).hash.replace('#code=', '');

test('without TLS or a proxy other devices get nothing, and the command says what to give', async () => {
  const { web } = await daemon.client.call('daemon.status', {});
  expect(web).toMatchObject({ url: null, problem: expect.stringMatching(/needs TLS or a proxy/) });
  expect((await daemon.orchd('status')).stdout).toMatch(/web +off \(0\.0\.0\.0:0 can be reached/);
  const refused = await daemon.orchd('web', '--listen', '0.0.0.0:0');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/needs TLS.*--tls-cert.*--behind-proxy/s)]);
  expect((await daemon.orchd('web', '--tls-cert', 'cert.pem')).code).toBe(2);
  const link = await daemon.orchd('web', '--qr');
  expect([link.code, link.stderr]).toEqual([4, expect.stringMatching(/from this machine only.*--listen/s)]);
});

test('behind a proxy the daemon answers to its name and to pages of its origin', async () => {
  const { url = '' } = await daemon.client.call('daemon.status', {});
  const at = url ?? '';
  const host = 'orchd.example.org';
  const headers = { host, origin: `https://${host}` };
  expect((await ask(at, 'GET', '/ui/', { headers })).status).toBe(403);
  expect((await listen('--behind-proxy', `https://${host}`)).url).toBe(`https://${host}`);
  const { stdout, stderr } = await daemon.orchd('web', '--qr', '--role', 'read', '--name', 'phone');
  expect(stdout).toMatch(/[▀▄█]{20,}/);
  expect(stderr).toMatch(/may read/);
  const link = /https:\S+/.exec(stdout)?.[0] ?? '';
  expect(link).toContain(`https://${host}/ui/#code=`);
  const { body } = await ask(at, 'POST', '/api/web/session', { headers, body: { code: codeIn(link) } });
  expect(body).toMatchObject({ role: 'read', device: { name: 'phone' } });
  expect((await ask(at, 'GET', '/api/status', { headers, token: body.token })).status).toBe(200);
  for (const other of [
    { ...headers, origin: `http://${host}` },
    { ...headers, origin: 'https://evil.example' },
    { ...headers, host: 'evil.example' },
    { host: new URL(at).host, origin: `https://${host}` },
  ])
    expect((await ask(at, 'GET', '/api/status', { headers: other, token: body.token })).status).toBe(403);
  await listen('--listen', 'off');
  expect((await ask(at, 'GET', '/ui/', { headers })).status).toBe(403);
});

describe.skipIf(!hasOpenssl)('with TLS', () => {
  let url: string;
  beforeAll(async () => {
    const { cert, key } = makeCertificate(folder, 'DNS:orchd.example.org,IP:127.0.0.1');
    const listener = await listen('--listen', '0.0.0.0:0', '--tls-cert', cert, '--tls-key', key);
    url = listener.url ?? '';
  });

  test('a device enters, follows the events, and is out at once when it is revoked', async () => {
    expect(url).toMatch(/^https:\/\/orchd\.example\.org:\d+$/);
    const { host } = new URL(url);
    const headers = { host, origin: `https://${host}` };
    const link = await daemon.client.call('web.link', { role: 'answer', elsewhere: true });
    expect(link.url).toContain(`${url}/ui/#code=`);
    const large = { code: 'x', more: 'x'.repeat(10_000) };
    expect((await ask(url, 'POST', '/api/web/session', { headers, body: large })).status).toBe(413);
    const { body } = await ask(url, 'POST', '/api/web/session', { headers, body: { code: codeIn(link.url) } });
    const { token, device } = body;
    const send = (more: Record<string, string>) =>
      ask(url, 'GET', '/api/status', { headers: { ...headers, ...more }, token });
    expect((await send({})).status).toBe(200);
    expect((await send({ host: 'evil.example' })).status).toBe(403);
    expect((await send({ origin: `http://${host}` })).status).toBe(403);
    expect((await ask(url, 'PUT', '/api/web/listener', { headers, token, body: {} })).status).toBe(403);
    const socket = new WebSocket(`wss://127.0.0.1:${new URL(url).port}/api/events?hello=true`, {
      rejectUnauthorized: false,
    });
    await once(socket, 'open');
    const welcomed = once(socket, 'message');
    socket.send(JSON.stringify({ type: 'hello', token }));
    expect(JSON.parse(String((await welcomed)[0]))).toMatchObject({ type: 'welcome', device: { id: device.id } });
    const closed = once(socket, 'close');
    await daemon.json('web', '--revoke', device.id);
    expect((await closed)[0]).toBe(1008);
    expect((await send({})).status).toBe(401);
  });

  test('plain HTTP gets no reply there', async () => {
    const plain = url.replace('https:', 'http:');
    await expect(ask(plain, 'GET', '/ui/')).rejects.toThrow();
  });

  test.skipIf(chromiumPath === null)('a phone opens the link, and loses its connection when it is closed', async () => {
    const browser = await sharedBrowser();
    const page = await browser.newPage({ ignoreHTTPSErrors: true, viewport: { width: 360, height: 740 } });
    try {
      const link = await daemon.client.call('web.link', { role: 'answer', name: 'phone', elsewhere: true });
      await page.goto(link.url.replace('orchd.example.org', '127.0.0.1'));
      await page.locator('[data-connection="live"]').waitFor();
      expect((await daemon.client.call('web.list', {})).map(({ name }) => name)).toContain('phone');
      await expectAccessible(page);
      await listen('--listen', 'off');
      await page.locator('[data-connection="away"]').waitFor();
    } finally {
      await page.close();
    }
  });
});
