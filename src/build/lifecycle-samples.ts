/**
 * A run and a task in each state, and each possible input: for the tables in protocol/lifecycle.md, and for the tests
 * that try every pair (test/harness/lifecycle-samples.ts).
 */

import {
  type AttemptEnd,
  type AttemptVerdict,
  decideRun,
  type RunAggregate,
  type RunInput,
  UNBEGUN,
} from '../lifecycle/runs/index.js';
import { decideTask, UNPLANNED } from '../lifecycle/tasks/task.js';
import type { TaskAggregate, TaskInput } from '../lifecycle/tasks/task-aggregate.js';
import { timeOf } from '../lifecycle/timestamp.js';
import type { Run, Task, TaskState } from '../protocol/index.js';

const CREATED = '2026-01-01T00:00:00.000Z';
const NOW = timeOf(CREATED);

// ── runs ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const RUN: Run = {
  id: 'run_1',
  state: 'queued',
  blueprint: null,
  project: null,
  adapter: 'claude',
  model: null,
  prompt: 'Summarize',
  input: null,
  system: null,
  output_schema: null,
  output_format: 'text',
  limits: {},
  cwd: '/',
  parent_session_id: null,
  retry_of: null,
  created_at: CREATED,
  ...UNBEGUN,
};
const runAggregate = (changes: Partial<Run> = {}): RunAggregate => ({
  run: { ...RUN, ...changes },
  args: [],
  umask: 0o022,
  ending: null,
  blindWaits: 0,
});
const END: AttemptEnd = {
  exitCode: 0,
  text: 'Done.',
  agentSessionId: 'abc',
  usage: null,
  error: null,
  limit: null,
  verdict: null,
};
const ended = (end: Partial<AttemptEnd>, time = NOW + 1000): Extract<RunInput, { kind: 'ended' }> => ({
  kind: 'ended',
  end: { ...END, ...end },
  nextSessionId: 'ses_next',
  time,
});
const TURN = { kind: 'turn', sessionId: 'ses_1', time: NOW } as const satisfies RunInput;
export const UNFIT: Extract<AttemptVerdict, { ok: false }> = {
  ok: false,
  errors: [{ path: '$.a', message: "'a' is a required property" }],
  prompt: 'Again',
};
export const LIMITED = { text: null, error: { error: 'AgentError', message: 'limit reached' } };
/** A run that is over when its agent has called the tool. */
export const OWING = runAggregate({ output_format: 'call', tool: 'completion-report', task_id: 'tsk_1' });
const SUBMITTED = {
  kind: 'submitted',
  callId: 'c1',
  data: { summary: 'Done' },
  time: NOW,
} as const satisfies RunInput;
/** The end of a batch attempt whose agent asked a question. */
export const ASKED = {
  text: 'Which one?',
  asked: { questions: [{ itemId: 'itm_1', question: 'Which one?', answer: null }], isLast: true },
} as const;
const CANCELLED = { kind: 'cancelled', time: NOW } as const satisfies RunInput;

const playRun = (aggregate: RunAggregate, ...inputs: readonly RunInput[]): RunAggregate =>
  inputs.reduce((before, input) => decideRun(before, input).aggregate, aggregate);

export const RUN_STATES = {
  queued: runAggregate(),
  running: playRun(runAggregate(), TURN),
  'running, and owes a call': playRun(OWING, TURN),
  'running, and has made its call': playRun(OWING, TURN, SUBMITTED),
  'running, and asks': playRun(runAggregate(), TURN, ended(ASKED)),
  'running, and is being ended': playRun(runAggregate(), TURN, CANCELLED),
  rate_limited: playRun(runAggregate(), TURN, ended({ ...LIMITED, limit: { resetsAt: NOW } })),
  completed: playRun(runAggregate(), TURN, ended({})),
  failed: playRun(runAggregate(), TURN, ended({ text: null })),
  cancelled: playRun(runAggregate(), CANCELLED),
} as const satisfies Record<string, RunAggregate>;

export const RUN_INPUTS = {
  turn: TURN,
  'ended, and its text fits': ended({}),
  'ended, and its text does not fit': ended({ verdict: UNFIT }),
  'ended with an error': ended({ error: { error: 'AgentError', message: 'no' } }),
  'ended, and the account is used up': ended({ ...LIMITED, limit: { resetsAt: NOW } }),
  'ended with a question': ended(ASKED),
  not_started: { kind: 'not_started', error: { error: 'AgentStartError', message: 'no' }, time: NOW },
  'answered, the last': { kind: 'answered', itemId: 'itm_1', answer: 'x', time: NOW },
  submitted: SUBMITTED,
  limit_over: { kind: 'limit_over', time: NOW },
  timed_out: { kind: 'timed_out', time: NOW },
  cancelled: CANCELLED,
} as const satisfies Record<string, RunInput>;

