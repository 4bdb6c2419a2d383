/**
 * The state machine of a task: a pure function of its state and an input.
 *
 *     pending ─plan→ planning ─output: plan→      planned ─start→ running ─report→ completed | failed
 *                     │  ▲    ─output: questions→ awaiting_input ─the last answer→ planning
 *                     │  └─plan── planned, failed
 *                     └─output: error, or none→   failed ─start→ running, if there is a plan
 *     every state that is not over ─cancel→ cancelled
 *
 * Planning and execution are runs whose result is a tool call (run.ts). Runs remind, retry, and count the call once. An
 * attempt's run gets its id before it is started, and the id is then already in the log. If the daemon dies in between,
 * the run is therefore started exactly once.
 */
import {
  type CompletionReport,
  isTaskBusy,
  mayStart,
  type RunError,
  type Task,
  type TaskAttempt,
  type TaskPlan,
  type TaskQuestion,
  type TaskState,
  type TaskTool,
} from '../../protocol/index.js';
import { briefly } from '../briefly.js';
import { aggregateOnly, ignore } from '../decided.js';
import type { TaskAggregate, TaskDecision, TaskEffect, TaskInput, TaskInputOf } from './task-aggregate.js';
import { begin, endAttempt, fail, move, note, withHistory, withTask } from './task-steps.js';

/** The blueprint of the planner. */
export const PLANNER = 'task-validator';

/** The fields of a task that has not begun. */
export const UNPLANNED = {
  current_agent: null,
  plan: null,
  questions: [],
  report: null,
  error: null,
  attempts: [],
  ended_at: null,
} satisfies Partial<Task>;

/** The planner's argument for planner-output. */
type PlannerOutput =
  | ({ readonly type: 'plan' } & TaskPlan)
  | { readonly type: 'questions'; readonly questions: readonly string[] }
  | { readonly type: 'error'; readonly error: string };

/** Returns the questions of a task that wait for an answer. */
export const openQuestions = ({ state, questions }: Pick<Task, 'state' | 'questions'>): TaskQuestion[] =>
  state === 'awaiting_input' ? unanswered(questions) : [];

const unanswered = (questions: readonly TaskQuestion[]): TaskQuestion[] =>
  questions.filter(({ answer, declined }) => answer === null && !declined);

/** Returns the tool that an attempt ends with. */
export const toolOf = ({ kind }: Pick<TaskAttempt, 'kind'>): TaskTool =>
  kind === 'planning' ? 'planner-output' : 'completion-report';

/** Creates a task. */
export function createTask(aggregate: TaskAggregate): TaskDecision {
  const { id, prompt, parent_session_id, created_at } = aggregate.task;
  const event = { event_type: 'task_created' as const, timestamp: created_at, task_id: id };
  return {
    aggregate: { ...aggregate, history: [{ timestamp: created_at, event: 'created', text: briefly(prompt) }] },
    events: [{ ...event, prompt: briefly(prompt), parent_session_id }],
    effects: [],
  };
}

/** Returns the effects that must be carried out (again) for a task of a previous daemon. */
export function resumeTask({ task, cancelledBy: by }: TaskAggregate): readonly TaskEffect[] {
  const attempt = task.attempts.at(-1);
  if (isTaskBusy(task)) return attempt ? [{ kind: 'run', attempt }] : [];
  if (task.state === 'awaiting_input') return [{ kind: 'ask', questions: openQuestions(task) }];
  if (task.state !== 'cancelled') return [];
  const open = unanswered(task.questions);
  return [
    ...(attempt ? [{ kind: 'cancel_run' as const, runId: attempt.run_id, ...(by !== undefined && { by }) }] : []),
    ...(open.length > 0 ? [{ kind: 'withdraw' as const, itemIds: open.map(({ item_id }) => item_id) }] : []),
  ];
}
type Rules = { readonly [K in TaskInput['kind']]?: (aggregate: TaskAggregate, input: TaskInputOf<K>) => TaskDecision };

/** The inputs that the run of an attempt causes. */
const WORKS: Rules = {
  submitted: takeSubmission,
  run_over: ofAttempt(({ run }) => run.id, takeRunEnd),
  not_started: ofAttempt(
    ({ runId }) => runId,
    (aggregate, { error, time }) => fail(endAttempt(aggregate, time), error, time),
  ),
  cancelled: cancel,
};

