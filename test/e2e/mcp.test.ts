/** Tests MCP: `orchd mcp` as a real child process on stdin and stdout, and /mcp over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import { TOOLS } from '../../src/tools/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { askHttp } from '../harness/http.js';

const BIN = join(import.meta.dirname, '../../bin/orchd.js');
/** Only the agents of tasks are offered these. */
const TASK_TOOLS = ['planner-output', 'completion-report'];
const NAMES = TOOLS.map(({ name }) => name).filter((name) => !TASK_TOOLS.includes(name));

let daemon: TestDaemon;
const children: ChildProcess[] = [];
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await daemon.close();
});

// biome-ignore lint/suspicious/noExplicitAny: a reply is any JSON, which the tests check
type Reply = any;
interface McpClient {
  readonly child: ChildProcess;
  /** All messages from the server, in order. */
  readonly received: readonly Reply[];
  /** Returns the next reply to this id. */
  reply(id: number | string | null): Promise<Reply>;
  send(message: object | string): void;
  call(id: number | string, method: string, params?: object): Promise<Reply>;
}

/** Starts the MCP server as the agent of a session does. */
async function connect(): Promise<McpClient & { session: Session; token: string }> {
  const file = join(daemon.paths.stateDir, `token-${Math.random()}`);
  const session = await daemon.sh(
    `printenv ORCHD_SESSION_TOKEN > ${file}; echo ':ORCHESTRATOR: TASK COMPLETE'; read x`,
  );
  await daemon.event('message', ({ session_id }) => session_id === session.id);
  const token = readFileSync(file, 'utf8').trim();
  return { session, token, ...start({ ORCHD_SESSION_ID: session.id, ORCHD_SESSION_TOKEN: token }) };
}

function start(env: Record<string, string>, ...flags: string[]): McpClient {
  const child = spawn(process.execPath, [BIN, 'mcp', ...flags], {
    env: { ...daemon.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  children.push(child);
  const received: Reply[] = [];
  const replies = new Map<unknown, Reply>();
  const waiting = new Map<unknown, (reply: Reply) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line); // stdout contains only messages.
    received.push(message);
    const take = waiting.get(message.id);
    waiting.delete(message.id);
    if (take) take(message);
    else replies.set(message.id, message);
  });
  const reply = (id: unknown): Promise<Reply> => {
    const known = replies.get(id);
    replies.delete(id);
    return known ? Promise.resolve(known) : new Promise((resolve) => waiting.set(id, resolve));
  };
  const send = (message: object | string): void => {
    child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  };
  return {
    child,
    received,
    reply,
    send,
    call(id, method, params) {
      send({ jsonrpc: '2.0', id, method, ...(params && { params }) });
      return reply(id);
    },
  };
}

const toolCall = (name: string, input: object) => ({ name, arguments: input });
const textOf = ({ result }: Reply): string => result.content[0].text;

test("an agent lists the tools, asks, and gets the user's answer", async () => {
  const { call, send, session, child } = await connect();
  const hello = await call(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {} });
  expect(hello.result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'orchd' } });
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const { result } = await call(2, 'tools/list');
  expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(NAMES);
  for (const { inputSchema } of result.tools) {
    expect(Object.keys(inputSchema), 'models take no choice at the top').not.toContain('anyOf');
  }
  const asking = call('a', 'tools/call', toolCall('ask', { question: 'Which?', options: ['JWT', 'OAuth2'] }));
  const item = await daemon.openItem(session);
  expect(await call(3, 'ping'), 'others are replied to meanwhile').toMatchObject({ result: {} });
  await daemon.orchd('answer', item.id, '--option', '2');
  expect(textOf(await asking)).toBe('OAuth2');
  await daemon.event('answer_acknowledged', ({ item_id }) => item_id === item.id);
  child.stdin?.end();
  expect(await once(child, 'exit'), 'it ends with its client').toEqual([0, null]);
});

