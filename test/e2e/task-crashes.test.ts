/**
 * Tests tasks across daemon crashes: each attempt's call counts once, and none is lost.
 *
 * ORCHD_TASKS=500 npx vitest run --config test/vitest.config.ts --testTimeout 0 test/e2e/task-crashes.test.ts
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Event, Task } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { createRandom, givenSeed } from '../harness/random.js';
import { installScriptedAgent, type ScriptedAgent } from '../harness/scripted-agent.js';

const PLAN = {
  tool: 'planner-output',
  type: 'plan',
  summary: 's',
  requirements: [],
  acceptanceCriteria: [],
  plan: ['do'],
};
const REPORT = { tool: 'completion-report', summary: 'done' };
/** Number of tasks in the test with random crashes. Each task has two attempts. */
const TASKS = Number(process.env['ORCHD_TASKS'] ?? 12);
/** Number of tasks at the same time. */
const TOGETHER = 6;

let daemon: TestDaemon;
let agent: ScriptedAgent;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());
beforeEach(() => {
  agent = installScriptedAgent('claude');
});
afterEach(() => agent.close());

const create = (): Promise<Task> =>
  daemon.client.call('task.create', {
    prompt: 'Count',
    adapter: 'claude',
    start: true,
    cwd: agent.home,
    env: { ...agent.env },
  });
const restart = async (): Promise<void> => {
  await daemon.crash();
  // A slow start prints what the daemon does.
  await daemon.start();
};
async function settled(id: string): Promise<Task> {
  for (;;) {
    try {
      return await daemon.client.call('task.wait', { task: id });
    } catch {
      await daemon.event('daemon_started').catch(() => undefined); // The daemon was killed during the request.
    }
  }
}
const submissions = async (): Promise<string[]> => {
  const found: string[] = [];
  const type: Event['event_type'][] = ['planner_output_submitted', 'completion_report_submitted'];
  for await (const event of daemon.client.events({ since: 0, type })) {
    if ('run_id' in event) found.push(String(event.run_id));
  }
  return found;
};

/** The points at which the daemon is killed. */
const STEPS: readonly (readonly [string, (event: Event, task: Task) => boolean])[] = [
  [
    'the task was planned but has no run',
    (event, { id }) => event.event_type === 'task_state_changed' && event.task_id === id,
  ],
  ['the planner is starting', (event) => event.event_type === 'run_attempt_started'],
  ['the planner is running', (event) => event.event_type === 'session_started'],
  ['the planner has called its tool', (event) => event.event_type === 'planner_output_submitted'],
  ['the planner has ended', (event) => event.event_type === 'result'],
  ['the task is about to run', (event) => event.event_type === 'task_state_changed' && event.state === 'running'],
  ['the agent has reported', (event) => event.event_type === 'completion_report_submitted'],
];

test.each(STEPS)(
  'a daemon that is killed when %s completes the task, with each call counted once',
  async (_name, fits) => {
    agent.replies({ tools: [PLAN] }, { tools: [REPORT] });
    const { last_seq: since } = await daemon.client.call('daemon.status', {});
    const task = await create();
    for await (const event of daemon.client.events({ since, follow: true })) if (fits(event as Event, task)) break;
    await restart();
    const done = await settled(task.id);
    expect(done).toMatchObject({ state: 'completed', attempts: [{ kind: 'planning' }, { kind: 'execution' }] });
    const runs = done.attempts.map(({ run_id }) => run_id);
    expect((await submissions()).filter((id) => runs.includes(id)).sort()).toEqual([...runs].sort());
    const history = await daemon.client.call('task.history', { task: task.id });
    expect(history.map(({ event }) => event)).toEqual([
      'created',
      'planning_started',
      'planner_output_submitted',
      'planned',
      'started',
      'completion_report_submitted',
      'completed',
    ]);
    expect(agent.calls()).toHaveLength(2);
  },
);

test(`none of ${2 * TASKS} attempts is lost or counted twice if the daemon crashes repeatedly`, async () => {
  const random = createRandom(givenSeed());
  const done: Task[] = [];
  while (done.length < TASKS) {
    // Each agent makes the calls that its task requires, if it has the tools.
    agent.replies({ tools: [PLAN, REPORT] });
    const tasks = await Promise.all(Array.from({ length: Math.min(TOGETHER, TASKS - done.length) }, create));
    const seen = 1 + random.below(16 * tasks.length);
    const { last_seq: since } = await daemon.client.call('daemon.status', {});
    for await (const event of daemon.client.events({ since: Math.max(0, since - 2), follow: true })) {
      if (event.event_type !== 'gap' && event.seq >= since + seen) break;
      const open = await Promise.all(tasks.map(({ id }) => daemon.client.call('task.show', { task: id })));
      if (open.every(({ state }) => state === 'completed')) break;
    }
    await restart();
    done.push(...(await Promise.all(tasks.map(({ id }) => settled(id)))));
  }
  expect(done.filter(({ state }) => state !== 'completed')).toEqual([]);
  const runs = done.flatMap(({ attempts }) => attempts.map(({ run_id }) => run_id));
  expect(runs).toHaveLength(2 * TASKS);
  expect((await submissions()).filter((id) => runs.includes(id)).sort()).toEqual([...runs].sort());
});
