/**
 * Tests tasks over HTTP and from the command line: planning, answers, execution, and the tool calls that count once.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Task } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Ask, askHttp } from '../harness/http.js';
import { installScriptedAgent, type ScriptedAgent } from '../harness/scripted-agent.js';

const PLAN = {
  tool: 'planner-output',
  type: 'plan',
  summary: 'Two steps',
  requirements: ['It counts'],
  acceptanceCriteria: ['npm test'],
  plan: ['Write it', 'Try it'],
};
const QUESTIONS = {
  tool: 'planner-output',
  type: 'questions',
  questions: ['Up to which number?', 'In which language?'],
};
const REPORT = { tool: 'completion-report', summary: 'It counts', filesChanged: ['count.ts'], commitHash: 'abc' };
const REMINDER = (tool: string): string => `You must call the ${tool} tool before finishing. Please call it now.`;

let daemon: TestDaemon;
let agent: ScriptedAgent;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());
beforeEach(() => {
  agent = installScriptedAgent('claude');
});
afterEach(async () => {
  agent.release();
  for (const { id, state } of (await ask('GET', '/tasks')).body) {
    if (['planning', 'running', 'awaiting_input'].includes(state)) await ask('POST', `/tasks/${id}/cancel`);
  }
  agent.close();
});

const ask = (method: string, path: string, how?: Ask) => askHttp(daemon.paths.socket, method, path, how);
const create = async (fields: object = {}): Promise<Task> => {
  const body = { prompt: 'Count', adapter: 'claude', cwd: agent.home, env: agent.env, ...fields };
  return (await ask('POST', '/api/tasks', { body })).body;
};
const rested = async ({ id }: Pick<Task, 'id'>): Promise<Task> => (await ask('GET', `/api/tasks/${id}/wait`)).body;
const shown = async ({ id }: Pick<Task, 'id'>): Promise<Task> => (await ask('GET', `/api/tasks/${id}`)).body;
const doTo = async ({ id }: Pick<Task, 'id'>, what: string, body: object = {}) =>
  ask('POST', `/api/tasks/${id}/${what}`, { body });
/** Resolves when the task's agent runs. */
const atWork = (task: Task) =>
  daemon
    .event('run_attempt_started', ({ run_id }) => run_id === task.attempts.at(-1)?.run_id)
    .then(({ session_id }) => daemon.event('session_started', (event) => event.session_id === session_id));
const historyOf = async ({ id }: Pick<Task, 'id'>): Promise<string[]> =>
  (await ask('GET', `/api/tasks/${id}/history`)).body.map(({ event }: { event: string }) => event);

describe('a task', () => {
  test("is planned and executed through its agents' tool calls, and has a history", async () => {
    agent.replies({ tools: [PLAN], text: 'planned' }, { tools: [REPORT], text: 'done' });
    const made = await ask('POST', '/api/tasks', { body: { prompt: 'Count', adapter: 'claude', env: agent.env } });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ state: 'pending', current_agent: null, plan: null, attempts: [] });
    const planning = (await doTo(made.body, 'plan')).body;
    expect(planning).toMatchObject({ state: 'planning', current_agent: 'task-validator' });
    const planned = await rested(planning);
    const { tool: _tool, type: _type, ...plan } = PLAN;
    expect(planned).toMatchObject({ state: 'planned', plan, current_agent: null, error: null });
    expect((await doTo(planned, 'start')).body).toMatchObject({ state: 'running' });
    const done = await rested(planned);
    expect(done).toMatchObject({ state: 'completed', report: { summary: 'It counts', commitHash: 'abc' } });
    expect(await historyOf(done)).toEqual([
      'created',
      'planning_started',
      'planner_output_submitted',
      'planned',
      'started',
      'completion_report_submitted',
      'completed',
    ]);
    const [planner, executor] = agent.calls();
    expect(planner?.env).toMatchObject({ ORCHD_TASK_ID: done.id, ORCHD_RUN_ID: done.attempts[0]?.run_id });
    expect(executor?.stdin).toContain('1. Write it\n2. Try it');
    expect(planner?.returned).toEqual([{ status: 200, body: { ok: true } }]);
    await expect.poll(() => readdirSync(daemon.paths.runsDir)).toEqual([]);
    await daemon.event('planner_output_submitted', ({ task_id }) => task_id === done.id);
    await daemon.event('completion_report_submitted', ({ task_id }) => task_id === done.id);
  });
});

