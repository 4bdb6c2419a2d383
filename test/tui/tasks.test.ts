/**
 * Tests tasks, runs and blueprints in the TUI, in a real pty against the real daemon: planning, answering, starting,
 * retrying.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { installScriptedAgent, type ScriptedAgent } from '../harness/scripted-agent.js';
import { openTerminal, type Person } from './person.js';
import { timeToRead } from './time-to-read.js';

const PLAN = {
  tool: 'planner-output',
  type: 'plan',
  summary: 'Two steps',
  requirements: ['It counts'],
  acceptanceCriteria: ['npm test'],
  plan: ['Write it', 'Try it'],
};
const QUESTIONS = { tool: 'planner-output', type: 'questions', questions: ['Up to 十 or more?'] };
const REPORT = {
  tool: 'completion-report',
  summary: 'It counts now',
  filesChanged: ['count.ts'],
  commitHash: 'a1b2c3',
};
const BIN = join(import.meta.dirname, '../../bin/orchd.js');

let daemon: TestDaemon;
let agent: ScriptedAgent;
let person: Person | null = null;
beforeAll(async () => {
  daemon = await startDaemon({ env: { ORCHD_RUNS_ADAPTER: 'claude' } });
});
beforeEach(() => {
  agent = installScriptedAgent('claude');
});
afterEach(async () => {
  person?.close();
  agent.release();
  for (const { id, ended_at } of await daemon.client.call('task.list', {}))
    if (ended_at === null) await daemon.client.call('task.cancel', { task: id });
  agent.close();
});
afterAll(() => daemon.close());

/** Opens the TUI in the agent's folder, so that started programs find the scripted agent first. */
function open(size: { readonly cols?: number; readonly rows?: number } = {}): Person {
  const { HOME: _home, ...env } = agent.env;
  person = openTerminal(`cd ${agent.home} && orchd start`, { env: { ...daemon.env, ...env }, ...size });
  return person;
}

test("a task is created, its planner's question answered, the plan started, and its report shown", async () => {
  agent.replies(
    { when: '## Plan', tools: [REPORT], text: 'done' },
    { when: 'eleven', tools: [PLAN], text: 'planned' },
    { tools: [QUESTIONS], text: 'asked' },
  );
  const at = open();
  await at.sees('Nothing waits for you.');
  at.types('t');
  await at.sees('[Tasks] Runs Blueprints');
  at.types('n');
  await at.sees('New task');
  at.types('Count to ten\x1b[B');
  await at.sees(/› Then {6}‹ plan it ›/);
  at.types('\r');
  await at.sees(/asks +Up to 十 or more\?[\s\S]*questions_asked/);
  const [task] = await daemon.client.call('task.list', {});
  expect(task).toMatchObject({ state: 'awaiting_input', prompt: 'Count to ten' });
  at.types('\r');
  await at.sees('Question from task-validator');
  await timeToRead(at);
  at.types('a');
  await at.sees('answer:');
  at.types('eleven\r');
  await at.sees('“eleven”');
  at.types('\x1b');
  await at.sees(/◆ planned · waits for its start[\s\S]*1\. Write it/);
  at.types('s');
  await at.sees(/✓ completed[\s\S]*Report[\s\S]*It counts now[\s\S]*commit +a1b2c3/);
  const history = await daemon.client.call('task.history', { task: task?.id ?? '' });
  expect(history.map(({ event }) => event)).toEqual([
    'created',
    'planning_started',
    'planner_output_submitted',
    'questions_asked',
    'answered',
    'planning_started',
    'planner_output_submitted',
    'planned',
    'started',
    'completion_report_submitted',
    'completed',
  ]);
  at.types('\x1b');
  await at.sees(/› ✓ completed .*Count to ten/);
});

