import { once } from 'node:events';
import { copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasOpenssl, makeCertificate } from '../../../test/harness/certificate.js';
import type { ListenerAddress } from '../access/index.js';
import { type WantedWeb, WebListener } from './web-listener.js';

let folder: string;
let places: ListenerAddress[];
let logged: string[];
let listener: WebListener;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orchd-listener-'));
  places = [];
  logged = [];
  const log = (message: string): void => void logged.push(message);
  listener = new WebListener({
    async open({ host, port }, place, tls) {
      places.push(place);
      const server = tls ? createTlsServer(tls) : createServer();
      server.listen(port, host);
      await once(server, 'listening');
      return server;
    },
    hasTcp: () => true,
    log: { info: log, error: log },
    lookMs: 20,
  });
});
afterEach(() => {
  listener.close();
  rmSync(folder, { recursive: true, force: true });
});

const wanted = (some: Partial<WantedWeb>): WantedWeb => ({
  listen: '',
  tls_cert: '',
  tls_key: '',
  behind_proxy: '',
  ...some,
});
const codeOf = (some: Partial<WantedWeb>): Promise<string> =>
  listener.listen(wanted(some), 'command').then(
    () => 'opened',
    ({ code, message }) => `${code}: ${message}`,
  );

describe('without a certificate', () => {
  test.each([
    [{ listen: '0.0.0.0:0' }, /can be reached from other machines/],
    [{ listen: '[::]:0' }, /can be reached from other machines/],
    [{ listen: 'somewhere:1' }, /is not ADDRESS:PORT/],
    [{ listen: '0.0.0.0:0', tls_cert: '/cert.pem' }, /needs its key/],
    [{ tls_cert: '/cert.pem', tls_key: '/key.pem' }, /needs an address/],
    [{ listen: '0.0.0.0:0', tls_cert: '/none/cert.pem', tls_key: '/none/key.pem' }, /cannot be used: .*ENOENT/],
    [{ listen: '0.0.0.0:0', behind_proxy: 'http://orchd.example.org' }, /is not an https/],
  ])('%j is refused', async (some, words) => {
    expect(await codeOf(some)).toMatch(/^ORCHD_WEB_LISTEN/);
    expect(await codeOf(some)).toMatch(words);
    expect([listener.state.url, places]).toEqual([null, []]);
  });

  test('a proxy gives the listener and the one on 127.0.0.1 its name', async () => {
    const { url } = await listener.listen(
      wanted({ listen: '0.0.0.0:0', behind_proxy: 'https://a.example' }),
      'command',
    );
    expect(url).toBe('https://a.example');
    for (const place of [places[0], listener.loopback]) {
      expect(place?.('A.example:443')).toBe('https://a.example');
      expect(place?.('b.example')).toBeNull();
    }
    expect(places[0]?.('127.0.0.1:80')).toBeNull();
    expect(listener.loopback('127.0.0.1:80')).toBe('http://127.0.0.1:80');
    await listener.listen(wanted({}), 'command');
    expect(listener.loopback('a.example')).toBeNull();
  });

  test('a configuration that cannot work is a problem in the state, and does not end the daemon', async () => {
    await listener.begin(wanted({ listen: '0.0.0.0:0' }));
    expect(listener.state).toMatchObject({ listen: '0.0.0.0:0', url: null, problem: expect.stringMatching(/TLS/) });
    expect(logged).toHaveLength(1);
  });
});

describe.skipIf(!hasOpenssl)('with a certificate', () => {
  const secure = ({ cert, key }: { cert: string; key: string }): WantedWeb =>
    wanted({ listen: '127.0.0.1:0', tls_cert: cert, tls_key: key });

  test.each([
    ['IP:127.0.0.1', '127.0.0.1', ['127.0.0.1:1', '[::1]', 'localhost']],
    ['DNS:*.home.example,DNS:orchd.example,IP:10.0.0.7', 'orchd.example', ['orchd.example', '127.0.0.1']],
    ['IP:10.0.0.7', '10.0.0.7', ['10.0.0.7', '10.0.0.8']],
  ])('for %s the link goes to %s, and only its names are served', async (names, name, [own, ...foreign]) => {
    const { url } = await listener.listen(secure(makeCertificate(folder, names)), 'command');
    expect(new URL(url ?? '').hostname).toBe(name);
    expect(places[0]?.(own ?? '')).toBe(`https://${own}`);
    for (const other of [...foreign, 'evil.example', '']) expect(places[0]?.(other), other).toBeNull();
  });

  test('a key of another certificate is refused, and what was open stays open', async () => {
    const files = makeCertificate(folder);
    const { url } = await listener.listen(secure(files), 'command');
    copyFileSync(files.key, `${files.key}.old`);
    makeCertificate(folder);
    expect(await codeOf({ listen: '127.0.0.1:0', tls_cert: files.cert, tls_key: `${files.key}.old` })).toMatch(
      /cannot be used/,
    );
    expect(listener.state.url).toBe(url);
  });

  test('a renewed certificate is used without a restart, a damaged one is not', async () => {
    const files = makeCertificate(folder, 'IP:127.0.0.1');
    const { url } = await listener.listen(secure(files), 'command');
    const namesShown = async (): Promise<string | undefined> => {
      const socket = connect({ port: Number(new URL(url ?? '').port), host: '127.0.0.1', rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { subjectaltname } = socket.getPeerCertificate();
      socket.destroy();
      return subjectaltname;
    };
    expect(await namesShown()).toBe('IP Address:127.0.0.1');
    writeFileSync(`${files.cert}.new`, 'damaged');
    renameSync(`${files.cert}.new`, files.cert);
    await expect.poll(() => logged).toContain('the changed certificate is not used');
    expect(await namesShown()).toBe('IP Address:127.0.0.1');
    makeCertificate(folder, 'DNS:renewed.example');
    await expect.poll(namesShown).toBe('DNS:renewed.example');
    expect(places[0]?.('renewed.example')).toBe('https://renewed.example');
  });
});
