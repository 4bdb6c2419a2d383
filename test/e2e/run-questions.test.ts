/**
 * Tests runs whose agents end with a question in place of a result: after an answer from the inbox they continue in the
 * same conversation. The agents are real programs on pipes.
 */
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Item, Run, Task } from '../../src/protocol/index.js';
import { gone, startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Ask, askHttp } from '../harness/http.js';
import { installScriptedAgent, type ScriptedAgent } from '../harness/scripted-agent.js';

const QUESTION = `I need to know.

\`\`\`orchestrator-message
{"type": "QUESTION", "data": {"question": "Which one?", "options": ["staging", "production"]}}
\`\`\``;
const MARKER = ':ORCHESTRATOR: QUESTION - Which one?';

let daemon: TestDaemon;
let agent: ScriptedAgent;
beforeAll(async () => {
  daemon = await startDaemon({ env: { ORCHD_RUNS_PARALLEL: '1' } });
});
afterAll(() => daemon.close());
beforeEach(() => {
  agent = installScriptedAgent('claude');
});
afterEach(async () => {
  agent.release();
  for (const { id, state } of (await ask('GET', '/runs')).body) {
    if (['queued', 'running', 'rate_limited'].includes(state)) await ask('POST', `/runs/${id}/cancel`);
  }
  agent.close();
});

const ask = (method: string, path: string, how?: Ask) => askHttp(daemon.paths.socket, method, path, how);
const start = async (fields: object = {}): Promise<Run> => {
  const body = { adapter: 'claude', prompt: 'Deploy', cwd: agent.home, env: agent.env, ...fields };
  return (await ask('POST', '/runs', { body })).body;
};
const shown = async ({ id }: Pick<Run, 'id'>): Promise<Run> => (await ask('GET', `/runs/${id}`)).body;
const ended = async ({ id }: Pick<Run, 'id'>): Promise<Run> => (await ask('GET', `/runs/${id}/wait`)).body;
/** Returns the item that a run waits for. */
const asked = async (id: string): Promise<Item> => {
  const event = await daemon.event('run_asking', ({ run_id }) => run_id === id);
  return (await ask('GET', `/api/inbox/${event.item_ids[0]}`)).body;
};
const answer = (item: string, body: object) => ask('POST', `/api/inbox/${item}/answer`, { body });
const restart = async (): Promise<void> => {
  await daemon.crash();
  await daemon.start();
};

