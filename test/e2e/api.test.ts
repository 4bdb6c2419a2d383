/** The API over plain HTTP: every route, its shapes, who may come in, who may do what, and how refusals look. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ERRORS,
  type Event,
  OPERATIONS,
  type OperationName,
  type Session,
  shapeName,
} from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

const ROOT = join(import.meta.dirname, '../..');
const PROTOCOL = join(ROOT, 'protocol');
const QUESTION = `printf '%s\\n' '\`\`\`orchestrator-message' '{"type":"QUESTION","data":{"question":"Which?","options":["a","b"]}}' '\`\`\`'`;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ flags: ['--port', '0'] });
});
afterAll(() => daemon.close());

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a reply is whatever came; the tests look into it
  readonly body: any;
}
interface Ask {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly token?: string;
  /** Over TCP. */
  readonly url?: string;
}

function ask(method: string, path: string, { body, headers = {}, token, url }: Ask = {}): Promise<Reply> {
  const where =
    url === undefined ? { socketPath: daemon.paths.socket } : { host: '127.0.0.1', port: new URL(url).port };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    accept: 'application/json',
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request({ ...where, method, path, headers: all }, (response) => {
      let answer = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        answer += chunk;
      });
      response.on('end', () => {
        let parsed: unknown;
        try {
          parsed = JSON.parse(answer);
        } catch {
          parsed = undefined;
        }
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: answer, body: parsed });
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
const messages = readdirSync(join(PROTOCOL, 'messages')).map((file) => `messages/${file}`);
for (const file of ['common.schema.json', 'events.schema.json', 'operations.schema.json', ...messages]) {
  ajv.addSchema({ ...read(file), $id: file });
}

function read(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(PROTOCOL, path), 'utf8'));
}

/** What is wrong with a value of a shape; nothing, if all is well. */
function wrongWith(value: unknown, ref: string): unknown {
  const validate = ajv.getSchema(ref);
  if (!validate) throw new Error(`no schema ${ref}`);
  return validate(value) ? null : validate.errors;
}

const ended = ({ id }: Session) => daemon.event('session_exited', (event) => event.session_id === id);
const url = async (): Promise<string> => {
  const { url: at } = await daemon.client.call('daemon.status', {});
  if (at === null) throw new Error('no TCP');
  return at;
};

describe('every operation', () => {
  test('answers over the Unix socket what its schema says', async () => {
    const seen = new Set<OperationName>();
    const call = async (name: OperationName, path: Record<string, string>, more: Ask & { query?: string } = {}) => {
      const entry = OPERATIONS[name];
      const at = entry.path.replaceAll(/\{(\w+)\}/g, (_all, field) => encodeURIComponent(path[field] ?? ''));
      const reply = await ask(entry.method, `${at}${more.query ?? ''}`, more);
      expect(reply.status, `${name}: ${reply.text}`).toBe('status' in entry ? entry.status : 200);
      expect(wrongWith(reply.body, `operations.schema.json#/$defs/${shapeName(name)}Output`), name).toBeNull();
      seen.add(name);
      return reply.body;
    };
    await call('daemon.status', {});
    await call('api.openapi', {});
    const body = {
      command: ['sh', '-c', `${QUESTION}; read x; cat`],
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '' },
    };
    const session: Session = await call('session.start', {}, { body: { ...body, name: 'every' } });
    const item = await daemon.openItem(session);
    await call('session.list', {});
    await call('session.show', { session: session.id });
    await call('session.capture', { session: 'every' }, { query: '?ansi=true&scrollback=5' });
    await call('session.resize', { session: session.id }, { body: { size: { cols: 90, rows: 30 } } });
    await call('session.rename', { session: session.id }, { body: { name: 'other' } });
    await call('inbox.list', {}, { query: `?session=${session.id}` });
    await call('inbox.show', { item: item.id });
    await call('inbox.answer', { item: item.id }, { body: { option: 2 } });
    await call('session.send', { session: session.id }, { body: { text: 'hello' } });
    await call('session.keys', { session: session.id }, { body: { keys: ['a', 'Enter'] } });
    await call('session.wait', { session: session.id }, { query: '?until=working&timeout_ms=20000' });
    await call('session.kill', { session: session.id }, { body: { grace_ms: 100 } });
    await call('event.list', {}, { query: '?since=0' });
    const missing = Object.keys(OPERATIONS).filter((name) => !seen.has(name as OperationName)); // the table's own keys
    expect(missing).toEqual(['daemon.stop']); // the last word of the suite: see `close`
  });

  test('has its aliases, and they answer the same', async () => {
    for (const entry of Object.values(OPERATIONS)) {
      if (!('alias' in entry) || entry.method !== 'GET') continue;
      const [session] = await daemon.client.call('session.list', {});
      const at = (path: string) => `${path.replace('{session}', session?.id ?? '')}?`;
      expect((await ask('GET', at(entry.alias))).text).toBe((await ask('GET', at(entry.path))).text);
    }
  });

  test('stands in the OpenAPI 3.1 document, whose references all lead somewhere', async () => {
    const { body } = await ask('GET', '/api/openapi.json');
    expect(body.openapi).toMatch(/^3\.1\./);
    expect(body.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    for (const [name, { method, path }] of Object.entries(OPERATIONS)) {
      const operation = body.paths[path]?.[method.toLowerCase()];
      expect(operation, name).toMatchObject({ responses: expect.any(Object) });
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field);
      const declared = (operation.parameters ?? []).filter((one: { in: string }) => one.in === 'path');
      expect(declared.map((one: { name: string }) => one.name)).toEqual(inPath);
    }
    for (const [, ref] of JSON.stringify(body).matchAll(/"\$ref":"([^"]+)"/g)) {
      const parts = (ref ?? '').replace('#/', '').split('/');
      expect(
        parts.reduce((at: Record<string, never> | undefined, part) => at?.[part], body),
        ref,
      ).toBeDefined();
    }
  });
});

