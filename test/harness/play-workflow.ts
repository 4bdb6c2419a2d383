/** Plays a workflow with its pure decisions alone. The caller determines how runs end and which answers are given. */
import {
  createProgress,
  type Head,
  type Means,
  type PartRequest,
  type Progress,
  parse,
  type RunEnd,
  recordOf,
  step,
  type WorkflowDecision,
  type WorkflowEffect,
  type WorkflowInput,
} from '../../src/workflow/index.js';

export interface WorkflowPlay {
  readonly progress: Progress;
  /** Started parts that have not ended, the oldest first. */
  readonly running: readonly PartRequest[];
  readonly asking: readonly Extract<WorkflowEffect, { kind: 'ask' }>[];
  /** All effects so far. */
  readonly effects: readonly WorkflowEffect[];
  readonly events: WorkflowDecision['events'];
  take(input: WorkflowInput): void;
  /** Ends the oldest run of a step: with its result, or (an Error) with a failure. */
  end(stepId: string, result: unknown, agent?: string | null): void;
}

/**
 * @param restarts  True to convert the stored state to JSON and back between any two decisions, as a restart of the
 *   daemon does.
 */
export function playWorkflow(
  text: string,
  given: Partial<Pick<Head, 'jobs' | 'inputs'>> = {},
  restarts = true,
): WorkflowPlay {
  const { workflow, problems } = parse(text);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  const head: Head = {
    id: 'wfl_1',
    name: 'test',
    workflow,
    inputs: {},
    jobs: 1,
    adapter: null,
    model: null,
    profiles: {},
    project: null,
    cwd: '/',
    umask: 0,
    parentSessionId: null,
    state: 'running',
    error: null,
    createdAt: 'then',
    endedAt: null,
    ...given,
  };
  let ids = 0;
  const means: Means = {
    time: 0,
    at: '2026-01-02T00:00:00.000Z',
    newRunId: () => `run_${++ids}`,
    newItemId: () => `itm_${++ids}`,
  };
  let { aggregate: progress, events, effects } = createProgress(head, means);
  const over = new Set<string>();
  const play: WorkflowPlay = {
    get progress() {
      return progress;
    },
    get running() {
      return effects.flatMap((effect) =>
        effect.kind === 'run' && !over.has(effect.request.runId) ? [effect.request] : [],
      );
    },
    get asking() {
      return effects.flatMap((effect) => (effect.kind === 'ask' && !over.has(effect.itemId) ? [effect] : []));
    },
    get effects() {
      return effects;
    },
    get events() {
      return events;
    },
    take(input) {
      if (input.kind === 'answered' || input.kind === 'timed_out') over.add(input.itemId);
      if (input.kind === 'run_over') over.add(input.run.id);
      const decision = step(restarts ? (JSON.parse(JSON.stringify(progress)) as Progress) : progress, input, means);
      progress = decision.aggregate;
      events = [...events, ...decision.events];
      effects = [...effects, ...decision.effects];
    },
    end(stepId, result, agent) {
      const request = play.running.find((one) => one.stepId === stepId && (agent === undefined || one.agent === agent));
      if (!request) throw new Error(`nothing of ${stepId} runs`);
      play.take({ kind: 'run_over', run: endOf(request.runId, result) });
    },
  };
  return play;
}

export function endOf(id: string, result: unknown): RunEnd {
  const none = { id, result_text: null, result_data: null, error: null };
  if (result instanceof Error)
    return { ...none, state: 'failed', error: { error: 'AgentError', message: result.message } };
  if (typeof result === 'string') return { ...none, state: 'completed', result_text: result };
  return { ...none, state: 'completed', result_data: result as RunEnd['result_data'] };
}

/** Returns `step state` for each step. */
export const states = ({ progress }: WorkflowPlay): string[] => progress.steps.map(({ id, state }) => `${id} ${state}`);

export const variables = ({ progress }: WorkflowPlay): Record<string, unknown> =>
  Object.fromEntries(recordOf(progress).variables.map(({ name, value }) => [name, value]));
