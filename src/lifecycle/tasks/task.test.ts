import { describe, expect, expectTypeOf, it, test } from 'vitest';
import {
  answered,
  isPossible,
  NOW,
  PLAN,
  PLAN_READY,
  QUESTIONS,
  REPORT,
  runOver,
  START,
  TASK_INPUTS,
  TASK_STATES,
  taskAggregate,
} from '../../../test/harness/lifecycle-samples.js';
import { playerOf } from '../../../test/harness/play.js';
import { type TaskState, validateToolInput } from '../../protocol/index.js';
import { createTask, decideTask, resumeTask, type TaskDecision, type TaskInput } from '../index.js';

const play = playerOf(decideTask);
const statesIn = ({ events }: TaskDecision): unknown[] =>
  events.flatMap((event) => (event.event_type === 'task_state_changed' ? [event.state] : []));

/** The state after each input. Inputs that are not listed change nothing. */
const BECOMES: Readonly<Record<TaskState, Partial<Record<keyof typeof TASK_INPUTS, TaskState>>>> = {
  pending: { plan: 'planning', cancelled: 'cancelled' },
  planning: {
    'run_over: a plan, or a report': 'planned',
    'run_over: questions': 'awaiting_input',
    'run_over: an error': 'failed',
    'run_over: failed': 'failed',
    not_started: 'failed',
    cancelled: 'cancelled',
  },
  planned: { plan: 'planning', start: 'running', cancelled: 'cancelled' },
  awaiting_input: { unasked: 'failed', 'answered, the last': 'planning', cancelled: 'cancelled' },
  running: {
    'run_over: a plan, or a report': 'completed',
    'run_over: failed': 'failed',
    not_started: 'failed',
    cancelled: 'cancelled',
  },
  completed: {},
  failed: { plan: 'planning' },
  cancelled: {},
};

test('each kind of input is among those that are tried', () => {
  type Tried = (typeof TASK_INPUTS)[keyof typeof TASK_INPUTS]['kind'];
  expectTypeOf<Exclude<TaskInput['kind'], Tried>>().toBeNever(); // otherwise the compiler names the missing kinds
});

test('of every state and input, only arguments that the schema of the tool refuses are not tried', () => {
  const inputs = Object.entries(TASK_INPUTS) as [keyof typeof TASK_INPUTS, TaskInput][];
  const skipped = (Object.keys(TASK_STATES) as TaskState[]).flatMap((state) =>
    inputs.flatMap(([name, input]) => (isPossible(state, name) ? [] : [{ state, input }])),
  );
  expect(skipped).toHaveLength(2);
  for (const { state, input } of skipped) {
    expect([state, input.kind]).toEqual(['running', 'run_over']);
    if (input.kind === 'run_over')
      expect(validateToolInput('completion-report', input.run.result_data)).not.toEqual([]);
  }
});

describe.each(Object.keys(TASK_STATES) as TaskState[])('a task in state %s', (state) => {
  it.each((Object.keys(TASK_INPUTS) as (keyof typeof TASK_INPUTS)[]).filter((input) => isPossible(state, input)))(
    'changes on `%s` as the table says, and reports each change',
    (kind) => {
      const before = TASK_STATES[state];
      const decision = decideTask(before, TASK_INPUTS[kind]);
      const { task } = decision.aggregate;
      expect(task.state).toBe(BECOMES[state][kind] ?? state);
      expect(statesIn(decision)).toEqual(task.state === state ? [] : [task.state]);
      // An input changes the aggregate, or it says why it changes nothing.
      const { aggregate, events, effects, ignored } = decision;
      expect(aggregate === before).toBe(ignored !== undefined);
      if (ignored !== undefined) expect([events, effects]).toEqual([[], []]);
      expect(task.ended_at !== null).toBe(['completed', 'failed', 'cancelled'].includes(task.state));
      expect(task.current_agent === null || ['planning', 'running'].includes(task.state)).toBe(true);
      expect(task.error !== null).toBe(['failed', 'cancelled'].includes(task.state));
    },
  );
});

test('is created, planned, executed and completed, with a run id for each attempt', () => {
  const made = createTask(taskAggregate());
  expect([made.effects, made.events]).toMatchObject([[], [{ event_type: 'task_created', prompt: 'Count' }]]);
  const planning = play(made.aggregate, PLAN);
  expect(planning.effects).toMatchObject([{ kind: 'run', attempt: { kind: 'planning', run_id: 'run_1' } }]);
  const done = play(planning.aggregate, PLAN_READY, START, REPORT);
  expect(statesIn(done)).toEqual(['planned', 'running', 'completed']);
  expect(done.aggregate.task).toMatchObject({ report: { summary: 'It counts' }, plan: { plan: ['a', 'b'] } });
  expect(done.aggregate.history.map(({ event }) => event)).toEqual([
    'created',
    'planning_started',
    'started',
    'planned',
    'completed',
  ]);
});