test('every event of a run is as its schema says', async () => {
  const script = `${QUESTION}; read a; echo ':ORCHESTRATOR: TASK COMPLETE'; echo ':ORCHESTRATOR: BLOCKED'
    printf '%s\\n' '\`\`\`orchestrator-message' '{"type":"NONSENSE"}' '\`\`\`'; echo ':ORCHESTRATOR: QUESTION - never answered'; read b`;
  const session = await daemon.sh(script);
  const item = await daemon.openItem(session);
  await daemon.client.call('inbox.answer', { item: item.id, text: 'a' });
  await daemon.event('item_opened', (event) => event.session_id === session.id && event.item_id !== item.id);
  await daemon.client.call('session.rename', { session: session.id, name: 'renamed' });
  await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
  const types = new Set<string>();
  for await (const event of daemon.client.events({ since: 0 })) {
    types.add(event.event_type);
    expect(wrongWith(event, 'events.schema.json'), JSON.stringify(event)).toBeNull();
  }
  for (const type of [
    'message',
    'message_rejected',
    'item_opened',
    'item_answered',
    'item_withdrawn',
    'session_exited',
  ]) {
    expect(types).toContain(type);
  }
});

describe('over TCP', () => {
  const token = () => readFileSync(daemon.paths.tokenFile, 'utf8').trim();

  test('nobody comes in without the token', async () => {
    const at = { url: await url() };
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: 'Basic eDp5' }]) {
      const { status, body } = await ask('GET', '/api/status', { ...at, headers });
      expect([status, body.code]).toEqual([401, 'ORCHD_UNAUTHORIZED']);
    }
    expect((await ask('GET', '/api/status', { ...at, token: token() })).status).toBe(200);
  });

  test('a page of another origin, or of a name that leads here, is refused even with it', async () => {
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
      expect([status, body.code], JSON.stringify(headers)).toEqual([403, 'ORCHD_FORBIDDEN']);
    }
    const own = { host: `localhost:${port}`, origin: `http://localhost:${port}` };
    expect((await ask('GET', '/api/status', { ...at, headers: own })).status).toBe(200);
  });

  test('a WebSocket needs the token too', async () => {
    const headers = {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    const { status, body } = await ask('GET', '/api/events', { url: await url(), headers });
    expect([status, body.code]).toEqual([401, 'ORCHD_UNAUTHORIZED']);
  });
});