test('an agent that ends without its tool call is reminded in the same conversation', async () => {
  agent.replies({ text: 'Here is the plan: ...' }, { exit: 3, stderr: 'oops' }, { tools: [PLAN], text: 'ok', exit: 1 });
  const task = await create({ plan: true });
  expect(await rested(task)).toMatchObject({ state: 'planned' });
  const calls = agent.calls();
  expect(calls.map(({ stdin }) => stdin).slice(1)).toEqual([REMINDER('planner-output'), REMINDER('planner-output')]);
  expect(calls[1]?.args).toContain('--resume');
  expect(await historyOf(task)).toEqual([
    'created',
    'planning_started',
    'reminded',
    'reminded',
    'planner_output_submitted',
    'planned',
  ]);
});

test('a task fails after two reminders without a tool call, and printed text does not count', async () => {
  agent.replies({ text: '```json\n{"type":"plan"}\n```' });
  const failed = await rested(await create({ plan: true }));
  expect(failed).toMatchObject({
    state: 'failed',
    plan: null,
    error: {
      error: 'MissingToolCallError',
      message: 'the agent never called planner-output, not after 2 reminders either',
    },
  });
  expect(agent.calls()).toHaveLength(3);
});

test('a planner asks through the inbox and plans again once everything is answered', async () => {
  agent.replies(
    { tools: [QUESTIONS], text: 'I ask' },
    { tools: [PLAN], text: 'planned' },
    { tools: [REPORT], text: 'done' },
  );
  const task = await rested(await create({ start: true }));
  expect(task).toMatchObject({ state: 'awaiting_input', questions: [{ answer: null }, { answer: null }] });
  const [first, second] = task.questions;
  // Once the wait has returned, the questions can be answered.
  const open = (await ask('GET', '/api/inbox')).body.map(({ id }: { id: string }) => id);
  expect(open).toEqual(expect.arrayContaining([first?.item_id, second?.item_id]));
  const item = await daemon.event('item_opened', ({ item_id }) => item_id === second?.item_id);
  expect(item).toMatchObject({ task_id: task.id, data: { question: 'In which language?' } });
  const explained = (await ask('GET', `/api/explain/${second?.item_id}`)).body;
  expect(explained).toMatchObject({
    heard_again: null,
    missing: [],
    rule: [expect.stringContaining('called planner-output')],
  });
  expect((await ask('POST', `/api/inbox/${second?.item_id}/answer`, { body: { text: 'C\nor Ada' } })).status).toBe(200);
  expect((await shown(task)).state).toBe('awaiting_input');
  expect((await doTo(task, 'answer', { text: '10' })).body).toMatchObject({ state: 'planning' });
  expect((await ask('POST', `/api/inbox/${first?.item_id}/answer`, { body: { text: '11' } })).status).toBe(409);
  const completed = await daemon.event(
    'task_state_changed',
    ({ state, task_id }) => state === 'completed' && task_id === task.id,
  );
  expect(completed.previous).toBe('running');
  expect(agent.calls()[1]?.stdin).toContain('- Up to which number?\n  10\n- In which language?\n  C\nor Ada');
});

test('questions of an interactive planner survive the end of its session', async () => {
  const script = 'while read -r line; do [ "$line" = over ] && echo ":ORCHESTRATOR: TASK COMPLETE"; done';
  const planner = { name: 'task-validator', adapter: 'shell', interactive: true, args: ['sh', '-c', script] };
  await ask('POST', '/agents', { body: planner });
  const task = await create({ plan: true });
  const { session_id } = await atWork(task);
  expect((await ask('POST', `/api/tasks/${task.id}/tools`, { body: QUESTIONS })).status).toBe(200);
  await daemon.client.call('session.send', { session: session_id, text: 'over' });
  await daemon.event('session_exited', (event) => event.session_id === session_id);
  const deleted = await daemon.orchd('agent', 'delete', 'task-validator');
  expect(deleted.stdout).toBe('deleted task-validator (yours); now the built-in one counts\n');
  agent.replies({ tools: [PLAN], text: 'planned' });
  await doTo(task, 'answer', { text: '10' });
  expect((await doTo(task, 'answer', { text: 'C' })).status).toBe(200);
  await daemon.event('task_state_changed', ({ state, task_id }) => state === 'planned' && task_id === task.id);
});

test("a session with a task's open questions can be removed only after an answer or a cancel", async () => {
  agent.replies({ tools: [QUESTIONS] });
  const task = await rested(await create({ plan: true }));
  const { session_id } = await daemon.event('item_opened', ({ item_id }) => item_id === task.questions[0]?.item_id);
  const removed = await daemon.orchd('rm', session_id);
  expect([removed.code, removed.stderr]).toEqual([4, expect.stringContaining('answer it (`orchd answer itm_')]);
  await doTo(task, 'cancel');
  await daemon.event('item_withdrawn', ({ item_id }) => item_id === task.questions[1]?.item_id);
  expect((await daemon.orchd('rm', session_id)).code).toBe(0);
});

