/**
 * From an attempt of a task to its run: who does it, what it is told, and the call that it owes.
 *
 * A blueprint's own agent program counts for who does what is planned; the task's is for blueprints that name none.
 */
import { PLANNER, type TaskBook, toolOf } from '../../lifecycle/index.js';
import type { Blueprint, CompletionReport, Task, TaskAttempt } from '../../protocol/index.js';
import type { Blueprints } from '../blueprints/blueprints.js';
import type { Environment } from '../runs/environments.js';
import type { RunRequest } from '../runs/plan.js';
import type { Runs } from '../runs/runs.js';
import type { SessionEntry } from '../session-entry.js';
import { executionPrompt, plannerPrompt } from './prompts.js';

export interface RequestPorts {
  readonly runs: Pick<Runs, 'start' | 'shelf'>;
  readonly blueprints: Pick<Blueprints, 'show' | 'list'>;
}

export interface TaskRun {
  readonly book: TaskBook;
  readonly attempt: TaskAttempt;
  readonly env: Environment;
  readonly parent: SessionEntry | null;
}

/** @throws {OrchdError} Whatever is wrong with the blueprint or the run. */
export async function startTaskRun(ports: RequestPorts, { book, attempt, env, parent }: TaskRun): Promise<void> {
  const { task, umask } = book;
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
    ...{ limits: task.limits, cwd: task.cwd, umask },
    env: Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined)),
  };
  await ports.runs.start(request, parent, { id: attempt.run_id, owes: { taskId: task.id, tool: toolOf(attempt) } });
}

/** By the newest execution that has reported. */
function reportedBefore({ runs }: RequestPorts, { attempts }: Task): CompletionReport | null {
  const reports = attempts.flatMap(({ kind, run_id }) =>
    kind === 'execution' ? [runs.shelf.get(run_id)?.result_data] : [],
  );
  return (reports.findLast((report) => report) ?? null) as CompletionReport | null; // its schema was checked
}

/** Who may do what is planned. */
export async function assignable(
  blueprints: Pick<Blueprints, 'list'>,
  project: string | undefined,
): Promise<Blueprint[]> {
  return (await blueprints.list(project)).filter(({ name, problem }) => name !== PLANNER && !problem);
}