test('socket, token and folders belong to the user alone', () => {
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  const { socket, hostSocket, tokenFile, database, dataDir, stateDir, journalsDir, logFile } = daemon.paths;
  for (const dir of [dirname(socket), dataDir, stateDir, journalsDir]) expect(mode(dir), dir).toBe('700');
  for (const file of [socket, hostSocket, tokenFile, database, logFile]) expect(mode(file), file).toBe('600');
});

describe('a program inside of a session', () => {
  /** Calls as the session itself does: with what stands in its environment. */
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

  test('may read, and act on itself and on what it started, and on nobody else', async () => {
    const { session, as } = await inside();
    const stranger = await daemon.sh('cat');
    for (const path of [
      '/api/status',
      '/api/sessions',
      `/api/sessions/${stranger.id}/screen`,
      '/api/inbox',
      '/api/events',
    ]) {
      expect((await as('GET', path)).status, path).toBe(200);
    }
    const started = await as('POST', '/api/sessions', { command: ['cat'], cwd: '/' });
    expect(started.body).toMatchObject({ parent_session_id: session.id });
    for (const [target, allowed] of [
      [session.id, true],
      [started.body.id, true],
      [stranger.id, false],
    ]) {
      for (const [verb, body] of Object.entries({
        send: { text: 'x' },
        keys: { keys: ['x'] },
        rename: { name: `n-${String(target).slice(-6)}` },
        resize: { size: { cols: 80, rows: 24 } },
      })) {
        const { status, body: answer } = await as('POST', `/api/sessions/${target}/${verb}`, body);
        expect(status, `${verb}: ${JSON.stringify(answer)}`).toBe(allowed ? 200 : 403);
        if (!allowed) expect(answer).toMatchObject({ code: 'ORCHD_FORBIDDEN', message: expect.any(String) });
      }
    }
    expect((await as('POST', `/api/sessions/${stranger.id}/kill`, {})).status).toBe(403);
    expect((await as('POST', `/api/sessions/${started.body.id}/kill`, { grace_ms: 100 })).status).toBe(200);
    await daemon.client.call('session.kill', { session: stranger.id, grace_ms: 100 });
    await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
  });

  test('may not answer, stop the daemon, or attach to another; its token dies with it', async () => {
    const { session, token, as } = await inside();
    const item = await daemon.openItem(session);
    for (const [path, body] of [
      [`/api/inbox/${item.id}/answer`, { option: 1 }],
      ['/api/stop', {}],
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

  test('is refused by the CLI in the same words', async () => {
    const stranger = await daemon.sh('cat');
    const orchd = `${process.execPath} ${join(ROOT, 'bin/orchd.js')}`;
    const session = await daemon.sh(`${orchd} send ${stranger.id} hello; echo "code $?"`, '--size', '200x24');
    await ended(session);
    const { text } = await daemon.client.call('session.capture', { session: session.id });
    expect(text).toContain('it may do this only to itself and to sessions it started');
    expect(text).toContain('code 1');
    await daemon.client.call('session.kill', { session: stranger.id, grace_ms: 100 });
  });
});

describe('a refusal', () => {
  test.each([
    [404, 'ORCHD_NOT_FOUND', 'GET', '/api/nothing', undefined],
    [404, 'ORCHD_NOT_FOUND', 'DELETE', '/api/sessions', undefined],
    [404, 'ORCHD_SESSION_UNKNOWN', 'GET', '/api/sessions/nobody', undefined],
    [404, 'ORCHD_ITEM_UNKNOWN', 'POST', '/api/inbox/itm_nothing/answer', { text: 'x' }],
    [422, 'ORCHD_INVALID', 'POST', '/api/sessions', { command: [] }],
    [422, 'ORCHD_INVALID', 'POST', '/api/sessions', { command: ['sh'], nonsense: 1 }],
    [422, 'ORCHD_INVALID', 'POST', '/api/sessions', [1]],
    [422, 'ORCHD_INVALID', 'POST', '/api/sessions', '{"command": ['],
    [422, 'ORCHD_INVALID', 'GET', '/api/events?since=-1', undefined],
    [422, 'ORCHD_INVALID', 'GET', '/api/events?since=999999999', undefined],
    [422, 'ORCHD_INVALID', 'GET', '/api/events?since=abc', undefined],
    [422, 'ORCHD_COMMAND_NOT_FOUND', 'POST', '/api/sessions', { command: ['no-such-program'] }],
    [422, 'ORCHD_SPAWN_FAILED', 'POST', '/api/sessions', { command: ['sh'], cwd: '/no/such/dir' }],
    [422, 'ORCHD_ADAPTER_UNKNOWN', 'POST', '/api/sessions', { command: ['sh'], adapter: 'nobody' }],
  ])('%i %s: %s %s', async (status, code, method, path, body) => {
    const reply = await ask(method, path, { ...(body !== undefined && { body }) });
    expect(reply.body, reply.text).toMatchObject({
      code,
      error: expect.any(String),
      message: ERRORS[code as keyof typeof ERRORS].hint,
    });
    expect(reply.status).toBe(status);
    expect(wrongWith(reply.body, 'common.schema.json#/$defs/Problem')).toBeNull();
  });

  test('of a body of more than 4 MiB comes before it is sent', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': String(5 * 1024 * 1024) };
    const { status, body } = await ask('POST', '/api/sessions', { headers });
    expect([status, body.code]).toEqual([413, 'ORCHD_TOO_LARGE']);
  });

  test('of a stream that asks for events that are not there yet comes as an error, not as silence', async () => {
    for (const accept of ['application/x-ndjson', 'text/event-stream']) {
      const { status, body } = await ask('GET', '/api/events?since=999999999&follow=true', { headers: { accept } });
      expect([status, body.code]).toEqual([422, 'ORCHD_INVALID']);
    }
  });

  test('of a name that two have lists both; of a name in use says so', async () => {
    const sessions = [await daemon.sh('cat', '--name', 'twin-a'), await daemon.sh('cat', '--name', 'twin-b')];
    const ambiguous = await ask('GET', '/api/sessions/twin');
    expect([ambiguous.status, ambiguous.body.code]).toEqual([409, 'ORCHD_AMBIGUOUS']);
    expect(ambiguous.body.details.candidates).toHaveLength(2);
    const taken = await ask('POST', '/api/sessions', { body: { command: ['cat'], name: 'twin-a' } });
    expect([taken.status, taken.body.code]).toEqual([409, 'ORCHD_NAME_TAKEN']);
    for (const { id } of sessions) await daemon.client.call('session.kill', { session: id, grace_ms: 100 });
    const late = await ask('POST', `/api/sessions/${sessions[0]?.id}/send`, { body: { text: 'x' } });
    expect([late.status, late.body.code]).toEqual([409, 'ORCHD_SESSION_ENDED']);
  });

  test('of a wait comes when the time is over, or when the state can no longer come', async () => {
    const session = await daemon.sh('cat');
    const late = await ask('GET', `/api/sessions/${session.id}/wait?until=done&timeout_ms=20`);
    expect([late.status, late.body.code]).toEqual([408, 'ORCHD_TIMEOUT']);
    const waiting = ask('GET', `/api/sessions/${session.id}/wait?until=done`);
    await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
    const never = await waiting;
    expect([never.status, never.body.code]).toEqual([409, 'ORCHD_SESSION_ENDED']);
  });
});

test('every error code in the source stands in the catalogue', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const used = new Set(
    files.flatMap((file) => readFileSync(join(ROOT, 'src', file), 'utf8').match(/'ORCHD_[A-Z_]+'/g) ?? []),
  );
  const environment = /^ORCHD_(HOME|SOCKET|SESSION_ID|SESSION_TOKEN|TASK_ID|KEY|[A-Z]+_[A-Z]+|DEMO_PAUSE_MS)$/;
  const unknown = [...used]
    .map((quoted) => quoted.slice(1, -1))
    .filter((code) => !(code in ERRORS) && !environment.test(code));
  expect(unknown).toEqual([]);
  expect(existsSync(PROTOCOL)).toBe(true);
});

test('events carry what the log gives them: seq from 1, without gaps', async () => {
  const { body } = await ask('GET', '/events?limit=5');
  expect((body as Event[]).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
});
