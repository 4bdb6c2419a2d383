/** `orchd runs start | retry`: starts a run, and with --wait prints its result. */
import { resolve } from 'node:path';
import { callerOf } from '../../client/index.js';
import type { InputOf, Run } from '../../protocol/index.js';
import { readChanges } from '../agent/definition.js';
import { projectInput } from '../commands/agent.js';
import { callStarting } from '../daemon/daemon-process.js';
import { refuseEnv, remoteDirectory } from '../hub/remote-directory.js';
import { clientOn, idOn, machineOf, onMachine, targetOf } from '../hub/remote-target.js';
import { flag, list, type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';
import { readInputs } from './input.js';
import { waitForRun } from './inspect.js';

export async function startRun(context: Context, prompt: string, options: Options): Promise<number | undefined> {
  const machine = machineOf(options);
  const client = clientOn(context, machine);
  const place = machine === undefined ? ownPlace(context, options) : await remoteDirectory(client, options);
  const input = { ...(await startInput(context, prompt, options)), ...place };
  return made(context, await callStarting(context, () => client.call('run.start', input)), options, machine);
}

export async function retryRun(context: Context, selector: string, options: Options): Promise<number | undefined> {
  const { machine, selector: run } = targetOf(selector, options);
  if (machine !== undefined) refuseEnv(options);
  const caller = machine === undefined ? callerOf(context.env, list(options, 'env')) : {};
  const repeated = await clientOn(context, machine).call('run.retry', { run, ...caller });
  return made(context, repeated, options, machine);
}

async function made(context: Context, run: Run, options: Options, machine?: string): Promise<number | undefined> {
  if (flag(options, 'wait')) {
    context.note(`${idOn(run.id, machine)}; Ctrl-C leaves it running`);
    return waitForRun(context, { machine, selector: run.id });
  }
  await context.print(onMachine(run, machine), () => `${run.id}\n`);
  return undefined;
}

async function startInput(context: Context, prompt: string, options: Options): Promise<InputOf<'run.start'>> {
  const blueprint = text(options, 'blueprint');
  const given = await readInputs(list(options, 'input'));
  return {
    ...(await readChanges(options)),
    ...(blueprint !== undefined && { blueprint }),
    ...(prompt !== '' && { prompt }),
    ...(given !== undefined && { input: given as NonNullable<InputOf<'run.start'>['input']> }), // JSON, or text fields
    ...(flag(options, 'keep') && { keep: true }),
    // Sent only in a session, because a daemon of an earlier version does not know the field.
    ...(flag(options, 'wait') && context.env['ORCHD_SESSION_ID'] && { wait: true }),
  };
}

const ownPlace = (context: Context, options: Options) => ({
  ...projectInput(context, {}),
  cwd: resolve(context.cwd, text(options, 'cwd') ?? '.'),
  ...callerOf(context.env, list(options, 'env')),
});