describe('the tool call that ends an attempt', () => {
  test('counts once for a hundred simultaneous callers and for later ones', async () => {
    agent.replies({ hold: true, text: 'late' });
    const task = await create({ plan: true });
    await atWork(task);
    const submit = (call_id?: string) =>
      ask('POST', `/api/tasks/${task.id}/tools`, { body: { ...PLAN, ...(call_id && { call_id }) } });
    const replies = await Promise.all(Array.from({ length: 100 }, (_, at) => submit(`c${at}`)));
    expect(replies.filter(({ status }) => status === 200).map(({ body }) => body)).toEqual([{ ok: true }]);
    const refused = replies.filter(({ status }) => status === 409).map(({ body }) => body);
    expect(refused).toHaveLength(99);
    expect(new Set(refused.map(({ error, code }) => `${code} ${error}`))).toEqual(
      new Set(['ORCHD_SUBMITTED Planner output already submitted']),
    );
    const first = replies.findIndex(({ status }) => status === 200);
    // The client lost the reply to the first call and repeats it.
    expect((await submit(`c${first}`)).body).toEqual({ ok: true });
    expect((await submit()).status).toBe(409);
    agent.release();
    expect((await rested(task)).state).toBe('planned');
    const told = await submit();
    expect([told.status, told.body.code, told.body.error]).toEqual([
      409,
      'ORCHD_NO_AGENT',
      'No agent currently active on this task',
    ]);
    const submissions = await ask('GET', '/events?type=planner_output_submitted', {
      headers: { accept: 'application/json' },
    });
    expect(submissions.body.filter(({ task_id }: { task_id: string }) => task_id === task.id)).toHaveLength(1);
  });

  test('is accepted only from the agent of the current attempt', async () => {
    agent.replies({ tools: [REPORT, { tool: 'task_complete', summary: 'x' }, PLAN], text: 'x' });
    const task = await rested(await create({ plan: true }));
    expect(task.state).toBe('planned');
    const [call] = agent.calls();
    expect(call?.returned.map(({ status, body }) => [status, body['code'], body['reminder']])).toEqual([
      [403, 'ORCHD_TOOL_NOT_OFFERED', undefined],
      [200, undefined, 'You must call the planner-output tool before finishing. Please call it now.'],
      [200, undefined, undefined],
    ]);
    const other = await daemon.sh('cat', '--name', 'other');
    const refused = await daemon.orchd(
      'tool',
      'planner-output',
      '--session',
      other.id,
      '--input',
      'type=error',
      '--input',
      'error=no',
    );
    expect(refused.stderr).toContain('may not call planner-output');
  });

  test('is listed by an MCP server that the user started without --tools', async () => {
    agent.replies({ tools: [PLAN] }, { hold: true });
    const planned = await rested(await create({ plan: true }));
    const { session_id: session } = await atWork((await doTo(planned, 'start')).body);
    const server = daemon.follow('mcp', '--session', session);
    const request = async (id: number, method: string, params: object = {}) => {
      const reply = new Promise<string>((resolve) => server.stdout?.once('data', (data) => resolve(String(data))));
      server.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return JSON.parse(await reply).result;
    };
    const { tools } = await request(1, 'tools/list');
    const names = tools.map(({ name }: { name: string }) => name);
    expect(names).toContain('completion-report');
    expect(names).not.toContain('planner-output');
    // An agent that calls a tool that is not listed is reminded of the call that it must make.
    const { content } = await request(2, 'tools/call', { name: 'task_complete', arguments: { summary: 'x' } });
    expect(content[0].text).toContain(REMINDER('completion-report'));
    server.kill();
    agent.release();
  });

  test('reports every invalid field and may be repeated', async () => {
    const wrong = { tool: 'planner-output', type: 'plan', summary: ' ', plan: 'one' };
    const nobody = { ...PLAN, assignedAgent: 'task-validator' };
    agent.replies({
      tools: [wrong, nobody, { tool: 'planner-output', type: 'questions', questions: [] }, PLAN],
      text: 'x',
    });
    expect((await rested(await create({ plan: true }))).state).toBe('planned');
    const [first, unassigned, second] = agent.calls()[0]?.returned ?? [];
    expect(unassigned?.body['errors']).toMatchObject([{ path: '$.assignedAgent' }]);
    expect(first?.status).toBe(422);
    expect(JSON.stringify(first?.body['errors'])).toMatch(/\$\.requirements.*\$\.acceptanceCriteria|\$\.plan/);
    expect(second?.body['errors']).toMatchObject([{ path: '$.questions' }]);
  });

  test('is mentioned in a reminder if the agent reports task_complete first', async () => {
    await ask('POST', '/agents', { body: { name: 'says-done', adapter: 'claude', tools: ['task_complete'] } });
    agent.replies(
      { tools: [PLAN] },
      { tools: [{ tool: 'task_complete', summary: 'all done' }], text: 'x' },
      { tools: [REPORT, { tool: 'task_complete', summary: 'and reported' }] },
    );
    const task = await rested(await create({ plan: true, agent: 'says-done' }));
    await doTo(task, 'start');
    expect((await rested(task)).state).toBe('completed');
    expect(agent.calls()[1]?.returned[0]?.body).toMatchObject({ ok: true, reminder: REMINDER('completion-report') });
    const after = agent.calls()[2]?.returned[1]?.body;
    expect([after?.['ok'], after?.['reminder']]).toEqual([true, undefined]);
  });

  test('may be followed by task_complete, which is told and reminds of nothing', async () => {
    const done = { tool: 'task_complete', summary: 'and reported' };
    agent.replies({ tools: [PLAN, done] }, { tools: [REPORT, done] });
    const task = await rested(await create({ plan: true }));
    await doTo(task, 'start');
    expect((await rested(task)).state).toBe('completed');
    for (const { returned } of agent.calls()) {
      expect([returned[1]?.status, returned[1]?.body['ok'], returned[1]?.body['reminder']]).toEqual([
        200,
        true,
        undefined,
      ]);
    }
  });

  test('is mentioned in a reminder on the command line as well', async () => {
    const bin = join(import.meta.dirname, '../../bin/orchd.js');
    const file = join(agent.home, 'told');
    const script = join(agent.home, 'do.sh');
    const call = (words: string) => `node ${bin} tool ${words} --input summary=x >> ${file}\n`;
    writeFileSync(script, `#!/bin/sh\n${call('task_complete')}${call('completion-report')}`, { mode: 0o755 });
    await ask('POST', '/agents', { body: { name: 'by-shell', adapter: 'shell', args: [script] } });
    agent.replies({ tools: [PLAN] });
    const task = await rested(await create({ plan: true, agent: 'by-shell' }));
    await doTo(task, 'start');
    expect((await rested(task)).state).toBe('completed');
    expect(readFileSync(file, 'utf8')).toMatch(
      new RegExp(`^told: msg_\\w+\\n${REMINDER('completion-report')}\\nsubmitted\\n$`),
    );
  });

  test("decides the task's state even if the program is killed, and a retry sees the report", async () => {
    const failing = { tools: [{ ...REPORT, outcome: 'failed' }], hold: true };
    agent.replies({ tools: [PLAN], exit: 9 }, failing, { tools: [REPORT] });
    const task = await rested(await create({ plan: true }));
    expect(task.state).toBe('planned');
    await doTo(task, 'start');
    await daemon.event('completion_report_submitted', ({ task_id }) => task_id === task.id);
    // Pid 0 would be the tests themselves.
    process.kill(agent.calls()[1]?.pid ?? expect.fail('it has not been called'), 'SIGKILL');
    expect(await rested(task)).toMatchObject({
      state: 'failed',
      report: { outcome: 'failed' },
      error: { error: 'TaskFailed', message: 'It counts' },
    });
    await doTo(task, 'start');
    expect((await rested(task)).state).toBe('completed');
    expect(agent.calls()[2]?.stdin).toContain('## What was reported before\n\nIt counts');
  });
});

