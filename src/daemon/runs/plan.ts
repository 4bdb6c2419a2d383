/**
 * From what is asked to a run: its blueprint is looked up, everything is checked, and what the agent is told is put together.
 *
 * In:   what a client asks, and where blueprints, adapters and the judge are.
 * Out:  the run as it begins, or an error that says all that is wrong. Starts nothing, and puts nothing into the log.
 */
import {
  type Blueprint,
  type BlueprintDefinition,
  definitionOf,
  type InputOf,
  OrchdError,
  type Run,
  type SchemaError,
  type TaskTool,
} from '../../protocol/index.js';
import type { Judge } from '../../results/index.js';
import { taskTools } from '../../tools/index.js';
import type { Blueprints } from '../blueprints/blueprints.js';
import { requireBatch, requireProgram } from './batch.js';
import { formInstructions } from './form.js';

export type RunRequest = InputOf<'run.start'>;

export interface PlanPorts {
  readonly blueprints: Pick<Blueprints, 'show' | 'validate'>;
  readonly judge: Pick<Judge, 'judgeValue'>;
  /** Which agent program runs what says nothing itself; '' for none. */
  readonly defaultAdapter: string;
}

export interface RunPlan {
  /** What is known of the run before it begins. */
  readonly fields: Pick<
    Run,
    | 'blueprint'
    | 'project'
    | 'adapter'
    | 'model'
    | 'prompt'
    | 'input'
    | 'system'
    | 'output_schema'
    | 'output_format'
    | 'limits'
    | 'tool'
    | 'task_id'
  >;
  readonly args: readonly string[];
  /** What its agent is offered; one that owes a call is offered that. */
  readonly tools: readonly string[];
  /** Its agent has a terminal. */
  readonly isInteractive: boolean;
}

/** What its agent has to call before it ends. */
export interface Owed {
  readonly tool: TaskTool;
  readonly taskId: string;
}

export interface RunAbout {
  /** The run's. */
  readonly id: string;
  /** What its program will have: a blueprint names variables that must be there. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Its result is a call: a blueprint's own form of results does not count. */
  readonly owes?: Owed | undefined;
}

/**
 * @throws {OrchdError} ORCHD_INVALID with all errors, ORCHD_BLUEPRINT_UNKNOWN, ORCHD_BLUEPRINT_DAMAGED, ORCHD_ADAPTER_UNKNOWN,
 *                      ORCHD_NO_BATCH
 */
export async function planRun(ports: PlanPorts, request: RunRequest, { id, env, owes }: RunAbout): Promise<RunPlan> {
  const blueprint =
    request.blueprint === undefined ? null : await ports.blueprints.show(request.blueprint, request.project);
  const own = ownDefinition(request);
  const definition = blueprint === null ? own : { ...formOf(own), ...definitionOf(blueprint) };
  const errors = await ports.blueprints.validate(blueprint === null ? { ...own } : { name: 'run', ...formOf(own) });
  if (blueprint !== null) errors.push(...ownedFields(request, blueprint));
  errors.push(...missingVariables(definition, env), ...(await wrongInput(ports, definition, request)));
  const prompt = promptOf(request.prompt ?? definition.prompt, request.input);
  if (prompt === '') errors.push({ path: '$.prompt', message: 'say what is asked' });
  if (errors.length > 0) throw invalid(errors);

  const adapter = request.adapter ?? definition.adapter ?? ports.defaultAdapter;
  const { program, hasBatch } = await requireProgram(adapter);
  const isInteractive = request.interactive ?? definition.interactive ?? !hasBatch;
  if (!isInteractive) await requireBatch(adapter);
  const { output_schema = null, output_format } = owes ? {} : definition;
  const args = [...(definition.args ?? []), ...(blueprint === null ? [] : (request.args ?? []))];
  if (program === null && !args[0]) {
    const message = 'a run of the adapter shell takes its program from its arguments (args), and has none';
    throw new OrchdError('ORCHD_NO_BATCH', message);
  }
  const form = {
    ...{ blueprint: blueprint?.name ?? null, adapter },
    output_schema: output_schema as Run['output_schema'], // it was checked to be a schema
    output_format: owes
      ? 'call'
      : output_format === 'envelope'
        ? output_format
        : output_schema === null
          ? 'text'
          : 'json',
    ...(owes && { tool: owes.tool, task_id: owes.taskId }),
  } as const;
  const told = [definition.instructions ?? null, formInstructions({ ...form, id })].filter((part) => part !== null);
  return {
    ...{ args, isInteractive },
    tools: owes ? taskTools(definition.tools, owes.tool) : (definition.tools ?? []),
    fields: {
      ...{ ...form, project: blueprint?.project ?? null, prompt },
      model: request.model ?? definition.model ?? null,
      input: request.input ?? null,
      system: told.length === 0 ? null : told.join('\n\n'),
      limits: { ...definition.limits, ...request.limits },
    },
  };
}

/** Without a blueprint the request says it all. */
function ownDefinition({
  adapter,
  model,
  args,
  tools,
  instructions,
  output_schema,
  output_format,
}: RunRequest): BlueprintDefinition {
  const given = { adapter, model, args, tools, instructions, output_schema, output_format };
  const fields = Object.entries(given).filter(([, value]) => value !== undefined);
  return { name: 'run', ...Object.fromEntries(fields) };
}

const FORM = ['tools', 'instructions', 'output_schema', 'output_format'] as const;

/** What a blueprint that does not say it may be given. */
const formOf = (own: BlueprintDefinition): Partial<BlueprintDefinition> =>
  Object.fromEntries(FORM.flatMap((field) => (own[field] === undefined ? [] : [[field, own[field]]])));

/** What it may call, and the form of its result, is its designer's, where that says it, and not its caller's. */
function ownedFields(request: RunRequest, blueprint: Blueprint): SchemaError[] {
  return FORM.filter((field) => request[field] !== undefined && blueprint[field] !== undefined).map((field) => ({
    path: `$.${field}`,
    message: `the blueprint '${request.blueprint}' says it`,
  }));
}

const missingVariables = (
  { env: names = [] }: BlueprintDefinition,
  env: Readonly<Record<string, string | undefined>>,
): SchemaError[] =>
  names
    .filter((name) => env[name] === undefined)
    .map((name) => ({ path: `$.env.${name}`, message: `the blueprint needs the variable ${name}, and it is not set` }));

async function wrongInput(
  { judge }: PlanPorts,
  { input_schema }: BlueprintDefinition,
  { input }: RunRequest,
): Promise<SchemaError[]> {
  if (input_schema === undefined) return [];
  if (input === undefined) return [{ path: '$.input', message: 'the blueprint wants an input' }];
  const verdict = await judge.judgeValue(input, input_schema);
  return verdict.ok ? [] : verdict.errors.map(({ path, message }) => ({ path: `$.input${path.slice(1)}`, message }));
}

/** What is asked, and below it what is given. */
function promptOf(prompt: string | undefined, input: RunRequest['input']): string {
  const given = input === undefined ? [] : [`## Input\n\n\`\`\`json\n${JSON.stringify(input, null, 2)}\n\`\`\``];
  return [...(prompt === undefined ? [] : [prompt]), ...given].join('\n\n');
}

const invalid = (errors: readonly SchemaError[]): OrchdError =>
  new OrchdError(
    'ORCHD_INVALID',
    `the run does not fit: ${errors.map(({ path, message }) => `${path}: ${message}`).join('; ')}`,
    {
      errors,
    },
  );
