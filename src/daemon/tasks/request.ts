/**
 * Builds the run for an attempt of a task: its agent, its prompt, and the required call.
 *
 * For an execution, the blueprint's own adapter is used; the task's adapter is for blueprints that name none.
 */
import { PLANNER, type TaskAggregate, toolOf } from '../../lifecycle/index.js';
import {
  type Blueprint,
  type CompletionReport,
  type Task,
  type TaskAttempt,
  withValues,
} from '../../protocol/index.js';
import type { Environment } from '../attempts/index.js';
import type { Blueprints } from '../blueprints/index.js';
import type { SessionEntry } from '../registry/index.js';
import type { RunRequest, Runs } from '../runs/index.js';
import { executionPrompt, plannerPrompt } from './prompts.js';

export interface RequestPorts {
  readonly runs: Pick<Runs, 'start' | 'collection'>;
  readonly blueprints: Pick<Blueprints, 'show' | 'list'>;
}

interface TaskRun {
  readonly aggregate: TaskAggregate;
  readonly attempt: TaskAttempt;
  readonly env: Environment;
  readonly parent: SessionEntry | null;
}

/** @throws {OrchdError} The problem of the blueprint or the run. */
export async function startTaskRun(ports: RequestPorts, { aggregate, attempt, env, parent }: TaskRun): Promise<void> {
  const { task, umask } = aggregate;
  const project = task.project ?? undefined;
  const { agent, kind } = attempt;
  const blueprint = agent === null ? null : await ports.blueprints.show(agent, project);
  const others = await assignable(ports.blueprints, project);
  const request: RunRequest = {
    ...(agent !== null && { blueprint: agent }),
    ...(project !== undefined && { project }),
    ...(task.adapter !== null && blueprint?.adapter === undefined && { adapter: task.adapter }),
    ...(task.model !== null && blueprint?.model === undefined && { model: task.model }),
    prompt: kind === 'planning' ? plannerPrompt(task, others) : executionPrompt(task, reportedBefore(ports, task)),
    limits: task.limits,
    cwd: task.cwd,
    umask,
    env: withValues(env),
  };
  await ports.runs.start(request, parent, { id: attempt.run_id, owes: { taskId: task.id, tool: toolOf(attempt) } });
}

/** Returns the report of the newest execution that has one. */
function reportedBefore({ runs }: RequestPorts, { attempts }: Task): CompletionReport | null {
  const reports = attempts.flatMap(({ kind, run_id }) =>
    kind === 'execution' ? [runs.collection.get(run_id)?.result_data] : [],
  );
  return (reports.findLast((report) => report) ?? null) as CompletionReport | null; // validated by its schema
}

/** Returns the blueprints that can be assigned. */
export async function assignable(
  blueprints: Pick<Blueprints, 'list'>,
  project: string | undefined,
): Promise<Blueprint[]> {
  return (await blueprints.list(project)).filter(({ name, problem }) => name !== PLANNER && !problem);
}