test('cancelling a task ends its program and withdraws its questions', async () => {
  agent.replies({ tools: [{ tool: 'task_complete', summary: 'all' }], hold: true });
  const running = await create({ plan: true });
  const { session_id } = await atWork(running);
  // What the agent says of its task does not complete it.
  await daemon.event('message', (event) => event.session_id === session_id && event.message.type === 'TASK_COMPLETE');
  expect((await doTo(running, 'cancel')).body).toMatchObject({ state: 'cancelled', error: { error: 'TaskCancelled' } });
  expect(await historyOf(running)).toEqual(['created', 'planning_started', 'cancelled']);
  const [attempt] = (await ask('GET', `/tasks/${running.id}`)).body.attempts;
  const run = (await ask('GET', `/runs/${attempt.run_id}`)).body;
  const session = await ask('GET', `/sessions/${run.session_id}`);
  expect(session.body).toMatchObject({ state: 'exited', ended_by: 'api' });
  const again = await doTo(running, 'start');
  expect([again.status, again.body.code]).toEqual([409, 'ORCHD_TASK_STATE']);

  agent.replies({ tools: [QUESTIONS] });
  const asking = await rested(await create({ plan: true }));
  const [question] = asking.questions;
  await daemon.event('item_opened', ({ item_id }) => item_id === question?.item_id);
  await doTo(asking, 'cancel');
  const withdrawn = await daemon.event('item_withdrawn', ({ item_id }) => item_id === question?.item_id);
  expect(withdrawn.reason).toBe('task_cancelled');
});

