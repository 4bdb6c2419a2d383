/** Tests the API over plain HTTP: every route, its schemas, and its errors. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ERRORS,
  type Event,
  OPERATIONS,
  type OperationName,
  type Run,
  type Session,
  shapeName,
  type Task,
  type WorkflowRun,
} from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Ask, askHttp } from '../harness/http.js';
import { installScriptedAgent } from '../harness/scripted-agent.js';

const ROOT = join(import.meta.dirname, '../..');
const PROTOCOL = join(ROOT, 'protocol');
const QUESTION =
  `printf '%s\\n' '\`\`\`orchestrator-message' ` +
  `'{"type":"QUESTION","data":{"question":"Which?","options":["a","b"]}}' '\`\`\`'`;

const RUN_PLACE = { cwd: '/', env: { PATH: process.env['PATH'] ?? '' } };

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ flags: ['--port', '0'] });
});
afterAll(() => daemon.close());

const ask = (method: string, path: string, how?: Ask) => askHttp(daemon.paths.socket, method, path, how);
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
const messages = readdirSync(join(PROTOCOL, 'messages')).map((file) => `messages/${file}`);
for (const file of ['common.schema.json', 'events.schema.json', 'operations.schema.json', ...messages]) {
  ajv.addSchema({ ...read(file), $id: file });
}

function read(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(PROTOCOL, path), 'utf8'));
}

/** Returns the validation errors of a value, or null if the value matches the schema. */
function wrongWith(value: unknown, ref: string): unknown {
  const validate = ajv.getSchema(ref);
  if (!validate) throw new Error(`no schema ${ref}`);
  return validate(value) ? null : validate.errors;
}