test('a slow reader gets every reply without sending more', async () => {
  const count = 100;
  const asked = Array.from({ length: count }, (_, id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }));
  const { id } = await daemon.sh('read x');
  // While the other commands start, nothing reads the pipe, so it is full.
  const late = '"$0" "$1" mcp --session "$2" | { "$0" "$1" ls -q; "$0" "$1" ls -q; cat; }';
  const child = spawn('sh', ['-c', late, process.execPath, BIN, id], { env: daemon.env });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  child.stdin.end(`${asked.join('\n')}\n`);
  await once(child, 'close');
  expect(said.split('\n').filter((line) => line.startsWith('{'))).toHaveLength(count);
});

test('the server uses the version of an older client, and its own for a newer one', async () => {
  const { call } = await connect();
  const version = async (id: number, protocolVersion: string) =>
    (await call(id, 'initialize', { protocolVersion })).result.protocolVersion;
  expect(await version(1, '2024-11-05')).toBe('2024-11-05');
  expect(await version(2, '2099-01-01')).toBe('2025-11-25');
});

test('errors have the codes of JSON-RPC and MCP', async () => {
  const { call, send, reply, received } = await connect();
  send('garbage');
  expect(await reply(null)).toMatchObject({ error: { code: -32700 } });
  expect(await call(1, 'resources/list')).toMatchObject({ error: { code: -32601 } });
  expect(await call(2, 'tools/call', toolCall('sing', {}))).toMatchObject({
    error: { code: -32602, message: expect.stringContaining("there is no tool 'sing'; there are ask, ") },
  });
  const wrong = await call(3, 'tools/call', toolCall('ask', { options: 'x' }));
  expect(wrong.result.isError).toBe(true);
  expect(JSON.parse(textOf(wrong))).toMatchObject({
    code: 'ORCHD_SCHEMA',
    errors: [{ path: '$.question' }, { path: '$.options' }],
  });
  const batch = [{ jsonrpc: '2.0', id: 4, method: 'ping' }, { id: 5 }];
  send(JSON.stringify(batch));
  send({ jsonrpc: '2.0', method: 'notifications/unknown' });
  await call(6, 'ping');
  const last = received.find((message) => Array.isArray(message));
  expect(last).toMatchObject([
    { id: 4, result: {} },
    { id: null, error: { code: -32600 } },
  ]);
});

test('a tool that the agent is not offered is refused with the reason that the CLI gives', async () => {
  const { session, token, call } = await connect();
  const input = { summary: 'x' };
  const http = await askHttp(daemon.paths.socket, 'POST', `/api/sessions/${session.id}/tools`, {
    token,
    body: { tool: 'completion-report', ...input },
  });
  expect([http.status, http.body.code]).toEqual([403, 'ORCHD_TOOL_NOT_OFFERED']);
  const overHttp = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: toolCall('completion-report', input) };
  const replies = [
    await call(1, 'tools/call', toolCall('completion-report', input)),
    (await askHttp(daemon.paths.socket, 'POST', '/mcp', { token, body: overHttp })).body,
  ];
  for (const { result } of replies) {
    expect(result.isError).toBe(true);
    expect(JSON.parse(result.content[0].text)).toMatchObject({ code: http.body.code, error: http.body.error });
  }
  const own = start({ ORCHD_SESSION_ID: session.id, ORCHD_SESSION_TOKEN: token }, '--tools', 'ask');
  const refused = await own.call(1, 'tools/call', toolCall('report_status', { currentStep: 'x' }));
  expect(textOf(refused)).toContain('this agent may not call report_status; it has ask (--tools)');
  const outside = start({});
  expect(textOf(await outside.call(1, 'tools/call', toolCall('ask', { question: 'x' })))).toContain('no tools');
});

test('long and non-Unicode ids stay distinct, and an id in use is refused', async () => {
  const { call, send, reply, received } = await connect();
  const status = toolCall('report_status', { currentStep: 'one' });
  const long = 'x'.repeat(100_000);
  for (const id of [`${long}1`, `${long}2`, '\ud800', '\ud801', '', -1]) {
    const told = await call(id, 'tools/call', status);
    expect(told.result.isError, textOf(told)).toBeUndefined();
  }
  const ask = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: toolCall('ask', { question: 'Twice?' }) };
  send(ask);
  send(ask);
  expect(await reply(null)).toMatchObject({ error: { code: -32600 } });
  send(JSON.stringify([7, 7].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }))));
  await call(8, 'ping');
  const batch = received.find((message) => Array.isArray(message));
  expect(batch).toMatchObject([
    { id: 7, result: {} },
    { id: null, error: { code: -32600 } },
  ]);
});

