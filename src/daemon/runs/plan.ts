/**
 * Turns a request into a run: looks up its blueprint, checks everything, and builds the agent's prompt and
 * instructions.
 *
 * In:   a client's request, and access to blueprints, adapters and the checker.
 * Out:  the initial run, or an error with all problems. Does not start a program or write to the log.
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
import type { ResultChecker } from '../../results/index.js';
import { taskTools } from '../../tools/index.js';
import { formInstructions, requireBatch, requireProgram } from '../attempts/index.js';
import type { Blueprints } from '../blueprints/index.js';

export type RunRequest = InputOf<'run.start'>;

export interface PlanPorts {
  readonly blueprints: Pick<Blueprints, 'show' | 'validate'>;
  readonly checker: Pick<ResultChecker, 'checkValue'>;
  /** The adapter for requests that name none; '' for none. */
  readonly defaultAdapter: string;
}

interface RunPlan {
  /** The initial fields of the run. */
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
  /** The tools that the run's agent is offered, including the tool of a required call. */
  readonly tools: readonly string[];
  /** True if the run's agent has a terminal. */
  readonly isInteractive: boolean;
}

/** A tool call that the agent must make before it ends. */
export interface Owed {
  readonly tool: TaskTool;
  readonly taskId: string;
}

interface RunAbout {
  /** The id of the run. */
  readonly id: string;
  /** The program's environment: a blueprint may name required variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Set if the result is a tool call. The blueprint's output format is then ignored. */
  readonly owes?: Owed | undefined;
}

/**
 * @throws {OrchdError} ORCHD_INVALID with all errors, ORCHD_BLUEPRINT_UNKNOWN, ORCHD_BLUEPRINT_DAMAGED,
 *   ORCHD_ADAPTER_UNKNOWN, ORCHD_NO_BATCH
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
    const message = 'a run with the adapter shell needs a program: give it with --arg, or as `args` of the blueprint';
    throw new OrchdError('ORCHD_NO_BATCH', message);
  }
  const form = {
    blueprint: blueprint?.name ?? null,
    adapter,
    output_schema: output_schema as Run['output_schema'], // Checked earlier to be a JSON Schema.
    output_format: owes
      ? 'call'
      : output_format === 'envelope'
        ? output_format
        : output_schema === null
          ? 'text'
          : 'json',
    ...(owes && { tool: owes.tool, task_id: owes.taskId }),
  } as const;
  const parts = [definition.instructions ?? null, formInstructions({ ...form, id })].filter((part) => part !== null);
  return {
    args,
    isInteractive,
    tools: owes ? taskTools(definition.tools, owes.tool) : (definition.tools ?? []),
    fields: {
      ...form,
      project: blueprint?.project ?? null,
      prompt,
      model: request.model ?? definition.model ?? null,
      input: request.input ?? null,
      system: parts.length === 0 ? null : parts.join('\n\n'),
      limits: { ...definition.limits, ...request.limits },
    },
  };
}

/** Without a blueprint, the request contains the whole definition. */
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

/** Fields that a request may add to a blueprint that does not define them. */
const formOf = (own: BlueprintDefinition): Partial<BlueprintDefinition> =>
  Object.fromEntries(FORM.flatMap((field) => (own[field] === undefined ? [] : [[field, own[field]]])));

/**
 * Reports fields that the request and the blueprint both define. A request cannot override the blueprint's tools and
 * output format.
 */
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
  { checker }: PlanPorts,
  { input_schema }: BlueprintDefinition,
  { input }: RunRequest,
): Promise<SchemaError[]> {
  if (input_schema === undefined) return [];
  if (input === undefined) return [{ path: '$.input', message: 'the blueprint wants an input' }];
  const verdict = await checker.checkValue(input, input_schema);
  return verdict.ok ? [] : verdict.errors.map(({ path, message }) => ({ path: `$.input${path.slice(1)}`, message }));
}

/** Joins the prompt and the input. */
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