/** Commits, merges and discards in a repository of its own. git-acts.test.ts tests these operations in detail. */
async function callGitActs(
  call: (name: OperationName, path: Record<string, string>, more?: Ask) => Promise<unknown>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orchd-api-git-'));
  const [repository, tree] = [join(folder, 'main'), join(folder, 'tree')];
  const git = (...args: string[]) => execFileSync('git', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    git('init', '--quiet', repository);
    for (const name of ['name', 'email']) git('-C', repository, 'config', `user.${name}`, 'a@example.org');
    git('-C', repository, 'commit', '--quiet', '--allow-empty', '-m', 'one');
    git('-C', repository, 'worktree', 'add', '--quiet', '-b', 'work', tree);
    writeFileSync(join(tree, 'new'), 'x');
    // The reply fits the schema of a session.
    const { id: session } = (await call('session.start', {}, { body: { command: ['cat'], cwd: tree } })) as Session;
    await call('session.kill', { session }, { body: { grace_ms: 0 } });
    await call('session.commit', { session }, { body: { message: 'two' } });
    await call('session.merge', { session }, { body: {} });
    await call('session.discard', { session }, { body: {} });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('every operation', () => {
  test('replies over the Unix socket with a value that matches its schema', async () => {
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
    await call('daemon.metrics', {});
    await call('daemon.configuration', {});
    const installed = await call('daemon.agents', {});
    expect(installed.agents.map(({ name }: { name: string }) => name)).toContain('claude');
    const body = {
      command: ['sh', '-c', `${QUESTION}; read x; cat`],
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '' },
    };
    const session: Session = await call('session.start', {}, { body: { ...body, name: 'every' } });
    const item = await daemon.openItem(session);
    await call('session.list', {});
    await call('session.show', { session: session.id });
    await call('session.last', {});
    await call('session.capture', { session: 'every' }, { query: '?ansi=true&scrollback=5' });
    await call('session.journal', { session: session.id }, { query: '?from=10' });
    await call('session.resize', { session: session.id }, { body: { size: { cols: 90, rows: 30 } } });
    await call('session.rename', { session: session.id }, { body: { name: 'other' } });
    await call('inbox.list', {}, { query: `?session=${session.id}` });
    await call('inbox.show', { item: item.id });
    await call('inbox.answer', { item: item.id }, { body: { option: 2 } });
    await call('session.send', { session: session.id }, { body: { text: 'hello' } });
    await call('session.tools', { session: session.id });
    await call('session.tool', { session: session.id }, { body: { tool: 'report_status', progress: 5 } });
    await call('session.hook', { session: session.id }, { body: { call_id: 'one', payload: {} } });
    await call('session.keys', { session: session.id }, { body: { keys: ['a', 'Enter'] } });
    await call('session.wait', { session: session.id }, { query: '?until=working&timeout_ms=20000' });
    const file = join(ROOT, 'fixtures/ears/cast-v2/input.cast');
    await call('session.import', {}, { body: { file, name: 'recorded' } });
    await call('session.kill', { session: session.id }, { body: { grace_ms: 100 } });
    await call('session.revive', { session: session.id }, { body: { env: body.env } });
    await call('session.restart', { session: session.id }, { body: { env: body.env, grace_ms: 100 } });
    await call('event.list', {}, { query: '?since=0' });
    await call('daemon.prune', {}, { body: { older_than_ms: 0, dry_run: true } });
    await call('blueprint.create', {}, { body: { name: 'writer', limits: { timeout: 5 } } });
    await call('blueprint.list', {});
    await call('blueprint.show', { name: 'writer' });
    await call('blueprint.update', { name: 'writer' }, { body: { model: 'x' } });
    await call('blueprint.validate', {}, { body: { name: 'writer' } });
    await call('blueprint.delete', { name: 'writer' });
    const run: Run = await call(
      'run.start',
      {},
      { body: { adapter: 'shell', args: ['cat'], prompt: 'x', ...RUN_PLACE } },
    );
    await call('run.wait', { run: run.id });
    await call('run.show', { run: run.id });
    await call('run.list', {}, { query: '?state=completed' });
    const again: Run = await call('run.retry', { run: run.id }, { body: {} });
    await call('run.wait', { run: again.id });
    const long = { adapter: 'shell', args: ['sleep', '1000'], prompt: 'x', ...RUN_PLACE };
    const cancelled: Run = await call('run.start', {}, { body: long });
    await call('run.cancel', { run: cancelled.id });
    await daemon.client.call('blueprint.create', { name: 'placed', adapter: 'shell', args: ['sleep', '1000'] });
    const placed = { for_workflow: 'wfl_1', prompt: 'x', blueprint: 'placed', directory: '/tmp' };
    await call('run.place', { id: 'run_placed1' }, { body: placed });
    await call('run.withdraw', { id: 'run_placed1' }, { body: {} });
    const agent = installScriptedAgent('claude');
    const planned = { type: 'plan', summary: 's', requirements: [], acceptanceCriteria: [], plan: ['do'] };
    agent.replies(
      { tools: [{ tool: 'planner-output', type: 'questions', questions: ['Which?'] }] },
      { tools: [{ tool: 'planner-output', ...planned }] },
      { hold: true },
    );
    const place = { cwd: agent.home, env: agent.env };
    const asked = { prompt: 'x', adapter: 'claude', ...place };
    const { id: task }: Task = await call('task.create', {}, { body: asked });
    await call('task.list', {}, { query: '?state=pending' });
    await call('task.plan', { task }, { body: {} });
    await call('task.wait', { task });
    await call('task.answer', { task }, { body: { text: 'this' } });
    await call('task.wait', { task });
    const { attempts }: Task = await call('task.start', { task }, { body: {} });
    const begun = await daemon.event('run_attempt_started', ({ run_id }) => run_id === attempts.at(-1)?.run_id);
    await daemon.event('session_started', ({ session_id }) => session_id === begun.session_id);
    await call('task.tool', { task }, { body: { tool: 'completion-report', summary: 'done' } });
    agent.release();
    await call('task.wait', { task });
    expect(await call('task.show', { task })).toMatchObject({ state: 'completed' });
    await call('task.history', { task });
    const { id: other }: Task = await call('task.create', {}, { body: asked });
    await call('task.cancel', { task: other }, { body: {} });
    const workflow = { agentfile: 'GOAL a "a"\nASK "Well?" -> b', adapter: 'claude', ...place };
    agent.replies({ text: 'x' });
    const { id: running }: WorkflowRun = await call('workflow.run', {}, { body: workflow });
    await call('workflow.files', {}, { query: `?project=${encodeURIComponent(place.cwd)}` });
    await call('project.find', {}, { query: `?directory=${encodeURIComponent(place.cwd)}` });
    await call('workflow.list', {}, { query: '?limit=5' });
    await call('workflow.cancel', { workflow: running }, { body: {} });
    const { seq } = await daemon.event(
      'workflow_state_changed',
      ({ workflow_id, state }) => workflow_id === running && state === 'cancelled',
    );
    await call('workflow.resume', { workflow: running }, { body: { jobs: 2 } });
    // The workflow may have asked before it was cancelled. Its item is then closed.
    const { item_id } = await daemon.event('item_opened', ({ workflow_id }) => workflow_id === running, seq);
    await ask('POST', `/api/inbox/${item_id}/answer`, { body: { text: 'y' } });
    await call('workflow.wait', { workflow: running }, { query: '?timeout_ms=20000' });
    expect(await call('workflow.show', { workflow: running })).toMatchObject({ state: 'completed' });
    const source = await call('workflow.source', { workflow: running });
    expect(source).toMatchObject({
      agentfile: workflow.agentfile,
      workflow: { goals: [{ name: 'a' }, { kind: 'ask' }] },
    });
    agent.close();
    expect(await call('web.listen', {}, { body: {} })).toMatchObject({ listen: '', url: null });
    const link = await call('web.link', {}, { body: { role: 'read' } });
    const code = new URL(link.url).hash.replace('#code=', '');
    const entered = await call('web.enter', {}, { body: { code } });
    await call('web.list', {});
    await call('web.revoke', { device: entered.device.id });
    await call('presence.tell', {}, { body: { client_id: 'a', present: true } });
    await call('notify.test', {}, { body: {} });
    await call('event.explain', { what: item.id });
    // The answer was already typed. tags-trash.test.ts takes an answer back in time.
    expect((await ask('POST', `/api/inbox/${item.id}/take-back`)).status).toBe(409);
    seen.add('inbox.take_back');
    await call('session.kill', { session: session.id }, { body: { grace_ms: 100 } });
    // Its folder is not in a repository. changes.test.ts has sessions in repositories.
    expect((await ask('GET', `/api/sessions/${session.id}/changes`)).status).toBe(422);
    seen.add('session.changes');
    await callGitActs(call);
    await call('session.tag', { session: session.id }, { body: { add: ['one'] } });
    await call('session.remove', { session: session.id }, { body: {} });
    await call('trash.list', {});
    await call('trash.restore', { removed: session.id }, { body: {} });
    await call('session.remove', { session: session.id }, { body: {} });
    await call('trash.delete', { removed: session.id });
    await call('hub.status', {});
    for (const name of ['hub.sessions', 'hub.items', 'hub.events', 'hub.commands'] as const) {
      expect((await ask('GET', OPERATIONS[name].path)).status).toBe(409);
      seen.add(name);
    }
    // hub.test.ts joins a hub, which needs a server.
    const joined = await ask('POST', '/api/hub/join', { body: { url: 'nats://127.0.0.1:1', name: 'one' } });
    expect([joined.status, joined.body.code]).toEqual([502, 'ORCHD_HUB_UNREACHABLE']);
    const left = await ask('POST', '/api/hub/leave', { body: {} });
    expect([left.status, left.body.code]).toEqual([409, 'ORCHD_HUB_NOT_JOINED']);
    const key = `U${'A'.repeat(55)}`;
    await call('hub.enroll', { name: 'two' }, { body: { key } });
    expect(await call('hub.keys', {})).toMatchObject({ keys: [{ name: 'two', key }] });
    await call('hub.unenroll', { name: 'two' });
    const forTwo = { machine: 'two', operation: 'inbox.answer', input: { item: 'itm_1', text: 'x' } };
    const called = await ask('POST', '/api/hub/call', { body: forTwo });
    expect([called.status, called.body.code]).toEqual([409, 'ORCHD_HUB_NOT_JOINED']);
    for (const name of ['hub.join', 'hub.leave', 'hub.call'] as const) seen.add(name);
    const missing = Object.keys(OPERATIONS).filter((name) => !seen.has(name as OperationName)); // the table's own keys
    expect(missing).toEqual(['daemon.stop']); // `close` calls it at the end of the suite.
  });

  test('gives the same reply under its alias', async () => {
    for (const entry of Object.values(OPERATIONS)) {
      if (!('alias' in entry) || entry.method !== 'GET') continue;
      const [session] = await daemon.client.call('session.list', {});
      const at = (path: string) => `${path.replace('{session}', session?.id ?? '')}?`;
      expect((await ask('GET', at(entry.alias))).text).toBe((await ask('GET', at(entry.path))).text);
    }
  });

  test('is in the OpenAPI 3.1 document, and every $ref in the document resolves', async () => {
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

test('every event of a session matches its schema', async () => {
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

describe('API errors', () => {
  test.each([
    [404, 'ORCHD_NOT_FOUND', 'GET', '/api/nothing', undefined],
    [404, 'ORCHD_NOT_FOUND', 'DELETE', '/api/sessions', undefined],
    [404, 'ORCHD_SESSION_UNKNOWN', 'GET', '/api/sessions/nobody', undefined],
    [404, 'ORCHD_ITEM_UNKNOWN', 'POST', '/api/inbox/itm_nothing/answer', { text: 'x' }],
    [422, 'ORCHD_INVALID', 'POST', '/api/sessions', { command: [] }],
    [422, 'ORCHD_INVALID', 'POST', '/api/sessions', { command: ['sh'], nonsense: 1 }],
    [422, 'ORCHD_INVALID', 'POST', '/api/sessions', [1]],
    [422, 'ORCHD_INVALID', 'POST', '/api/sessions', '{"command": ['],
    [422, 'ORCHD_INVALID', 'POST', '/runs', `{"prompt": "x", "input": ${'['.repeat(40_000)}${']'.repeat(40_000)}}`],
    [413, 'ORCHD_TOO_LARGE', 'POST', '/runs', `{"prompt": "x", "input": [${'0,'.repeat(50_000)}0]}`],
    [413, 'ORCHD_TOO_LARGE', 'POST', '/api/workflows', { agentfile: `GOAL a "${'$x '.repeat(90_000)}"` }],
    [422, 'ORCHD_INVALID', 'GET', '/api/events?since=-1', undefined],
    [422, 'ORCHD_INVALID', 'GET', '/api/events?since=999999999', undefined],
    [422, 'ORCHD_INVALID', 'GET', '/api/events?since=abc', undefined],
    [422, 'ORCHD_COMMAND_NOT_FOUND', 'POST', '/api/sessions', { command: ['no-such-program'] }],
    [422, 'ORCHD_SPAWN_FAILED', 'POST', '/api/sessions', { command: ['sh'], cwd: '/no/such/dir' }],
    [422, 'ORCHD_SPAWN_FAILED', 'POST', '/api/sessions', { command: ['sh'], cwd: '/dev/null/below' }],
    [422, 'ORCHD_INVALID', 'POST', '/api/sessions', { command: ['sh'], size: { cols: 1000, rows: 1000 } }],
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

  test('a body of more than 4 MiB gets 413 before the client sends it', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': String(5 * 1024 * 1024) };
    const { status, body } = await ask('POST', '/api/sessions', { headers });
    expect([status, body.code]).toEqual([413, 'ORCHD_TOO_LARGE']);
  });

  test('a stream from an event that does not exist yet gets 422', async () => {
    for (const accept of ['application/x-ndjson', 'text/event-stream']) {
      const { status, body } = await ask('GET', '/api/events?since=999999999&follow=true', { headers: { accept } });
      expect([status, body.code]).toEqual([422, 'ORCHD_INVALID']);
    }
  });

  test('an ambiguous name gets 409 with its candidates, and a used name and an ended session get 409', async () => {
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

  test('a wait gets 408 after its timeout, and 409 when the session can no longer reach the state', async () => {
    const session = await daemon.sh('cat');
    const late = await ask('GET', `/api/sessions/${session.id}/wait?until=done&timeout_ms=20`);
    expect([late.status, late.body.code]).toEqual([408, 'ORCHD_TIMEOUT']);
    const waiting = ask('GET', `/api/sessions/${session.id}/wait?until=done`);
    await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
    const never = await waiting;
    expect([never.status, never.body.code]).toEqual([409, 'ORCHD_SESSION_ENDED']);
  });
});

test('every error code in the source is in the catalogue', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const used = new Set(
    files.flatMap((file) => readFileSync(join(ROOT, 'src', file), 'utf8').match(/'ORCHD_[A-Z_]+'/g) ?? []),
  );
  const environment =
    /^ORCHD_(HOME|SOCKET|SESSION_ID|SESSION_TOKEN|TASK_ID|KEY|FEED|COMMIT|[A-Z]+_[A-Z]+|DEMO_PAUSE_MS)$/;
  const unknown = [...used]
    .map((quoted) => quoted.slice(1, -1))
    .filter((code) => !(code in ERRORS) && !environment.test(code));
  expect(unknown).toEqual([]);
});

test('events have a seq from 1 without gaps', async () => {
  const { body } = await ask('GET', '/events?limit=5');
  expect((body as Event[]).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
});

test('/events returns a JSON array by default, and /api/events returns NDJSON', async () => {
  const typeOf = async (path: string, accept: string) =>
    String((await ask('GET', path, { headers: { accept } })).headers['content-type']).split(';')[0];
  expect(await typeOf('/events?limit=2', '*/*')).toBe('application/json');
  expect(await typeOf('/events?limit=2', 'application/x-ndjson')).toBe('application/x-ndjson');
  expect(await typeOf('/events?limit=2', 'text/event-stream')).toBe('text/event-stream');
  expect(await typeOf('/events?since=0&limit=1&follow=true', '*/*')).toBe('application/x-ndjson');
  expect(await typeOf('/api/events?since=0&limit=2', '*/*')).toBe('application/x-ndjson');
  expect(await typeOf('/api/events?since=0&limit=2', 'application/json')).toBe('application/json');
});

test('HEAD answers as GET does, without a body, also for a stream that would follow', async () => {
  for (const path of ['/events', '/api/events', '/api/events?follow=true', '/agents', '/metrics', '/ui/']) {
    const { status, body, headers } = await ask('HEAD', path, { headers: { accept: '*/*' } });
    expect([path, status, body]).toEqual([path, 200, undefined]);
    const form = path.startsWith('/api/events') ? 'application/x-ndjson' : '';
    expect(String(headers['content-type'])).toContain(form);
  }
  expect((await ask('HEAD', '/events?since=abc')).status).toBe(422);
  expect((await ask('HEAD', '/runs/run_none')).status).toBe(404);
});
