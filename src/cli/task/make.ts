/** `orchd task create | plan | start | answer`: creates a task or moves it on. */
import { resolve } from 'node:path';
import { callerOf } from '../../client/index.js';
import { type InputOf, OrchdError, type Task } from '../../protocol/index.js';
import { projectInput } from '../commands/agent.js';
import { callStarting } from '../daemon/daemon-process.js';
import { limitsOf } from '../input/limits.js';
import { parseWhole } from '../input/parse-values.js';
import { flag, list, type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';
import { waitForTask } from './inspect.js';

export async function createTask(context: Context, prompt: string, options: Options): Promise<number | undefined> {
  if (prompt.trim() === '') throw new OrchdError('ORCHD_USAGE', 'say what is to be done: orchd task create "..."');
  const [agent, adapter, model] = [text(options, 'agent'), text(options, 'adapter'), text(options, 'model')];
  const limits = limitsOf(options);
  const input: InputOf<'task.create'> = {
    ...projectInput(context, {}),
    prompt,
    ...(agent !== undefined && { agent }),
    ...(adapter !== undefined && { adapter }),
    ...(model !== undefined && { model }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(flag(options, 'plan') && { plan: true }),
    ...(flag(options, 'start') && { start: true }),
    cwd: resolve(context.cwd, text(options, 'cwd') ?? '.'),
    ...callerOf(context.env, list(options, 'env')),
  };
  return moved(context, await callStarting(context, () => context.client().call('task.create', input)), options);
}

export async function goOn(
  context: Context,
  action: 'plan' | 'start',
  task: string,
  options: Options,
): Promise<number | undefined> {
  const client = context.client();
  const caller = callerOf(context.env, list(options, 'env'));
  if (action === 'plan') {
    const start = flag(options, 'start') ? { start: true } : {};
    return moved(context, await client.call('task.plan', { task, ...start, ...caller }), options);
  }
  const agent = text(options, 'agent');
  const input = { task, ...(agent !== undefined && { agent }), ...caller };
  return moved(context, await client.call('task.start', input), options);
}

export async function answerTask(
  context: Context,
  task: string,
  answer: string,
  options: Options,
): Promise<number | undefined> {
  const isDeclined = flag(options, 'decline');
  if (isDeclined === (answer !== '')) {
    throw new OrchdError('ORCHD_USAGE', 'give an answer, or --decline: orchd task answer TASK "..."');
  }
  const client = context.client();
  const number = text(options, 'number');
  const item = number === undefined ? {} : { item: await itemOf(context, task, parseWhole('--number', number)) };
  const request = { task, ...item, ...(isDeclined ? { decline: true as const } : { text: answer }) };
  return moved(context, await client.call('task.answer', request), options);
}

/** Questions have the numbers that `show` prints. */
async function itemOf(context: Context, task: string, number: number): Promise<string> {
  const { id, questions } = await context.client().call('task.show', { task });
  const found = questions[number - 1];
  if (found) return found.item_id;
  throw new OrchdError('ORCHD_USAGE', `task ${id} has asked ${questions.length} questions, and no ${number}`);
}

async function moved(context: Context, task: Task, options: Options): Promise<number | undefined> {
  if (flag(options, 'wait')) {
    context.note(`${task.id}; Ctrl-C leaves it running`);
    return waitForTask(context, task.id);
  }
  await context.print(task, () => `${task.id}\n`);
  return undefined;
}
