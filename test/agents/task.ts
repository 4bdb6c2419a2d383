/**
 * A task: the agent plans it and executes it, each time without a terminal. Each time its model ends its turn without
 * the required call, is reminded in the same conversation, and makes the call.
 *
 * An agent without MCP is told how to call the tool in its shell, and its model does so.
 */
import type { Client } from '../../src/client/index.js';
import type { TaskTool } from '../../src/protocol/index.js';
import { callByAnyWay } from './call-by-any-way.js';
import { type Result, START_MS } from './drive.js';
import { processesOf, settle, type Trial } from './host-agent.js';
import type { Ask, Reply } from './model/conversation.js';
import { startModelServer } from './model-server.js';
import { putOnPath } from './runs.js';

const PROMPT = 'Count to ten.';
const CALLS: Readonly<Record<TaskTool, object>> = {
  'planner-output': {
    type: 'plan',
    summary: 'Two steps',
    requirements: ['It counts'],
    acceptanceCriteria: ['It is ten'],
    plan: ['Count', 'Stop'],
  },
  'completion-report': { summary: 'It counts', filesChanged: ['count.txt'] },
};
const reminderOf = (tool: string): string => `You must call the ${tool} tool before finishing. Please call it now.`;

export async function driveTask(
  client: Client,
  trial: Omit<Trial, 'script' | 'size'>,
  signal: AbortSignal,
): Promise<Result> {
  const began = Date.now();
  const problems: { what: string; screen: string }[] = [];
  const problem = (what: string) => problems.push({ what, screen: '' });
  const way = callByAnyWay();
  const script = ({ turns, tools }: Ask): Reply => {
    const reminded = turns.findLastIndex(
      ({ role, text }) => role === 'user' && /You must call the \S+ tool/.test(text),
    );
    if (reminded === -1) return { text: 'I have done what you asked.' };
    if (turns.slice(reminded).some(({ role }) => role === 'tool')) return { text: 'Called.' };
    const owed = (Object.keys(CALLS) as TaskTool[]).find((tool) => turns[reminded]?.text.includes(reminderOf(tool)));
    if (owed === undefined) return { text: 'Which tool?' };
    const input = CALLS[owed] as Record<string, unknown>;
    const call = way.call(tools, owed, input);
    return call
      ? { text: 'I forgot.', call }
      : { text: `There is no such tool among ${tools.map((tool) => tool.name).join(', ')}.` };
  };
  const server = await startModelServer({
    script,
    pace: { chars: 20, pauseMs: 1 },
    onRequest: way.onRequest,
  });
  let received = 0;
  try {
    const { place, env } = settle(trial, server.url);
    const bin = putOnPath(trial, place);
    const task = await client.call(
      'task.create',
      {
        adapter: trial.agent.adapter,
        prompt: PROMPT,
        cwd: place.cwd,
        start: true,
        limits: { timeout: 2 * (START_MS / 1000) },
        env: { ...env, PATH: `${bin}:${env['PATH']}` },
      },
      { signal },
    );
    const over = await client.call('task.wait', { task: task.id }, { signal });
    if (over.state === 'completed' && over.report?.summary === 'It counts') received++;
    else problem(`${over.state}: ${JSON.stringify(over.error ?? over.report)}`);
    if (over.plan?.plan.length !== 2) problem(`its plan is ${JSON.stringify(over.plan)}`);
    for (const { kind, run_id } of over.attempts) {
      const run = await client.call('run.show', { run: run_id });
      const reasons = run.attempts.map(({ reason }) => reason).join(', ');
      if (reasons !== 'start, reminder') problem(`the ${kind} took: ${reasons}`);
      for (const { session_id } of run.attempts)
        for (const left of processesOf(session_id)) problem(`left running: ${left}`);
    }
    for (const what of server.unknown) problem(`the model server does not know ${what}`);
  } finally {
    await server.close();
  }
  return { heard: [], acknowledged: {}, received, problems, seconds: (Date.now() - began) / 1000 };
}
