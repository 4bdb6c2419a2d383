/**
 * Starts an attempt: its adapter builds the command line of one turn, and a batch session is started for it with the id
 * that is already in the log.
 */
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { RunAggregate } from '../../lifecycle/index.js';
import { asId, type Paths, type Run, type RunAttempt, withValues } from '../../protocol/index.js';
import type { BatchCommand, BatchRequest, BatchTraits } from '../../session/index.js';
import { fieldKind, offeredTools } from '../../tools/index.js';
import { agentDir, findProgram, newToken, toolsServer } from '../program/index.js';
import type { Registry } from '../registry/index.js';
import type { Sessions } from '../sessions/index.js';
import { requireBatch } from './batch.js';
import type { Environment } from './environments.js';

export interface AttemptBeginPorts {
  readonly paths: Paths;
  readonly registry: Registry;
  readonly sessions: Sessions;
}

interface Attempt {
  readonly aggregate: RunAggregate;
  readonly attempt: RunAttempt;
  /** The agent's own id of the conversation to resume; null for a new one. */
  readonly resume: string | null;
  readonly env: Environment;
}

/** @throws {OrchdError} The error of the program, its directory or its adapter. */
export async function beginAttempt(
  ports: AttemptBeginPorts,
  { aggregate, attempt, resume, env }: Attempt,
): Promise<void> {
  const { paths, registry, sessions } = ports;
  const { run, args, umask } = aggregate;
  const { program, traits } = await requireBatch(run.adapter);
  const argv = program === null ? args : [program, ...args];
  const [word = ''] = argv; // plan.ts requires at least one word.
  const { cwd, model } = run;
  const id = asId('session', attempt.session_id);
  // A plain program is not asked for its flags, because calling it with --help could have any effect.
  const flags = program === null ? NO_FLAGS : await flagsIn(paths, findProgram(word, cwd, env['PATH']), argv, env, cwd);
  const { MACHINE: machine } = await import('../../session/index.js');
  const token = newToken();
  const request = {
    argv,
    env,
    prompt: attempt.prompt,
    system: run.system,
    model,
    resume,
    uuid: randomUUID(),
    maxTurns: run.limits.max_turns ?? null,
    dir: agentDir(paths, id),
    hasFlag: (flag: string) => flags.has(flag),
    machine,
  };
  const command = await commandOf(traits, request, aggregate.tools ?? [], {
    socket: paths.socket,
    sessionId: id,
    token,
  });
  const parent = run.parent_session_id === null ? undefined : registry.get(run.parent_session_id);
  await sessions.start(
    {
      command: [...command.argv],
      mode: 'batch',
      cwd,
      umask,
      adapter: run.adapter,
      ...(command.stdin !== null && { stdin: command.stdin }),
      env: withValues({ ...env, ...command.env, ORCHD_RUN_ID: run.id }),
    },
    parent ?? null,
    {
      id,
      token,
      ...(run.task_id !== undefined && { taskId: run.task_id }),
      runId: run.id,
      files: command.files,
      label: labelOf(run) ?? basename(word),
    },
  );
}

/** Builds the command with the run's tools. An agent without MCP gets instructions to call them from its shell. */
async function commandOf(
  traits: BatchTraits,
  request: BatchRequest,
  names: readonly string[],
  identity: { readonly socket: string; readonly sessionId: string; readonly token: string },
): Promise<BatchCommand> {
  if (names.length === 0) return traits.command(request);
  const tools = toolsServer(identity, names);
  const offering = traits.command({ ...request, tools });
  if (offering.hasTools) return offering;
  const { shellCall } = await import('../../session/index.js');
  const parts = [request.system, shellInstructions(names, shellCall(tools))].filter((part) => part !== null);
  return traits.command({ ...request, tools, system: parts.join('\n\n') });
}

const NO_FLAGS: ReadonlySet<string> = new Set();

async function flagsIn(
  { agentFlagsFile: cacheFile }: Paths,
  file: string,
  argv: readonly string[],
  env: Environment,
  cwd: string,
): Promise<ReadonlySet<string>> {
  const { flagsOf } = await import('../../session/index.js');
  return (await flagsOf(file, argv, { env, cwd, cacheFile })).flags;
}

/**
 * Returns the name for a run's session: its step of a workflow, or its blueprint. Null stands for the program's name.
 */
export function labelOf({ step_id, step_agent, blueprint }: Run): string | null {
  if (step_id === undefined) return blueprint;
  return step_agent === undefined ? step_id : `${step_id}.${step_agent}`;
}

/**
 * Describes the tools of a run for an agent without MCP, which calls them in its shell.
 *
 * @param call The command before the tool's name.
 */
export function shellInstructions(names: readonly string[], call: string): string {
  const tools = offeredTools(names).map(({ name, summary, input }) => {
    const fields = Object.entries(input.properties).map(([field, schema]) => {
      return `${field} (${fieldKind(schema)}${input.required?.includes(field) ? ', required' : ''})`;
    });
    return `- ${name}: ${summary} Input: ${fields.join(', ')}.`;
  });
  return `## Tools

Besides your own tools you have these. Call one in your shell, with its input as one JSON object; what it prints is its result:

    ${call} NAME --input '{"field": "value"}'

${tools.join('\n')}`;
}
