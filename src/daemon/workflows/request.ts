/**
 * Builds the run for a step's request: the agent program and the output format.
 *
 * The program is that of the blueprint, else of the profile, else of the workflow run, else the configured one. A model
 * belongs to the program that is named beside it. A blueprint's own output format has priority; the declared outputs
 * are then searched for in its result.
 */
import { type Blueprint, OrchdError, type SchemaError, type WorkflowProfile } from '../../protocol/index.js';
import { type Agent, type Head, outputSchema, type PartRequest, planOf, type Workflow } from '../../workflow/index.js';
import { type Environment, requireProgram } from '../attempts/index.js';
import type { Blueprints } from '../blueprints/index.js';
import { findProgram } from '../program/index.js';
import type { RunRequest } from '../runs/index.js';

export interface ProgramPorts {
  readonly blueprints: Pick<Blueprints, 'show'>;
  /** The adapter for requests that name none; '' for none. */
  readonly defaultAdapter: string;
}

type Asked = Pick<Agent, 'blueprint' | 'profile'>;
type Given = Pick<Head, 'adapter' | 'model' | 'profiles' | 'project'>;
/** The folder and the environment, and which steps will run. */
type Place = Pick<Head, 'cwd'> & { readonly env: Environment; readonly isWanted: (stepId: string) => boolean };

/** @throws {OrchdError} ORCHD_BLUEPRINT_UNKNOWN, ORCHD_BLUEPRINT_DAMAGED */
export async function requestOf(
  ports: ProgramPorts,
  { head, request, env }: { readonly head: Head; readonly request: PartRequest; readonly env: Environment },
): Promise<RunRequest> {
  const { project, cwd, umask } = head;
  const { outputs, timeoutMs, budget } = request;
  const blueprint = await blueprintOf(ports, request, project);
  const hasForm = blueprint?.output_schema !== undefined || blueprint?.output_format !== undefined;
  const schema = hasForm ? null : outputSchema(outputs);
  return {
    ...(blueprint && { blueprint: blueprint.name }),
    ...(project !== null && { project }),
    ...programOf(blueprint, request, head),
    ...{ prompt: request.prompt, cwd, umask },
    // Checked earlier to be a JSON Schema.
    ...(schema && { output_schema: schema as NonNullable<RunRequest['output_schema']> }),
    limits: {
      ...(timeoutMs !== null && { timeout: timeoutMs / 1000 }),
      ...(budget !== null && { max_cost: budget }),
    },
    env: Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined)),
  };
}

/**
 * Checks every blueprint, profile and program before the workflow begins.
 * @throws {OrchdError} ORCHD_INVALID with all problems.
 */
export async function checkPrograms(ports: ProgramPorts, workflow: Workflow, given: Given & Place): Promise<void> {
  const errors: SchemaError[] = [];
  const used = new Set<Agent>();
  for (const { id, goal } of planOf(workflow).steps) {
    if (goal.kind === 'ask' || !given.isWanted(id)) continue;
    used.add(goal);
    for (const agent of workflow.agents) if (goal.agents.includes(agent.name)) used.add(agent);
  }
  for (const agent of [...used].sort((a, b) => a.line - b.line)) {
    try {
      await checkProgram(ports, agent, given);
    } catch (error) {
      if (!(error instanceof OrchdError)) throw error;
      const kind = 'kind' in agent ? 'GOAL' : 'AGENT';
      errors.push({ path: '$.agentfile', message: `line ${agent.line}: ${kind} ${agent.name}: ${error.message}` });
    }
  }
  const [first] = errors;
  if (!first) return;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new OrchdError('ORCHD_INVALID', `the workflow cannot run: ${first.message}${more}`, { errors });
}

async function checkProgram(ports: ProgramPorts, agent: Agent, given: Given & Place): Promise<void> {
  const blueprint = await blueprintOf(ports, agent, given.project);
  if (blueprint?.input_schema !== undefined) {
    const message = `the blueprint '${blueprint.name}' wants an input (input_schema), and a goal has a prompt only`;
    throw new OrchdError('ORCHD_INVALID', message);
  }
  if (!blueprint && agent.profile !== null && !Object.hasOwn(given.profiles, agent.profile)) {
    const known = Object.keys(given.profiles).join(', ') || 'there are none';
    const message = `no profile '${agent.profile}' (${known}); \`[profiles.${agent.profile}]\` in the configuration makes one`;
    throw new OrchdError('ORCHD_INVALID', message);
  }
  const adapter = blueprint?.adapter ?? programOf(blueprint, agent, given).adapter ?? ports.defaultAdapter;
  const { program } = await requireProgram(adapter);
  const word = program ?? blueprint?.args?.[0];
  if (!word) {
    const message = `the adapter ${adapter} takes its program from a blueprint's args, and there are none`;
    throw new OrchdError('ORCHD_NO_BATCH', message);
  }
  findProgram(word, given.cwd, given.env['PATH']);
}

/** Returns the program options of the run, in addition to its blueprint. */
function programOf(
  blueprint: Blueprint | null,
  { profile }: Asked,
  { adapter, model, profiles }: Given,
): WorkflowProfile {
  if (blueprint?.adapter !== undefined) return {};
  const own = blueprint ? {} : profile === null ? {} : (profiles[profile] ?? {});
  const named = own.adapter ?? adapter;
  const modelOf = own.model ?? (own.adapter === undefined ? model : null);
  return {
    ...(named !== null && { adapter: named }),
    ...(modelOf !== null && blueprint?.model === undefined && { model: modelOf }),
  };
}

async function blueprintOf(
  { blueprints }: ProgramPorts,
  { blueprint }: Asked,
  project: string | null,
): Promise<Blueprint | null> {
  return blueprint === null ? null : blueprints.show(blueprint, project ?? undefined);
}