test('a failed task shows its error, can be retried from its details, and is cancelled after y', async () => {
  agent.replies({ tools: [], text: 'no call' });
  const create = { prompt: 'Fail first', adapter: 'claude', cwd: agent.home, env: { ...agent.env }, plan: true };
  await daemon.client.call('task.create', create);
  const at = open({ cols: 60, rows: 15 });
  at.types('t');
  await at.sees(/✗ failed +Fail first/);
  at.types('\r');
  await at.sees(/error +the agent never called planner-output/);
  agent.replies({ tools: [PLAN], text: 'planned', hold: true });
  at.types('r');
  await at.sees('▸ planning');
  at.types('K');
  await at.sees('Cancel “Fail first” and its agent?');
  at.types('y');
  await at.sees('○ cancelled');
});

test('a run of a blueprint shows both mismatched attempts and can be repeated', async () => {
  const output_schema = { type: 'object', required: ['verdict'] };
  await daemon.client.call('blueprint.create', { name: 'judge', adapter: 'claude', output_schema });
  agent.replies({ text: 'No JSON at all.' }, { text: '{"other": 1}' });
  const at = open();
  await at.sees('Nothing waits for you.');
  at.types('th');
  await at.sees(/› yours +judge/);
  at.types('s');
  await at.sees(/New run[\s\S]*Agent {5}‹ judge ›/);
  at.types('Judge this\r');
  await at.sees(/misfits +\$: No JSON output found[\s\S]*said +No JSON at all\./);
  await at.sees(/Attempt 2 of 2[\s\S]*\$\.verdict: 'verdict' is a required property/);
  agent.replies({ text: '```json\n{"verdict": "fine"}\n```' });
  at.types('r');
  await at.sees(/✓ completed[\s\S]*"verdict": "fine"/);
  const [first, second] = await daemon.client.call('run.list', { blueprint: 'judge' });
  expect([first?.state, second?.state]).toEqual(['failed', 'completed']);
});

test('plain mode starts a planned task and prints its details', async () => {
  agent.replies({ tools: [PLAN], text: 'planned' });
  const create = { prompt: 'Count', adapter: 'claude', cwd: agent.home, env: { ...agent.env }, plan: true };
  const { id } = await daemon.client.call('task.create', create);
  await daemon.client.call('task.wait', { task: id });
  agent.replies({ tools: [REPORT], text: 'done' });
  const { HOME: _home, ...env } = agent.env;
  const child = spawn(process.execPath, [BIN, 'start', '--plain'], { env: { ...daemon.env, ...env } });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  child.stdin.write(`tasks\ndetails ${id}\nblueprints\nstart ${id}\n`);
  await expect.poll(() => said).toContain(`Task ${id} completed.`);
  child.stdin.end(`details ${id}\nstart ${id}\nquit\n`);
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  for (const line of [`${id}: planned, Count`, 'steps: 1. Write it', 'commit: a1b2c3', 'task-validator: Looks at'])
    expect(said).toContain(line);
  expect(said).not.toMatch(/[\x00-\x08\x0b-\x1f]/);
});

test('a run is started with a schema file and limits', async () => {
  agent.replies({ text: '{"files": 7}' });
  const schema = { type: 'object', required: ['files'] };
  writeFileSync(join(agent.home, 'schema.json'), JSON.stringify(schema));
  const at = open();
  await at.sees('Nothing waits for you.');
  at.types('tl');
  await at.sees('Tasks [Runs] Blueprints');
  at.types('n');
  await at.sees('New run');
  const down = '\x1b[B';
  at.types(`Count the files${down.repeat(7)}`);
  await at.sees('› Schema');
  at.types(`nothing.json${down}`);
  await at.sees('› Time');
  at.types(`5m${down}3${down}0.5\r`);
  await at.sees('the schema cannot be read');
  at.types('\x1b[A\x1b[A\x1b[A');
  await at.sees('› Schema');
  at.types(`${'\x7f'.repeat('nothing.json'.length)}schema.json\r`);
  const created = await daemon.event('run_created', ({ prompt }) => prompt.includes('Count the files'));
  const run = await daemon.client.call('run.wait', { run: created.run_id });
  expect(run).toMatchObject({
    state: 'completed',
    result_data: { files: 7 },
    output_schema: schema,
    limits: { timeout: 300, max_turns: 3, max_cost: 0.5 },
  });
});