test('a task that is cancelled while its run is created leaves no run', async () => {
  agent.replies({ hold: true });
  const cancelled = Array.from({ length: 8 }, async () => {
    const { id } = await create();
    const [planned, gone] = await Promise.all([doTo({ id }, 'plan'), doTo({ id }, 'cancel')]);
    // The cancel came before the plan.
    const task: Task = gone.status === 200 ? gone.body : (await doTo({ id }, 'cancel')).body;
    expect([task.state, [200, 409].includes(planned.status)]).toEqual(['cancelled', true]);
    const runs = await Promise.all(task.attempts.map(({ run_id }) => ask('GET', `/runs/${run_id}`)));
    for (const { status, body } of runs) expect([404, 'cancelled']).toContain(status === 404 ? 404 : body.state);
  });
  await Promise.all(cancelled);
  for (const state of ['queued', 'running']) expect((await ask('GET', `/runs?state=${state}`)).body).toEqual([]);
});

test('a failed task can be planned and started again, and fails without a conversation', async () => {
  await ask('POST', '/agents', { body: { name: 'plain', adapter: 'shell', args: ['true'] } });
  agent.replies(
    { tools: [{ tool: 'planner-output', type: 'error', error: 'no such folder' }] },
    { tools: [PLAN] },
    { tools: [REPORT] },
  );
  const failed = await rested(await create({ plan: true }));
  expect(failed).toMatchObject({ state: 'failed', error: { error: 'PlannerError', message: 'no such folder' } });
  await doTo(failed, 'plan');
  expect(await rested(failed)).toMatchObject({ state: 'planned', error: null, ended_at: null });
  await doTo(failed, 'start', { agent: 'plain' });
  expect(await rested(failed)).toMatchObject({
    state: 'failed',
    assigned_agent: 'plain',
    error: {
      message: 'the agent never called completion-report, and there is no conversation in which it could be reminded',
    },
  });
  const unknown = await doTo(failed, 'start', { agent: 'nobody' });
  expect([unknown.status, unknown.body.code]).toEqual([404, 'ORCHD_BLUEPRINT_UNKNOWN']);
});

test('the CLI creates, answers and shows a task', async () => {
  agent.replies({ tools: [QUESTIONS] }, { tools: [{ ...PLAN, risks: 'none' }] }, { tools: [REPORT] });
  const env = Object.entries(agent.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const made = await daemon.orchd('task', 'create', '--start', '--wait', '--adapter', 'claude', ...env, 'Count to ten');
  expect(made.stdout).toMatch(/^1\. Up to which number\?\n2\. In which language\?\n\n`orchd task answer tsk_\w+/);
  const id = /tsk_\w+/.exec(made.stdout)?.[0] ?? '';
  expect((await daemon.orchd('task', 'list', '--state', 'awaiting_input')).stdout).toMatch(
    new RegExp(`${id}  awaiting_input`),
  );
  expect((await daemon.orchd('task', 'answer', id, '--number', '2', 'C')).stdout).toBe(`${id}\n`);
  const done = await daemon.orchd('task', 'answer', id, '--decline', '--wait');
  expect([done.code, done.stdout]).toEqual([0, 'It counts\n\nFiles: count.ts\nCommit: abc\n']);
  const told = await daemon.orchd('task', 'show', id);
  expect(told.stdout).toMatch(
    /plan\n {2}Two steps[\s\S]*risks\n {2}none[\s\S]*1\. Up to which number\?\n {5}declined[\s\S]*report\n {2}It counts\n\n {2}Files: count\.ts\n/,
  );
  expect((await daemon.orchd('task', 'history', id)).stdout).toMatch(/answered +cli: “C”/);
  const { attempts } = await shown({ id });
  const runs = attempts.map(({ run_id }) => `${run_id}\n`).join('');
  expect((await daemon.orchd('task', 'history', '-q', id)).stdout).toBe(runs);
  const wrong = await daemon.orchd('task', 'start', id);
  expect([wrong.code, wrong.stderr]).toEqual([
    4,
    expect.stringContaining(`task ${id} is completed, and cannot be started`),
  ]);
});