describe('a run whose agent ends with a question', () => {
  test('waits for the answer and continues with it in the same conversation', async () => {
    agent.replies({ text: QUESTION }, { text: 'Deployed.' });
    const run = await start();
    const item = await asked(run.id);
    expect(item).toMatchObject({ type: 'QUESTION', state: 'open', run_id: run.id });
    expect(await shown(run)).toMatchObject({ state: 'running', asking: [item.id], result_text: null });
    expect((await ask('GET', '/runs?limit=1')).body).toMatchObject([{ id: run.id, asking: [item.id] }]);
    expect((await daemon.orchd('runs', 'list')).stdout).toMatch(new RegExp(`${run.id}\\s+asks`));
    expect((await daemon.orchd('answer', item.id, '--option', '1')).code).toBe(0);
    const done = await ended(run);
    expect(done).toMatchObject({ state: 'completed', result_text: 'Deployed.' });
    expect(done.asking).toBeUndefined();
    expect(done.attempts).toMatchObject([{ reason: 'start' }, { reason: 'answer', prompt: 'staging' }]);
    const [, second] = agent.calls();
    expect(second?.stdin).toBe('staging');
    expect(second?.args).toEqual(expect.arrayContaining(['--resume', done.agent_session_id]));
  });

  test('lets other runs start while it waits', async () => {
    agent.replies({ text: QUESTION }, { text: 'Other.' }, { text: 'Deployed.' });
    const run = await start();
    const item = await asked(run.id);
    expect(await ended(await start())).toMatchObject({ result_text: 'Other.' });
    await answer(item.id, { decline: true });
    expect(await ended(run)).toMatchObject({ result_text: 'Deployed.' });
    expect(agent.calls()[2]?.stdin).toBe('declined: decide this yourself');
  });

  test('has no result if it only quotes the JSON of its answer', async () => {
    const text = 'It is the one that the team of the shop named {"name": "staging"} last week.';
    agent.replies({ text: QUESTION }, { text: `You said: ${text}` }, { text: '{"name": "production"}' });
    const run = await start({ output_schema: { required: ['name'] } });
    await answer((await asked(run.id)).id, { text });
    expect(await ended(run)).toMatchObject({ state: 'completed', result_data: { name: 'production' } });
  });

  test('can be answered while its program still runs', async () => {
    agent.replies(
      { tools: [{ tool: 'report_blocked', reason: 'No key' }], text: 'I wait.', hold: true },
      { text: '{"a": 1}' },
    );
    const run = await start({ output_schema: { type: 'object', required: ['a'] } });
    const opened = await daemon.event('item_opened', (event) => event.run_id === run.id);
    expect((await answer(opened.item_id, { text: 'It is in .env' })).status).toBe(200);
    agent.release();
    expect(await ended(run)).toMatchObject({ state: 'completed', result_data: { a: 1 } });
    expect(agent.calls()[1]?.stdin).toBe('It is in .env');
  });

  test('completes if the agent also gave a result, and its question is withdrawn', async () => {
    agent.replies({ text: `{"a": 1}\n\n${QUESTION}` });
    const run = await start({ output_schema: { type: 'object', required: ['a'] } });
    expect(await ended(run)).toMatchObject({ state: 'completed', result_data: { a: 1 }, attempts: [{ number: 1 }] });
    const { item_id } = await daemon.event('item_opened', (event) => event.run_id === run.id);
    const withdrawn = await daemon.event('item_withdrawn', (event) => event.item_id === item_id);
    expect(withdrawn.reason).toBe('run_went_on');
  });

  test('withdraws the question when it is cancelled', async () => {
    agent.replies({ text: QUESTION });
    const run = await start();
    const item = await asked(run.id);
    const refused = await ask('POST', `/api/sessions/${item.session_id}/remove`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'ORCHD_RUN_ALIVE' } });
    expect((await ask('POST', `/runs/${run.id}/cancel`)).body).toMatchObject({ state: 'cancelled' });
    await daemon.event('item_withdrawn', ({ item_id }) => item_id === item.id);
    expect((await answer(item.id, { text: 'staging' })).status).toBe(409);
    expect(agent.calls()).toHaveLength(1);
  });

  test('passes the prompt, the response and the answer to a plain program again', async () => {
    const plain = installScriptedAgent();
    plain.replies({ text: MARKER }, { text: 'Deployed.' });
    const run = await start({ adapter: 'shell', args: [plain.file], env: plain.env });
    await answer((await asked(run.id)).id, { text: 'staging' });
    expect(await ended(run)).toMatchObject({ state: 'completed', result_text: 'Deployed.' });
    expect(plain.calls()[1]?.stdin).toBe(
      `Deploy\n\n## Your response was\n\n> ${MARKER}\n\n## Answers to your questions\n\n- Which one?\n  staging`,
    );
    plain.close();
  });

  test('asks again if a plain program repeats its question, and does not count echoed questions', async () => {
    const plain = installScriptedAgent();
    plain.replies({ text: MARKER }, { text: MARKER }, { text: 'Deployed.' });
    const run = await start({ adapter: 'shell', args: [plain.file], env: plain.env });
    const first = await asked(run.id);
    await answer(first.id, { text: 'what?' });
    const event = await daemon.event('run_asking', (one) => one.run_id === run.id && !one.item_ids.includes(first.id));
    await answer(event.item_ids[0] ?? '', { text: 'staging' });
    expect(await ended(run)).toMatchObject({ state: 'completed', result_text: 'Deployed.', attempts: [{}, {}, {}] });
    plain.close();
    const echo = await start({ adapter: 'shell', args: ['sh', '-c', `cat; echo; echo '${MARKER}'`] });
    await answer((await asked(echo.id)).id, { text: 'staging' });
    const again = await daemon.event('run_attempt_started', (one) => one.run_id === echo.id && one.number === 2);
    await daemon.event('session_exited', (one) => one.session_id === again.session_id);
    const item = await daemon.event('run_asking', (one) => one.run_id === echo.id && one.seq > again.seq);
    expect(item.item_ids).toHaveLength(1); // The program's own question, and not the repeated text of the prompt.
    await ask('POST', `/runs/${echo.id}/cancel`);
  });

  test("uses the question's default at its deadline", async () => {
    const data = { question: 'Which one?', default: 'staging', deadlineSeconds: 1 };
    agent.replies(
      { text: `\`\`\`orchestrator-message\n${JSON.stringify({ type: 'QUESTION', data })}\n\`\`\`` },
      { text: 'Deployed.' },
    );
    const run = await start();
    await asked(run.id);
    await restart();
    expect(await ended(run)).toMatchObject({
      state: 'completed',
      attempts: [{}, { reason: 'answer', prompt: 'staging' }],
    });
  });

  test('shows the question and the answer command to `runs start --wait`', async () => {
    agent.replies({ text: QUESTION }, { text: 'Deployed.' });
    const env = Object.entries(agent.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const waiting = daemon.follow('runs', 'start', '--wait', '--adapter', 'claude', ...env, 'Deploy, and say where');
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      waiting[stream]?.setEncoding('utf8').on('data', (text) => {
        said[stream] += text;
      });
    const over = once(waiting, 'close');
    const { run_id } = await daemon.event('run_created', ({ prompt }) => prompt === 'Deploy, and say where');
    const item = await asked(run_id);
    const told = `│ Which one?\n\n  1 staging\n  2 production\n\n  orchd answer ${item.id} --option 1   (or 2)\n`;
    await expect.poll(() => said.stderr).toContain(told); // An item that is answered before that is not shown.
    await answer(item.id, { option: 2 });
    const [code] = await over;
    expect([code, said.stdout]).toEqual([0, 'Deployed.\n']);
  });
});