test('partial lines, invalid UTF-8 and floods of notifications do not stop the server', async () => {
  const { child, call, send } = await connect();
  child.stdin?.write(Buffer.from([0x7b, 0xff, 0xfe, 0x0a, 0xc3]));
  child.stdin?.write('\n{"jsonrpc":"2.0","id":1,');
  child.stdin?.write('"method":"ping"}\n');
  const notification = (method: string, params: object) => ({ jsonrpc: '2.0', method, params });
  const flood = Array.from({ length: 5_000 }, (_, requestId) => [
    notification('notifications/cancelled', { requestId }),
    notification('notifications/progress', { progressToken: 'x'.repeat(100), progress: requestId }),
    notification(`notifications/${requestId}`, {}),
  ]);
  send(
    flood
      .flat()
      .map((one) => JSON.stringify(one))
      .join('\n'),
  );
  send(JSON.stringify(flood.flat()));
  expect(await call(2, 'ping')).toMatchObject({ result: {} });
  expect(await call(3, 'tools/call', toolCall('report_status', { currentStep: 'on' }))).toMatchObject({
    result: { content: [{}] },
  });
});

test('a cancelled call gets no reply, and its question stays open', async () => {
  const { call, send, session, child, received } = await connect();
  send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: toolCall('ask', { question: 'Never mind?' }) });
  const item = await daemon.openItem(session);
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  await call(2, 'ping');
  child.stdin?.end();
  await once(child, 'exit');
  expect(received.map(({ id }) => id)).toEqual([2]);
  expect((await daemon.client.call('inbox.show', { item: item.id })).state).toBe('open');
});

test('ask waits across a daemon crash: one question, one answer', async () => {
  const { call, session } = await connect();
  const asking = call(1, 'tools/call', toolCall('ask', { question: 'Through a crash?' }));
  const item = await daemon.openItem(session);
  await daemon.crash();
  await daemon.start();
  await daemon.orchd('answer', item.id, 'yes');
  expect(textOf(await asking)).toBe('yes');
  expect(await daemon.client.call('inbox.list', { session: session.id, all: true })).toHaveLength(1);
});

test('fifty concurrent calls each get their own answer', async () => {
  const { call, session } = await connect();
  const numbers = Array.from({ length: 50 }, (_, i) => i);
  const calls = numbers.map((i) => call(i, 'tools/call', toolCall('ask', { question: `${i}?` })));
  for (const i of numbers) {
    const { item_id } = await daemon.event(
      'item_opened',
      ({ session_id, data }) => session_id === session.id && data['question'] === `${i}?`,
    );
    await daemon.client.call('inbox.answer', { item: item_id, text: `answer ${i}` });
  }
  expect((await Promise.all(calls)).map(textOf)).toEqual(numbers.map((i) => `answer ${i}`));
});

test.each<Record<string, string>>([{}, { ORCHD_SESSION_ID: '', ORCHD_SESSION_TOKEN: '' }])(
  'outside a session the tool list is empty: %o',
  async (env) => {
    const { call } = start(env);
    expect((await call(1, 'tools/list')).result).toEqual({ tools: [] });
  },
);

test('unknown tools and an unknown session are reported at the start', async () => {
  const misspelt = await daemon.orchd('mcp', '--tools', 'report_status,nope');
  expect(misspelt).toMatchObject({ code: 2, stdout: '' });
  expect(misspelt.stderr).toMatch(/^orchd: --tools: there is no tool 'nope'; there are ask, .*completion-report\n/);
  const child = daemon.follow('mcp', '--session', 'nobody'); // Its stdin stays open.
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  expect(await once(child, 'close')).toEqual([3, null]);
  expect(said).toContain("orchd: no session 'nobody'");
  expect((await daemon.orchd('mcp', '--tools', '')).code, 'none is a choice').toBe(0);
});

