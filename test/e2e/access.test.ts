/** Tests access control: which callers the API accepts, and what a program inside a session may do. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Ask, askHttp, type Reply } from '../harness/http.js';

const ROOT = join(import.meta.dirname, '../..');
const QUESTION =
  `printf '%s\\n' '\`\`\`orchestrator-message' ` +
  `'{"type":"QUESTION","data":{"question":"Which?","options":["a","b"]}}' '\`\`\`'`;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ flags: ['--port', '0'] });
});
afterAll(() => daemon.close());

const ask = (method: string, path: string, how?: Ask) => askHttp(daemon.paths.socket, method, path, how);
const ended = ({ id }: Session) => daemon.event('session_exited', (event) => event.session_id === id);
const url = async (): Promise<string> => {
  const { url: at } = await daemon.client.call('daemon.status', {});
  if (at === null) throw new Error('no TCP');
  return at;
};

describe('over TCP', () => {
  const token = () => readFileSync(daemon.paths.tokenFile, 'utf8').trim();

  test('a request without the correct token gets 401', async () => {
    const at = { url: await url() };
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: 'Basic eDp5' }]) {
      const { status, body } = await ask('GET', '/api/status', { ...at, headers });
      expect([status, body.code]).toEqual([401, 'ORCHD_UNAUTHORIZED']);
    }
    expect((await ask('GET', '/api/status', { ...at, token: token() })).status).toBe(200);
  });

  test('a request without the token gets 401 before its body and path are checked', async () => {
    const at = { url: await url() };
    for (const path of ['/api/sessions', '/mcp', '/no/such/route']) {
      for (const body of ['{"not": JSON', '[]', '"text"']) {
        const { status, body: problem } = await ask('POST', path, { ...at, body });
        expect([status, problem.code], `${path} ${body}`).toEqual([401, 'ORCHD_UNAUTHORIZED']);
      }
    }
    // With the token, the body is read and its error is reported.
    expect((await ask('POST', '/api/sessions', { ...at, token: token(), body: '{"not": JSON' })).status).toBe(422);
  });

  test('a request with two Host headers gets 403', async () => {
    const { port } = new URL(await url());
    const lines = ['GET /api/status HTTP/1.1', `Host: localhost:${port}`, 'Host: evil.example'];
    const head = [...lines, `Authorization: Bearer ${token()}`, 'Connection: close', '', ''].join('\r\n');
    const socket = connect(Number(port), '127.0.0.1');
    socket.end(head);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 .*ORCHD_FOREIGN/s);
  });

  test('a foreign Host or Origin header gets 403 even with the token', async () => {
    const at = { url: await url(), token: token() };
    const { port } = new URL(at.url);
    for (const headers of [
      { host: 'evil.example' },
      { host: `localhost.evil.example:${port}` },
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: `http://localhost:1` },
    ]) {
      const { status, body } = await ask('GET', '/api/status', { ...at, headers });
      expect([status, body.code], JSON.stringify(headers)).toEqual([403, 'ORCHD_FOREIGN']);
    }
    const own = { host: `localhost:${port}`, origin: `http://localhost:${port}` };
    expect((await ask('GET', '/api/status', { ...at, headers: own })).status).toBe(200);
  });

  test('a WebSocket needs the token and refuses a foreign Origin', async () => {
    const headers = {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    const { status, body } = await ask('GET', '/api/events', { url: await url(), headers });
    expect([status, body.code]).toEqual([401, 'ORCHD_UNAUTHORIZED']);
    const foreign = { ...headers, origin: 'http://evil.example' };
    const refused = await ask('GET', '/api/events', { url: await url(), token: token(), headers: foreign });
    expect([refused.status, refused.body.code]).toEqual([403, 'ORCHD_FOREIGN']);
  });

  test.skipIf(process.platform !== 'linux')('the daemon listens on 127.0.0.1 only', async () => {
    const port = Number(new URL(await url()).port)
      .toString(16)
      .toUpperCase()
      .padStart(4, '0');
    const rows = ['tcp', 'tcp6'].flatMap((file) => readFileSync(`/proc/net/${file}`, 'utf8').split('\n'));
    const local = rows
      .map((row) => row.trim().split(/\s+/))
      .filter(([, at = '', , state]) => at.endsWith(`:${port}`) && state === '0A');
    expect(local.map(([, at]) => at)).toEqual([`0100007F:${port}`]);
  });
});

test('sockets, token, logs, journals and folders are private to the user', async () => {
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  const { socket, hostSocket, tokenFile, database, dataDir, stateDir, journalsDir, logFile, hostLogFile } =
    daemon.paths;
  const session = await daemon.sh('echo printed');
  await ended(session);
  const journal = join(journalsDir, session.id);
  const segments = readdirSync(journal).map((name) => join(journal, name));
  expect(segments).not.toEqual([]);
  for (const dir of [dirname(socket), dataDir, stateDir, journalsDir, journal]) expect(mode(dir), dir).toBe('700');
  for (const file of [socket, hostSocket, tokenFile, database, logFile, hostLogFile, ...segments])
    expect(mode(file), file).toBe('600');
});

describe('a program inside a session', () => {
  /** Makes calls like a program in the session, with the variables from its environment. */
  async function inside(): Promise<{
    session: Session;
    token: string;
    as: (method: string, path: string, body?: unknown) => Promise<Reply>;
  }> {
    const session = await daemon.sh(`echo "token=$ORCHD_SESSION_TOKEN="; ${QUESTION}; cat`, '--size', '200x24');
    await daemon.openItem(session);
    const { text } = await daemon.client.call('session.capture', { session: session.id });
    const token = /token=(\w+)=/.exec(text)?.[1] ?? '';
    return {
      session,
      token,
      as: (method, path, body) => ask(method, path, { token, ...(body !== undefined && { body }) }),
    };
  }

  test('may read and validate blueprints but not change them', async () => {
    const { session, as } = await inside();
    for (const [method, path, status] of [
      ['GET', '/agents', 200],
      ['POST', '/agents/validate', 200],
      ['POST', '/agents', 403],
      ['PUT', '/agents/mine', 403],
      ['DELETE', '/agents/mine', 403],
    ] as const) {
      expect((await as(method, path, method.startsWith('P') ? { name: 'mine' } : undefined)).status, method).toBe(
        status,
      );
    }
    await daemon.orchd('kill', session.id);
  });

  test('may control the sessions that it started, rename and resize itself, and control no other session', async () => {
    const { session, as } = await inside();
    const stranger = await daemon.sh('cat');
    for (const path of [
      '/api/status',
      '/api/sessions',
      '/api/inbox',
      '/api/events',
      `/api/sessions/${session.id}/screen`,
    ])
      expect((await as('GET', path)).status, path).toBe(200);
    const started = await as('POST', '/api/sessions', { command: ['cat'], cwd: '/' });
    expect(started.body).toMatchObject({ parent_session_id: session.id });
    for (const [target, may] of [
      [session.id, ['rename', 'resize']],
      [started.body.id, ['send', 'keys', 'rename', 'resize']],
      [stranger.id, []],
    ] as const) {
      for (const [verb, body] of Object.entries({
        send: { text: 'x' },
        keys: { keys: ['x'] },
        rename: { name: `n-${String(target).slice(-6)}` },
        resize: { size: { cols: 80, rows: 24 } },
      })) {
        const { status, body: answer } = await as('POST', `/api/sessions/${target}/${verb}`, body);
        const allowed = may.some((allowedVerb) => allowedVerb === verb);
        expect(status, `${verb}: ${JSON.stringify(answer)}`).toBe(allowed ? 200 : 403);
        if (!allowed) expect(answer).toMatchObject({ code: 'ORCHD_FORBIDDEN', message: expect.any(String) });
      }
    }
    expect((await as('POST', `/api/sessions/${stranger.id}/kill`, {})).status).toBe(403);
    expect((await as('POST', `/api/sessions/${started.body.id}/kill`, { grace_ms: 100 })).status).toBe(200);
    await daemon.client.call('session.kill', { session: stranger.id, grace_ms: 100 });
    await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
  });

  test('sees only itself and the sessions that it started', async () => {
    const { session, as } = await inside();
    const stranger = await daemon.sh(`${QUESTION}; cat`);
    const item = await daemon.openItem(stranger);
    for (const path of [
      `/api/sessions/${stranger.id}`,
      `/api/sessions/${stranger.id}/screen`,
      `/api/sessions/${stranger.id}/wait?until=working`,
      `/api/inbox/${item.id}`,
    ])
      expect((await as('GET', path)).status, path).toBe(403);
    const child = await as('POST', '/api/sessions', { command: ['cat'], cwd: '/' });
    const { body: sessions } = await as('GET', '/api/sessions');
    const ids = (list: unknown) => (list as { id: string }[]).map(({ id }) => id);
    expect(ids(sessions).sort()).toEqual([session.id, child.body.id].sort());
    const { body: items } = await as('GET', '/api/inbox?all=true');
    expect(items).not.toEqual([]);
    expect(ids(items)).not.toContain(item.id);
    const { body: events } = await as('GET', '/events');
    expect(JSON.stringify(events)).toContain(child.body.id);
    expect(JSON.stringify(events)).not.toContain(stranger.id);
    expect((await as('GET', `/events?session=${stranger.id}`)).body).toEqual([]);
    for (const { id } of [session, stranger]) await daemon.client.call('session.kill', { session: id, grace_ms: 100 });
  });

  test('may not answer, stop the daemon, make web links or attach elsewhere; its token ends with it', async () => {
    const { session, token, as } = await inside();
    const item = await daemon.openItem(session);
    for (const [path, body] of [
      [`/api/inbox/${item.id}/answer`, { option: 1 }],
      ['/api/stop', {}],
      ['/api/notify/test', {}],
      ['/api/web/links', {}],
      ['/api/presence', { client_id: 'inside', present: true }],
    ] as const) {
      const reply = await as('POST', path, body);
      expect([reply.status, reply.body.code], path).toEqual([403, 'ORCHD_FORBIDDEN']);
    }
    const other = await daemon.sh('cat');
    const upgrade = {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    const attached = await ask('GET', `/api/sessions/${other.id}/terminal`, { token, headers: upgrade });
    expect([attached.status, attached.body.code]).toEqual([403, 'ORCHD_FORBIDDEN']);
    await daemon.client.call('session.kill', { session: other.id, grace_ms: 100 });
    await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
    expect((await as('GET', '/api/status')).status).toBe(401);
  });

  test('gets the same refusal from the CLI', async () => {
    const stranger = await daemon.sh('cat');
    const orchd = `${process.execPath} ${join(ROOT, 'bin/orchd.js')}`;
    const session = await daemon.sh(`${orchd} send ${stranger.id} hello; echo "code $?"`, '--size', '200x24');
    await ended(session);
    const { text } = await daemon.client.call('session.capture', { session: session.id });
    expect(text).toContain('it may do this only to sessions it started');
    expect(text).toContain('code 1');
    await daemon.client.call('session.kill', { session: stranger.id, grace_ms: 100 });
  });
});
