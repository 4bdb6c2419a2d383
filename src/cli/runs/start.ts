/** `orchd runs start | retry`: starts a run, and with --wait prints its result. */
import { resolve } from 'node:path';
import { callerEnvironment, callerUmask } from '../../client/index.js';
import type { InputOf, Run } from '../../protocol/index.js';
import { readChanges } from '../agent/definition.js';
import { placeOf } from '../commands/agent.js';
import { callStarting } from '../daemon/daemon-process.js';
import { flag, list, type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';
import { readInputs } from './input.js';
import { waitForRun } from './inspect.js';
import { limitsOf } from './limits.js';

export async function startRun(context: Context, prompt: string, options: Options): Promise<number | undefined> {
  const input = await startInput(context, prompt, options);
  return made(context, await callStarting(context, () => context.client().call('run.start', input)), options);
}

export async function retryRun(context: Context, run: string, options: Options): Promise<number | undefined> {
  const caller = { env: callerEnvironment(context.env, list(options, 'env')), umask: callerUmask() };
  return made(context, await context.client().call('run.retry', { run, ...caller }), options);
}

async function made(context: Context, run: Run, options: Options): Promise<number | undefined> {
  if (flag(options, 'wait')) {
    context.note(`${run.id}; Ctrl-C leaves it running`);
    return waitForRun(context, run.id);
  }
  await context.print(run, () => `${run.id}\n`);
  return undefined;
}

async function startInput(context: Context, prompt: string, options: Options): Promise<InputOf<'run.start'>> {
  const blueprint = text(options, 'blueprint');
  const given = await readInputs(list(options, 'input'));
  const args = list(options, 'arg');
  const tools = list(options, 'tool') as NonNullable<InputOf<'run.start'>['tools']>; // the daemon validates them
  const limits = limitsOf(options);
  return {
    ...placeOf(context, {}),
    ...(await readChanges(options)),
    ...(blueprint !== undefined && { blueprint }),
    ...(prompt !== '' && { prompt }),
    ...(given !== undefined && { input: given as NonNullable<InputOf<'run.start'>['input']> }), // JSON, or text fields
    ...(args.length > 0 && { args: [...args] }),
    ...(tools.length > 0 && { tools: [...tools] }),
    ...(flag(options, 'interactive') && { interactive: true }),
    ...(flag(options, 'keep') && { keep: true }),
    ...(Object.keys(limits).length > 0 && { limits }),
    cwd: resolve(context.cwd, text(options, 'cwd') ?? '.'),
    env: callerEnvironment(context.env, list(options, 'env')),
    umask: callerUmask(),
    // Sent only in a session, because a daemon of an earlier version does not know the field.
    ...(flag(options, 'wait') && context.env['ORCHD_SESSION_ID'] && { wait: true }),
  };
}
