/** Carries out the effects of keys in the views of tasks, runs and blueprints. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Client } from '../../client/index.js';
import { callerOf } from '../../client/index.js';
import { type InputOf, OrchdError } from '../../protocol/index.js';
import type { WorkRequest } from '../acts/forms/work-form.js';
import type { Effect } from '../acts/ui-state.js';
import { briefTask, retriesBy } from '../model/work-words.js';
import { wordsOf } from '../paint/text.js';
import type { Made } from '../view/outcomes.js';
import { expandHome } from './start-session.js';

export interface Surrounding {
  readonly client: Client;
  readonly env: NodeJS.ProcessEnv;
  /** The project whose blueprints are listed; null for only the user's own blueprints. */
  readonly project: string | null;
}

type WorkEffect = Extract<Effect, { readonly kind: 'task' | 'run' }>;

/**
 * Carries out the action. Returns a sentence that names the result and where to find it.
 * @throws {OrchdError}
 */
export async function doWork({ client, env }: Surrounding, effect: WorkEffect): Promise<Made> {
  const caller = callerOf(env);
  if (effect.kind === 'run') {
    const { runId } = effect;
    if (effect.act === 'cancel') {
      const run = await client.call('run.cancel', { run: runId });
      return { kind: 'run', run, words: `${run.id} is ${run.state}` };
    }
    const run = await client.call('run.retry', { run: runId, ...caller });
    return { kind: 'run', run, words: `${run.id} runs`, isNew: true };
  }
  const { taskId: id } = effect;
  if (effect.act === 'cancel') {
    const task = await client.call('task.cancel', { task: id });
    return { kind: 'task', task, words: `${briefTask(task)} is ${task.state}` };
  }
  const act = effect.act === 'retry' ? (retriesBy(await client.call('task.show', { task: id })) ?? 'plan') : effect.act;
  const task = await client.call(act === 'plan' ? 'task.plan' : 'task.start', { task: id, ...caller });
  return { kind: 'task', task, words: `${briefTask(task)} is ${act === 'plan' ? 'being planned' : 'started'}` };
}

/** Returns why something failed, and what the person can change in the form. */
export function workProblem(error: unknown): string {
  const words = wordsOf(error);
  const hasNoProgram = error instanceof OrchdError && error.code === 'ORCHD_NO_BATCH';
  return hasNoProgram ? `${words}; choose one as Program` : words;
}

/**
 * Creates a task or starts a run from the form's request.
 * @throws {OrchdError}
 */
export async function createWork({ client, env, project }: Surrounding, request: WorkRequest): Promise<Made> {
  const { kind, prompt, blueprint, adapter, input, isInteractive, directory, next, format, limits } = request;
  const about = {
    ...(project !== null && { project }),
    ...(adapter !== null && { adapter }),
    cwd: resolve(expandHome(directory || '.')),
    ...callerOf(env),
  };
  if (kind === 'task') {
    const task = await client.call('task.create', {
      ...about,
      prompt,
      ...(blueprint !== null && { agent: blueprint }),
      ...(next !== 'keep' && { plan: true }),
      ...(next === 'start' && { start: true }),
    });
    const doing = next === 'keep' ? 'is created' : 'is being planned';
    return { kind: 'task', task, words: `${briefTask(task)} ${doing}`, isNew: true };
  }
  const schema = readSchema(request.schema, about.cwd);
  const run = await client.call('run.start', {
    ...about,
    ...(format !== null && { output_format: format }),
    ...(schema !== undefined && { output_schema: schema }),
    ...(limits !== undefined && { limits }),
    ...(prompt !== '' && { prompt }),
    ...(blueprint !== null && { blueprint }),
    // a JSON value or text fields
    ...(input !== undefined && { input: input as NonNullable<InputOf<'run.start'>['input']> }),
    ...(isInteractive && { interactive: true }),
  });
  return { kind: 'run', run, words: `${run.id} runs`, isNew: true };
}

/** @throws {OrchdError} ORCHD_INVALID if the text is not a JSON object; ORCHD_FILE if the file cannot be read. */
function readSchema(given: string, cwd: string): NonNullable<InputOf<'run.start'>['output_schema']> | undefined {
  if (given === '') return undefined;
  const isText = given.startsWith('{');
  let text = given;
  try {
    if (!isText) text = readFileSync(resolve(cwd, expandHome(given)), 'utf8');
  } catch (error) {
    throw new OrchdError('ORCHD_FILE', `the schema cannot be read: ${wordsOf(error)}`);
  }
  try {
    const schema: unknown = JSON.parse(text);
    if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) return { ...schema };
  } catch {
    // The error is thrown below.
  }
  throw new OrchdError('ORCHD_INVALID', `the schema ${isText ? '' : `in ${given} `}is no JSON object`);
}
