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
 *
 * The file is long because every input of a task has its rule here.
 */
import {
  type CompletionReport,
  isTaskBusy,
  isTaskOver,
  mayPlan,
  mayStart,
  type Run,
  type RunError,
  type Task,
  type TaskAttempt,
  type TaskHistoryEntry,
  type TaskPlan,
  type TaskQuestion,
  type TaskState,
  type TaskTool,
} from '../protocol/index.js';
import { briefly } from './briefly.js';
import { aggregateOnly, type Decided, ignore } from './decided.js';
import { timestamp } from './timestamp.js';

/** The blueprint of the planner. */
export const PLANNER = 'task-validator';

/** The state of a task. */
export interface TaskAggregate {
  readonly task: Task;
  /** The agent that a person chose; null if none. A plan assigns an agent only if no person did. */
  readonly chosen: string | null;
  readonly umask: number;
  readonly history: readonly TaskHistoryEntry[];
  /** The client or the session that has cancelled it. */
  readonly cancelledBy?: string;
}

export type TaskInput =
  /** `startsItself`: null to keep the current value. */
  | { readonly kind: 'plan'; readonly runId: string; readonly startsItself: boolean | null; readonly time: number }
  /** `agent`: null for the assigned one. */
  | { readonly kind: 'start'; readonly runId: string; readonly agent: string | null; readonly time: number }
  /** The attempt's run has made the required call. */
  | { readonly kind: 'submitted'; readonly runId: string; readonly at: string }
  /** Its run has ended. `runId`: the id for the next attempt; `itemIds`: ids for questions, one for each. */
  | {
      readonly kind: 'run_over';
      readonly run: Pick<Run, 'id' | 'state' | 'result_data' | 'error' | 'attempts'>;
      readonly runId: string;
      readonly itemIds: readonly string[];
      readonly time: number;
    }
  /** The attempt's run could not be created. */
  | { readonly kind: 'not_started'; readonly runId: string; readonly error: RunError; readonly time: number }
  /** The task's questions cannot be shown, because the session that asked is gone. */
  | { readonly kind: 'unasked'; readonly time: number }
  /**
   * A question was answered; `answer` is null if it was declined. `runId`: the id of the planning run after the last
   * answer.
   */
  | {
      readonly kind: 'answered';
      readonly itemId: string;
      readonly answer: string | null;
      readonly by: string;
      readonly runId: string;
      readonly time: number;
    }
  /** `by`: as `cancelledBy` of the aggregate. */
  | { readonly kind: 'cancelled'; readonly by?: string; readonly time: number };

export type TaskEffect =
  /** Start the run of the last attempt if it was not started yet. Otherwise its end is reported. */
  | { readonly kind: 'run'; readonly attempt: TaskAttempt }
  /** Open these questions as items if they were not opened yet. Otherwise their answers are reported. */
  | { readonly kind: 'ask'; readonly questions: readonly TaskQuestion[] }
  | { readonly kind: 'cancel_run'; readonly runId: string; readonly by?: string }
  | { readonly kind: 'withdraw'; readonly itemIds: readonly string[] };

export type TaskDecision = Decided<TaskAggregate, TaskEffect>;

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

export { isTaskBusy, isTaskOver, mayPlan, mayStart };

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

type InputOf<K extends TaskInput['kind']> = Extract<TaskInput, { kind: K }>;
type Rules = { readonly [K in TaskInput['kind']]?: (aggregate: TaskAggregate, input: InputOf<K>) => TaskDecision };

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

// ── attempts ────────────────────────────────────────────────────────────────────────────────────────────────────────

function takePlan(aggregate: TaskAggregate, { runId, startsItself, time }: InputOf<'plan'>): TaskDecision {
  const task = startsItself === null ? aggregate.task : { ...aggregate.task, starts_itself: startsItself };
  return planAgain({ ...aggregate, task }, runId, time);
}

const planAgain = (aggregate: TaskAggregate, runId: string, time: number): TaskDecision =>
  begin(aggregate, { kind: 'planning', agent: PLANNER, runId, time });

function startAgain(aggregate: TaskAggregate, input: InputOf<'start'>): TaskDecision {
  return mayStart(aggregate.task) ? execute(aggregate, input) : ignore(aggregate, 'it has no plan');
}

function execute(aggregate: TaskAggregate, { runId, agent, time }: Omit<InputOf<'start'>, 'kind'>): TaskDecision {
  const whom = agent ?? aggregate.task.assigned_agent;
  return begin(withTask({ ...aggregate, chosen: agent ?? aggregate.chosen }, { assigned_agent: whom }), {
    kind: 'execution',
    agent: whom,
    runId,
    time,
  });
}