test('/mcp over HTTP works for the session of the token', async () => {
  const { session, token } = await connect();
  const path = daemon.paths.socket;
  const post = (body: object, headers: Record<string, string> = {}) =>
    askHttp(path, 'POST', '/mcp', { body, token, headers });
  const hello = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } });
  expect(hello.body.result.protocolVersion).toBe('2025-06-18');
  const client = { 'mcp-session-id': String(hello.headers['mcp-session-id']), 'mcp-protocol-version': '2025-06-18' };
  expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, client)).status).toBe(202);
  const { body } = await post({ jsonrpc: '2.0', id: 2, method: 'tools/list' }, client);
  expect(body.result.tools).toHaveLength(NAMES.length);
  const asking = post(
    { jsonrpc: '2.0', id: 3, method: 'tools/call', params: toolCall('ask', { question: 'HTTP?' }) },
    { ...client, accept: 'application/json, text/event-stream' },
  );
  const item = await daemon.openItem(session);
  await daemon.client.call('inbox.answer', { item: item.id, text: 'yes' });
  const streamed = await asking;
  expect(streamed.headers['content-type']).toBe('text/event-stream');
  expect(textOf(JSON.parse(/^data: (.*)$/m.exec(streamed.text)?.[1] ?? ''))).toBe('yes');
  await daemon.event('answer_acknowledged', ({ item_id }) => item_id === item.id);
  expect((await askHttp(path, 'GET', '/mcp', { token })).status).toBe(405);
  expect((await askHttp(path, 'POST', '/mcp', { body: {} })).body.code, 'a person is no session').toBe(
    'ORCHD_UNAUTHORIZED',
  );
  expect((await post({ jsonrpc: '2.0', id: 4, method: 'ping' }, { 'mcp-protocol-version': '1999' })).status).toBe(400);
});

test('a cancelled call over HTTP gets no reply, and its question stays open', async () => {
  const { session, token } = await connect();
  const headers = { 'mcp-session-id': 'one', accept: 'application/json, text/event-stream' };
  const post = (body: object, client = headers) =>
    askHttp(daemon.paths.socket, 'POST', '/mcp', { body, token, headers: client });
  const question = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: toolCall('ask', { question: 'Never mind?' }),
  };
  const asking = post(question);
  const item = await daemon.openItem(session);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  const other = { ...headers, 'mcp-session-id': 'another' };
  expect((await post(cancel, other)).status, 'another client cancels only its own').toBe(202);
  expect((await post({ jsonrpc: '2.0', id: 2, method: 'ping' })).body.result).toEqual({});
  expect((await post(cancel)).status).toBe(202);
  expect((await asking).text, 'no reply').toBe('');
  expect((await daemon.client.call('inbox.show', { item: item.id })).state).toBe('open');
});

test('a batch over HTTP gets a reply to each of its messages, but not to a cancelled call', async () => {
  const { session, token } = await connect();
  const post = (body: unknown, accept = 'application/json') =>
    askHttp(daemon.paths.socket, 'POST', '/mcp', { body, token, headers: { 'mcp-session-id': 'batches', accept } });
  const ask = (id: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { ...toolCall('ask', { question: `${id}?` }), _meta: { progressToken: id } },
  });
  const done = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const { body } = await post([{ jsonrpc: '2.0', id: 1, method: 'ping' }, done, 'no message', { id: 3 }]);
  expect(body).toMatchObject([{ id: 1, result: {} }, { error: { code: -32600 } }, { error: { code: -32600 } }]);
  expect((await post([done])).status).toBe(202);

  const asking = post([ask('kept'), ask('dropped')], 'text/event-stream');
  const item = await daemon.openItem(session);
  await daemon.event('message', ({ message }) => JSON.stringify(message).includes('dropped?'));
  await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'dropped' } });
  await daemon.client.call('inbox.answer', { item: item.id, text: 'yes' });
  const { text, headers } = await asking;
  expect(headers['content-type']).toBe('text/event-stream');
  expect(text.match(/"id":"\w+"/g)).toEqual(['"id":"kept"']);
});