describe('a daemon that crashes', () => {
  test('while a run waits for its answer continues the run with the answer', async () => {
    agent.replies({ text: QUESTION }, { text: 'Deployed.' });
    const run = await start();
    const item = await asked(run.id);
    await restart();
    expect(await shown(run)).toMatchObject({ state: 'running', asking: [item.id] });
    await answer(item.id, { text: 'staging' });
    expect(await ended(run)).toMatchObject({ state: 'completed', result_text: 'Deployed.' });
    expect(agent.calls()).toHaveLength(2);
  });

  test('after the answer loses no answer and asks nothing twice', async () => {
    agent.replies({ text: QUESTION }, { text: 'Deployed.' });
    const run = await start();
    const item = await asked(run.id);
    const answering = answer(item.id, { text: 'staging' }).catch(() => null); // The daemon may crash before it replies.
    await daemon.event('item_answered', ({ item_id }) => item_id === item.id);
    await restart();
    await answering;
    expect(await ended(run)).toMatchObject({ state: 'completed', result_text: 'Deployed.' });
    expect(agent.calls().map(({ stdin }) => stdin)).toEqual(['Deploy', 'staging']);
  });

  test('while the agent ends with the question shows the question later', async () => {
    agent.replies({ text: QUESTION, hold: true }, { text: 'Deployed.' });
    const run = await start();
    await expect.poll(() => agent.calls().length).toBe(1);
    await daemon.crash();
    agent.release();
    await gone(agent.calls()[0]?.pid ?? 0);
    await daemon.start();
    await answer((await asked(run.id)).id, { text: 'staging' });
    expect(await ended(run)).toMatchObject({ state: 'completed', result_text: 'Deployed.' });
    expect(agent.calls()).toHaveLength(2);
  });
});

test('a task whose planner prints a question continues with the answer', async () => {
  const plan = { type: 'plan', summary: 'One step', requirements: ['r'], acceptanceCriteria: ['a'], plan: ['Do it'] };
  agent.replies({ text: QUESTION }, { tools: [{ tool: 'planner-output', ...plan }], text: 'planned' });
  const body = { prompt: 'Deploy', adapter: 'claude', cwd: agent.home, env: agent.env, plan: true };
  const task: Task = (await ask('POST', '/api/tasks', { body })).body;
  const run = task.attempts[0]?.run_id ?? '';
  const item = await asked(run);
  expect((await ask('GET', `/api/tasks/${task.id}`)).body).toMatchObject({ state: 'planning', asking: [item.id] });
  expect((await ask('GET', '/api/tasks?limit=1')).body).toMatchObject([{ id: task.id, asking: [item.id] }]);
  expect((await daemon.orchd('task', 'show', task.id)).stdout).toMatch(new RegExp(`asks +${item.id}: \`orchd answer`));
  expect((await daemon.orchd('task', 'list')).stdout).toMatch(new RegExp(`${task.id}\\s+asks`));
  expect((await ask('POST', `/api/tasks/${task.id}/answer`, { body: { text: 'staging' } })).status).toBe(200);
  const rested: Task = (await ask('GET', `/api/tasks/${task.id}/wait`)).body;
  expect(rested).toMatchObject({ state: 'planned', plan: { summary: 'One step' }, attempts: [{ number: 1 }] });
  expect(agent.calls()[1]?.stdin).toBe('staging');
  expect(rested.asking).toBeUndefined();
});

test('a task shows the question of its working agent, and task answer answers it', async () => {
  const plan = { type: 'plan', summary: 'One step', requirements: ['r'], acceptanceCriteria: ['a'], plan: ['Do it'] };
  agent.replies({
    tools: [
      { tool: 'ask', question: 'Which host?' },
      { tool: 'planner-output', ...plan },
    ],
    text: 'planned',
  });
  const body = { prompt: 'Deploy', adapter: 'claude', cwd: agent.home, env: agent.env, plan: true };
  const task: Task = (await ask('POST', '/api/tasks', { body })).body;
  const { item_id } = await daemon.event('item_opened', ({ data }) => data['question'] === 'Which host?');
  expect((await ask('GET', `/api/tasks/${task.id}`)).body).toMatchObject({ state: 'planning', asking: [item_id] });
  expect((await ask('POST', `/api/tasks/${task.id}/answer`, { body: { text: 'staging' } })).status).toBe(200);
  const rested: Task = (await ask('GET', `/api/tasks/${task.id}/wait`)).body;
  expect(rested).toMatchObject({ state: 'planned', attempts: [{ number: 1 }] });
  expect(rested.asking).toBeUndefined();
});