interface Beginning extends Pick<TaskAttempt, 'kind' | 'agent'> {
  readonly runId: string;
  readonly time: number;
}

function begin(aggregate: TaskAggregate, { kind, agent, runId, time }: Beginning): TaskDecision {
  const { task } = aggregate;
  const attempt: TaskAttempt = {
    number: task.attempts.length + 1,
    kind,
    agent,
    run_id: runId,
    started_at: timestamp(time),
    ended_at: null,
  };
  const begun = withTask(aggregate, { current_agent: agent, attempts: [...task.attempts, attempt], report: null });
  const change = kind === 'planning' ? (['planning', 'planning_started'] as const) : (['running', 'started'] as const);
  const moved = move(begun, { to: change[0], runId, time });
  return note(
    { ...moved, effects: [{ kind: 'run', attempt }] },
    time,
    change[1],
    `by ${agent ?? 'the default agent'}`,
    runId,
  );
}

function takeRunEnd(aggregate: TaskAggregate, { run, runId, itemIds, time }: InputOf<'run_over'>): TaskDecision {
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

function endAttempt(aggregate: TaskAggregate, time: number): TaskAggregate {
  const last = aggregate.task.attempts.at(-1);
  if (!last) return aggregate;
  const attempts = [...aggregate.task.attempts.slice(0, -1), { ...last, ended_at: timestamp(time) }];
  return withTask(aggregate, { attempts, current_agent: null });
}

// ── results of agents ───────────────────────────────────────────────────────────────────────────────────────────────

function takeSubmission(aggregate: TaskAggregate, { runId, at }: InputOf<'submitted'>): TaskDecision {
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

// ── answers of people ───────────────────────────────────────────────────────────────────────────────────────────────

function takeAnswer(aggregate: TaskAggregate, { itemId, answer, by, runId, time }: InputOf<'answered'>): TaskDecision {
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

function cancel(aggregate: TaskAggregate, { by, time }: InputOf<'cancelled'>): TaskDecision {
  const { task } = aggregate;
  const ended = isTaskBusy(task) ? endAttempt(aggregate, time) : aggregate;
  const error = { error: 'TaskCancelled', message: 'it was cancelled' };
  const moved = move(withTask(ended, { error }), { to: 'cancelled', runId: null, time });
  const noted = note(moved, time, 'cancelled', `it was ${task.state}`);
  const cancelled = by === undefined ? noted.aggregate : { ...noted.aggregate, cancelledBy: by };
  return { ...noted, aggregate: cancelled, effects: resumeTask(cancelled) };
}

// ── states ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const UNASKED: RunError = {
  error: 'PlannerError',
  message: 'the session of its planner is gone, and what it asked with it: plan it again',
};
const runCancelled = (runId: string): RunError => ({
  error: 'RunCancelled',
  message: `its run ${runId} was cancelled`,
});

function fail(aggregate: TaskAggregate, error: RunError, time: number): TaskDecision {
  const moved = move(withTask(aggregate, { error }), { to: 'failed', runId: null, time });
  return note(moved, time, 'failed', error.message);
}

function move(
  aggregate: TaskAggregate,
  { to, runId, time }: { to: TaskState; runId: string | null; time: number },
): TaskDecision {
  const { id, state: previous } = aggregate.task;
  const isOver = isTaskOver({ state: to });
  const moved = withTask(aggregate, {
    state: to,
    ...(isOver ? { ended_at: timestamp(time) } : { error: null, ended_at: null }),
  });
  const event = { event_type: 'task_state_changed' as const, timestamp: timestamp(time), task_id: id };
  return {
    aggregate: moved,
    events: [{ ...event, state: to, previous, run_id: runId, error: moved.task.error }],
    effects: [],
  };
}

function note(
  decision: TaskDecision,
  time: number,
  event: TaskHistoryEntry['event'],
  text: string,
  runId?: string,
): TaskDecision {
  const entry = { timestamp: timestamp(time), event, ...(runId !== undefined && { run_id: runId }), text };
  return { ...decision, aggregate: withHistory(decision.aggregate, [entry]) };
}

const withTask = (aggregate: TaskAggregate, changes: Partial<Task>): TaskAggregate => ({
  ...aggregate,
  task: { ...aggregate.task, ...changes },
});

/** Adds entries in the order of time, because a run reports earlier events at its end. */
function withHistory(aggregate: TaskAggregate, entries: readonly TaskHistoryEntry[]): TaskAggregate {
  const history = [...aggregate.history, ...entries].sort((a, b) =>
    a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0,
  );
  return { ...aggregate, history };
}