/** The inputs that change a task, by its state. Every other input changes nothing. */
const RULES: Readonly<Record<TaskState, Rules>> = {
  pending: { plan: takePlan, cancelled: cancel },
  planning: WORKS,
  // The daemon may have died after the run of an attempt was called, before the call was recorded.
  planned: { plan: takePlan, start: execute, submitted: takeSubmission, cancelled: cancel },
  awaiting_input: {
    submitted: takeSubmission,
    answered: takeAnswer,
    unasked: (aggregate, { time }) => fail(aggregate, UNASKED, time),
    cancelled: cancel,
  },
  running: WORKS,
  failed: { plan: takePlan, start: startAgain, submitted: takeSubmission },
  completed: { submitted: takeSubmission },
  cancelled: { submitted: takeSubmission },
};

/**
 * Decides the consequences of one input for a task.
 *
 * @returns The same aggregate, without events and effects, if the state of the task does not allow the input.
 */
export function decideTask(aggregate: TaskAggregate, input: TaskInput): TaskDecision {
  const { state } = aggregate.task;
  const rule = RULES[state][input.kind] as ((aggregate: TaskAggregate, input: TaskInput) => TaskDecision) | undefined;
  if (!rule) return ignore(aggregate, `a task that is ${state} takes no '${input.kind}'`);
  return rule(aggregate, input); // a rule is called with its own kind of input only
}

/** A rule for what the run of the last attempt reports. */
function ofAttempt<I extends TaskInput>(
  runOf: (input: I) => string,
  rule: (aggregate: TaskAggregate, input: I) => TaskDecision,
): (aggregate: TaskAggregate, input: I) => TaskDecision {
  return (aggregate, input) =>
    aggregate.task.attempts.at(-1)?.run_id === runOf(input)
      ? rule(aggregate, input)
      : ignore(aggregate, `${runOf(input)} is not the run of its last attempt`);
}

function takePlan(aggregate: TaskAggregate, { runId, startsItself, time }: TaskInputOf<'plan'>): TaskDecision {
  const task = startsItself === null ? aggregate.task : { ...aggregate.task, starts_itself: startsItself };
  return planAgain({ ...aggregate, task }, runId, time);
}

const planAgain = (aggregate: TaskAggregate, runId: string, time: number): TaskDecision =>
  begin(aggregate, { kind: 'planning', agent: PLANNER, runId, time });

function startAgain(aggregate: TaskAggregate, input: TaskInputOf<'start'>): TaskDecision {
  return mayStart(aggregate.task) ? execute(aggregate, input) : ignore(aggregate, 'it has no plan');
}

function execute(aggregate: TaskAggregate, { runId, agent, time }: Omit<TaskInputOf<'start'>, 'kind'>): TaskDecision {
  const whom = agent ?? aggregate.task.assigned_agent;
  return begin(withTask({ ...aggregate, chosen: agent ?? aggregate.chosen }, { assigned_agent: whom }), {
    kind: 'execution',
    agent: whom,
    runId,
    time,
  });
}

function takeRunEnd(aggregate: TaskAggregate, { run, runId, itemIds, time }: TaskInputOf<'run_over'>): TaskDecision {
  const kind = aggregate.task.attempts.at(-1)?.kind;
  const reminded = run.attempts
    .filter(({ reason }) => reason === 'reminder')
    .map(({ started_at, prompt }) => ({
      timestamp: started_at,
      event: 'reminded' as const,
      run_id: run.id,
      text: prompt,
    }));
  const ended = withHistory(endAttempt(aggregate, time), reminded);
  if (run.state !== 'completed') {
    return fail(ended, run.state === 'cancelled' || !run.error ? runCancelled(run.id) : run.error, time);
  }
  // The tool's schema has validated the argument.
  return kind === 'planning'
    ? takeOutput(ended, run.result_data as unknown as PlannerOutput, { runId, itemIds, time })
    : takeReport(ended, run.result_data as unknown as CompletionReport, time);
}