// ── tasks ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const TASK: Task = {
  id: 'tsk_1',
  state: 'pending',
  prompt: 'Count',
  assigned_agent: null,
  starts_itself: false,
  project: null,
  adapter: null,
  model: null,
  limits: {},
  cwd: '/',
  parent_session_id: null,
  created_at: CREATED,
  ...UNPLANNED,
};
const taskAggregate = (changes: Partial<Task> = {}): TaskAggregate => ({
  task: { ...TASK, ...changes },
  chosen: changes.assigned_agent ?? null,
  umask: 0o022,
  history: [],
});

const PLANNED = {
  type: 'plan',
  summary: 'Two steps',
  requirements: ['r'],
  acceptanceCriteria: ['c'],
  plan: ['a', 'b'],
};
const PLAN = { kind: 'plan', runId: 'run_1', startsItself: null, time: NOW } as const satisfies TaskInput;
const START = { kind: 'start', runId: 'run_1', agent: null, time: NOW } as const satisfies TaskInput;

/** An end of a run that all samples share. */
const runOver = (
  result: Partial<Pick<Run, 'state' | 'result_data' | 'error' | 'attempts'>>,
): Extract<TaskInput, { kind: 'run_over' }> => ({
  kind: 'run_over',
  run: { id: 'run_1', state: 'completed', result_data: null, error: null, attempts: [], ...result },
  runId: 'run_2',
  itemIds: ['itm_1', 'itm_2'],
  time: NOW + 1000,
});
const QUESTIONS = runOver({ result_data: { type: 'questions', questions: ['Which?', 'How?'] } });
const PLAN_READY = runOver({ result_data: PLANNED });
export const REPORT = runOver({ result_data: { summary: 'It counts' } });
const answered = (itemId: string, answer: string | null = 'x'): Extract<TaskInput, { kind: 'answered' }> => ({
  kind: 'answered',
  itemId,
  answer,
  by: 'cli',
  runId: 'run_1',
  time: NOW,
});

const playTask = (aggregate: TaskAggregate, ...inputs: readonly TaskInput[]): TaskAggregate =>
  inputs.reduce((before, input) => decideTask(before, input).aggregate, aggregate);

export const TASK_STATES = {
  pending: taskAggregate(),
  planning: playTask(taskAggregate(), PLAN),
  planned: playTask(taskAggregate(), PLAN, PLAN_READY),
  awaiting_input: playTask(taskAggregate(), PLAN, QUESTIONS, answered('itm_2')),
  running: playTask(taskAggregate(), PLAN, PLAN_READY, START),
  completed: playTask(taskAggregate(), PLAN, PLAN_READY, START, REPORT),
  failed: playTask(taskAggregate(), PLAN, runOver({ result_data: { type: 'error', error: 'no' } })),
  cancelled: playTask(taskAggregate(), { kind: 'cancelled', time: NOW }),
} as const satisfies Record<TaskState, TaskAggregate>;

export const TASK_INPUTS = {
  plan: PLAN,
  start: START,
  'submitted, by its agent': { kind: 'submitted', runId: 'run_1', at: CREATED },
  'run_over: a plan, or a report': PLAN_READY,
  'run_over: questions': QUESTIONS,
  'run_over: an error': runOver({ result_data: { type: 'error', error: 'no' } }),
  'run_over: failed': runOver({ state: 'failed', error: { error: 'MissingToolCallError', message: 'no' } }),
  not_started: { kind: 'not_started', runId: 'run_1', error: { error: 'AgentStartError', message: 'no' }, time: NOW },
  unasked: { kind: 'unasked', time: NOW },
  'answered, the last': answered('itm_1'),
  cancelled: { kind: 'cancelled', time: NOW },
} as const satisfies Record<string, TaskInput>;

/** False if the input cannot occur in this state: the schema of completion-report allows only a report. */
export const isPossible = (state: TaskState, input: keyof typeof TASK_INPUTS): boolean =>
  state !== 'running' || (input !== 'run_over: questions' && input !== 'run_over: an error');
