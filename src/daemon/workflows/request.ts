/**
 * Builds the run for a step's request: the agent program and the output format.
 *
 * The program is that of the blueprint, else of the profile, else of the workflow run, else the configured one. A model
 * belongs to the program that is named beside it. A blueprint's own output format has priority; the declared outputs
 * are then searched for in its result.
 */
import {
  type Blueprint,
  OrchdError,
  type SchemaError,
  type WorkflowProfile,
  withValues,
} from '../../protocol/index.js';
import {
  type Agent,
  type Head,
  type MachineSelector,
  outputSchema,
  type PartRequest,
  planOf,
  type Workflow,
} from '../../workflow/index.js';
import { type Environment, requireProgram } from '../attempts/index.js';
import type { Blueprints } from '../blueprints/index.js';
import { findProgram } from '../program/index.js';
import type { RunRequest } from '../runs/index.js';

export interface ProgramPorts {
  readonly blueprints: Pick<Blueprints, 'show'>;
  /** The adapter for requests that name none; '' for none. */
  readonly defaultAdapter: string;
  readonly remoteRuns: { check(place: MachineSelector): Promise<void>; isHere(place: MachineSelector): boolean };
}

type Asked = Pick<Agent, 'blueprint' | 'profile'>;
type Given = Pick<Head, 'adapter' | 'model' | 'profiles' | 'project'>;
/** The folder and the environment, and which steps will run. */
type Where = Pick<Head, 'cwd'> & { readonly env: Environment; readonly isWanted: (stepId: string) => boolean };

/** @throws {OrchdError} ORCHD_BLUEPRINT_UNKNOWN, ORCHD_BLUEPRINT_DAMAGED */
export async function requestOf(
  ports: ProgramPorts,
  { head, request, env }: { readonly head: Head; readonly request: PartRequest; readonly env: Environment },
): Promise<RunRequest> {
  const { cwd, umask } = head;
  return {
    ...(await formOf(ports, { ...request, schema: schemaOf(request), limits: limitsOf(request) }, head)),
    cwd,
    umask,
    env: withValues(env),
  };
}

/** Returns the JSON Schema of the declared outputs; null without outputs. */
export const schemaOf = ({ outputs }: Pick<PartRequest, 'outputs'>): RunRequest['output_schema'] | null =>
  outputSchema(outputs) as RunRequest['output_schema'] | null; // outputSchema builds a JSON Schema

export const limitsOf = ({ timeoutMs, budget }: PartRequest): NonNullable<RunRequest['limits']> => ({
  ...(timeoutMs !== null && { timeout: timeoutMs / 1000 }),
  ...(budget !== null && { max_cost: budget }),
});

interface Form extends Asked {
  readonly prompt: string;
  readonly schema: RunRequest['output_schema'] | null | undefined;
  readonly limits: NonNullable<RunRequest['limits']>;
}

/**
 * Returns the request without its directory and environment.
 *
 * @throws {OrchdError} ORCHD_BLUEPRINT_UNKNOWN, ORCHD_BLUEPRINT_DAMAGED
 */
export async function formOf(ports: ProgramPorts, asked: Form, given: Given): Promise<RunRequest> {
  const { project } = given;
  const { prompt, schema, limits } = asked;
  const blueprint = await blueprintOf(ports, asked, project);
  const hasForm = blueprint?.output_schema !== undefined || blueprint?.output_format !== undefined;
  return {
    ...(blueprint && { blueprint: blueprint.name }),
    ...(project !== null && { project }),
    ...programOf(blueprint, asked, given),
    ...(schema && !hasForm && { output_schema: schema }),
    prompt,
    limits,
  };
}

/** @throws {OrchdError} ORCHD_INVALID if REQUIRES names a profile that is not configured here. */
export function requireProfile({ blueprint, profile }: Asked, profiles: Given['profiles']): void {
  if (blueprint !== null || profile === null || Object.hasOwn(profiles, profile)) return;
  const known = Object.keys(profiles).join(', ') || 'there are none';
  const message = `no profile '${profile}' (${known}); \`[profiles.${profile}]\` in the configuration makes one`;
  throw new OrchdError('ORCHD_INVALID', message);
}

/**
 * Checks every blueprint, profile and program before the workflow begins.
 * @throws {OrchdError} ORCHD_INVALID with all problems.
 */
export async function checkPrograms(ports: ProgramPorts, workflow: Workflow, given: Given & Where): Promise<void> {
  const errors: SchemaError[] = [];
  const used = new Set<Agent>();
  for (const { id, goal } of planOf(workflow).steps) {
    if (goal.kind === 'ask' || !given.isWanted(id)) continue;
    used.add(goal);
    for (const agent of workflow.agents) if (goal.agents.includes(agent.name)) used.add(agent);
  }
  for (const agent of [...used].sort((a, b) => a.line - b.line)) {
    try {
      if (agent.place) await ports.remoteRuns.check(agent.place);
      if (!agent.place || ports.remoteRuns.isHere(agent.place)) await checkProgram(ports, agent, given);
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

async function checkProgram(ports: ProgramPorts, agent: Agent, given: Given & Where): Promise<void> {
  const blueprint = await blueprintOf(ports, agent, given.project);
  if (blueprint?.input_schema !== undefined) {
    const message = `the blueprint '${blueprint.name}' wants an input (input_schema), and a goal has a prompt only`;
    throw new OrchdError('ORCHD_INVALID', message);
  }
  requireProfile(agent, given.profiles);
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