function takeSubmission(aggregate: TaskAggregate, { runId, at }: TaskInputOf<'submitted'>): TaskDecision {
  const attempt = aggregate.task.attempts.find(({ run_id }) => run_id === runId);
  if (!attempt) return ignore(aggregate, `${runId} is not a run of its attempts`);
  const event = attempt.kind === 'planning' ? 'planner_output_submitted' : 'completion_report_submitted';
  if (aggregate.history.some((entry) => entry.event === event && entry.run_id === runId))
    return ignore(aggregate, `the call of ${runId} counts already`);
  const entry = { timestamp: at, event, run_id: runId, text: `${toolOf(attempt)} was called` } as const;
  return aggregateOnly(withHistory(aggregate, [entry]));
}

function takeOutput(
  aggregate: TaskAggregate,
  output: PlannerOutput,
  { runId, itemIds, time }: { runId: string; itemIds: readonly string[]; time: number },
): TaskDecision {
  switch (output.type) {
    case 'error':
      return fail(aggregate, { error: 'PlannerError', message: output.error }, time);
    case 'questions': {
      const asked = output.questions.map(
        (question, at): TaskQuestion => ({ item_id: itemIds[at] ?? '', question, answer: null }),
      );
      const asking = withTask(aggregate, { questions: [...aggregate.task.questions, ...asked] });
      const moved = move(asking, { to: 'awaiting_input', runId: null, time });
      const noted = note(moved, time, 'questions_asked', `${asked.length} question${asked.length === 1 ? '' : 's'}`);
      return { ...noted, effects: [{ kind: 'ask', questions: asked }] };
    }
    case 'plan': {
      const { type: _type, ...plan } = output;
      const assigned_agent = aggregate.chosen ?? plan.assignedAgent ?? null;
      const planned = move(withTask(aggregate, { plan, assigned_agent }), { to: 'planned', runId: null, time });
      const noted = note(planned, time, 'planned', briefly(plan.summary));
      if (!aggregate.task.starts_itself) return noted;
      const started = execute(noted.aggregate, { runId, agent: null, time });
      return { ...started, events: [...noted.events, ...started.events] };
    }
  }
}

function takeReport(aggregate: TaskAggregate, report: CompletionReport, time: number): TaskDecision {
  const reported = withTask(aggregate, { report });
  if (report.outcome === 'failed') return fail(reported, { error: 'TaskFailed', message: report.summary }, time);
  return note(move(reported, { to: 'completed', runId: null, time }), time, 'completed', briefly(report.summary));
}

function takeAnswer(
  aggregate: TaskAggregate,
  { itemId, answer, by, runId, time }: TaskInputOf<'answered'>,
): TaskDecision {
  const asked = openQuestions(aggregate.task).find(({ item_id }) => item_id === itemId);
  if (!asked) return ignore(aggregate, `it does not wait for an answer to ${itemId}`);
  const questions = aggregate.task.questions.map((one) => {
    if (one !== asked) return one;
    return answer === null ? { ...one, declined: true as const } : { ...one, answer };
  });
  const words = `${by}: ${answer === null ? 'declined' : `“${briefly(answer)}”`}`;
  const noted = note(aggregateOnly(withTask(aggregate, { questions })), time, 'answered', words);
  return openQuestions(noted.aggregate.task).length > 0 ? noted : planAgain(noted.aggregate, runId, time);
}

function cancel(aggregate: TaskAggregate, { by, time }: TaskInputOf<'cancelled'>): TaskDecision {
  const { task } = aggregate;
  const ended = isTaskBusy(task) ? endAttempt(aggregate, time) : aggregate;
  const error = { error: 'TaskCancelled', message: 'it was cancelled' };
  const moved = move(withTask(ended, { error }), { to: 'cancelled', runId: null, time });
  const noted = note(moved, time, 'cancelled', `it was ${task.state}`);
  const cancelled = by === undefined ? noted.aggregate : { ...noted.aggregate, cancelledBy: by };
  return { ...noted, aggregate: cancelled, effects: resumeTask(cancelled) };
}

const UNASKED: RunError = {
  error: 'PlannerError',
  message: 'the session of its planner is gone, and what it asked with it: plan it again',
};
const runCancelled = (runId: string): RunError => ({
  error: 'RunCancelled',
  message: `its run ${runId} was cancelled`,
});