test('planning again assigns the agent of the new plan, unless a user named one', () => {
  const assigning = (assignedAgent: string): TaskInput =>
    runOver({ result_data: { ...planOf(PLAN_READY), assignedAgent } });
  const again = play(taskAggregate(), PLAN, assigning('backend'), PLAN, assigning('frontend'));
  expect(again.aggregate.task).toMatchObject({ state: 'planned', assigned_agent: 'frontend' });
  const named = play(
    again.aggregate,
    { ...START, agent: 'me' },
    runOver({ state: 'failed' }),
    PLAN,
    assigning('backend'),
  );
  expect(named.aggregate.task).toMatchObject({ state: 'planned', assigned_agent: 'me' });
});

test('a task that starts itself runs its plan with the assigned agent, or the one that a user named', () => {
  const plan = runOver({ result_data: { ...planOf(PLAN_READY), assignedAgent: 'backend' } });
  const itself = play(taskAggregate({ starts_itself: true }), PLAN, plan);
  expect(itself.aggregate.task).toMatchObject({
    state: 'running',
    assigned_agent: 'backend',
    current_agent: 'backend',
  });
  expect(itself.effects).toMatchObject([{ kind: 'run', attempt: { run_id: 'run_2', kind: 'execution' } }]);
  const named = play(taskAggregate({ assigned_agent: 'me' }), PLAN, plan, START);
  expect(named.aggregate.task.current_agent).toBe('me');
  expect(play(named.aggregate, runOver({ state: 'failed' }), { ...START, agent: 'you' }).aggregate.task).toMatchObject({
    state: 'running',
    assigned_agent: 'you',
    error: null,
    ended_at: null,
  });
});

test('questions are answered in any order and once, and a declined one counts as answered', () => {
  const asked = play(taskAggregate(), PLAN, QUESTIONS);
  expect(asked.effects).toMatchObject([{ kind: 'ask', questions: [{ item_id: 'itm_1' }, { item_id: 'itm_2' }] }]);
  const one = play(asked.aggregate, answered('itm_2', null), answered('itm_2', 'late'), answered('itm_9'));
  expect(one.aggregate.task).toMatchObject({
    state: 'awaiting_input',
    questions: [{ answer: null }, { declined: true }],
  });
  expect(play(one.aggregate, answered('itm_1')).effects).toMatchObject([{ kind: 'run', attempt: { number: 2 } }]);
});

test('records a submitted output once, however it arrives', () => {
  const submitted: TaskInput = { kind: 'submitted', runId: 'run_1', at: '2026-01-01T00:00:00.500Z' };
  const heard = play(taskAggregate(), PLAN, submitted, submitted, PLAN_READY, submitted);
  expect(heard.aggregate.history.filter(({ event }) => event === 'planner_output_submitted')).toHaveLength(1);
});

test('a report with outcome failed fails the task and is kept', () => {
  const failed = play(
    taskAggregate(),
    PLAN,
    PLAN_READY,
    START,
    runOver({ result_data: { summary: 'no', outcome: 'failed' } }),
  );
  expect(failed.aggregate.task).toMatchObject({
    state: 'failed',
    report: { summary: 'no' },
    error: { error: 'TaskFailed' },
  });
});

test('the next daemon repeats the pending effects of each state', () => {
  expect(resumeTask(TASK_STATES.planning)).toMatchObject([{ kind: 'run' }]);
  expect(resumeTask(TASK_STATES.running)).toMatchObject([{ kind: 'run', attempt: { kind: 'execution' } }]);
  expect(resumeTask(TASK_STATES.awaiting_input)).toMatchObject([{ kind: 'ask', questions: [{ item_id: 'itm_1' }] }]);
  const cancelled = play(TASK_STATES.running, { kind: 'cancelled', by: 'cli', time: NOW });
  expect(cancelled.effects).toEqual([{ kind: 'cancel_run', runId: 'run_1', by: 'cli' }]);
  expect(resumeTask(cancelled.aggregate)).toEqual(cancelled.effects);
  expect(resumeTask(play(TASK_STATES.awaiting_input, { kind: 'cancelled', time: NOW }).aggregate)).toMatchObject([
    { kind: 'cancel_run' },
    { kind: 'withdraw', itemIds: ['itm_1'] },
  ]);
  for (const state of ['pending', 'planned', 'completed', 'failed'] as const)
    expect(resumeTask(TASK_STATES[state])).toEqual([]);
});

function planOf(input: TaskInput): object {
  return input.kind === 'run_over' ? Object(input.run.result_data) : {};
}
