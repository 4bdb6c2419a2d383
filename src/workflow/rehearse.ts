/**
 * A rehearsal: what a workflow would do, as far as it is known before it runs. Pure.
 *
 * In:   a workflow without errors, the values of its INPUTs (inputs.ts), and the number of parallel jobs.
 * Out:  its steps in the order of the plan, with their prompts. INPUTs are filled in, and the outputs of goals stay as
 *       `$name`. Also the number of agent calls.
 *
 * A call is one start of an agent. The minimum assumes that every run succeeds at once, every list is empty, and every
 * unknown WHEN is false. The maximum assumes that every RETRY is used and each checked result is corrected once. Not
 * counted: calls by an agent itself (spawn_agent), and runs that wait for an account's limit and begin again.
 */
import { judge } from './condition.js';
import { interpolate, variablesIn } from './interpolate.js';
import { planOf, type Step } from './plan.js';
import { synthesisPrompt } from './synthesis.js';
import type { Agent, Ask, Condition, Goal, Output, Workflow } from './workflow.js';

export interface Rehearsal {
  readonly name: string | null;
  readonly inputs: Readonly<Record<string, string>>;
  /** Maximum number of steps that run at the same time. */
  readonly jobs: number;
  readonly calls: Calls;
  readonly steps: readonly RehearsedStep[];
}

export interface Calls {
  readonly min: number;
  /** Maximum number of calls; null if it depends on the unknown length of a list. */
  readonly max: number | null;
}

export type RehearsedStep = RehearsedGoal | RehearsedAsk;

interface StepSchedule {
  readonly id: string;
  readonly run: string | null;
  readonly phase: number;
  /**
   * Number of the stage, from 0. Steps of the same stage may run in parallel. With one job, each step has its own
   * stage.
   */
  readonly stage: number;
  /** Ids of the steps of the same phase that the step waits for. */
  readonly needs: readonly string[];
  readonly when: RehearsedCondition | null;
  /** Calls of the step, including those of its agents. */
  readonly calls: Calls;
}

export type RehearsedCondition = Condition & {
  /** The value of the condition if it is already known; null if it depends on a result. */
  readonly holds: boolean | null;
  /** Why the condition cannot be evaluated; null if it can. */
  readonly problem: string | null;
};

export interface RehearsedRun extends Omit<Agent, 'prompt' | 'line'> {
  /** Null if the prompt file was not read. */
  readonly prompt: string | null;
  /** Variables in the prompt that get their values only during the run. */
  readonly later: readonly string[];
}

/** If the goal has agents, its prompt is that of the synthesis, with `…` in place of their results. */
export interface RehearsedGoal extends StepSchedule, RehearsedRun {
  readonly kind: 'goal';
  readonly foreach: Goal['foreach'];
  /** Calls for one entry of the FOREACH list. */
  readonly once: Calls;
  readonly agents: readonly RehearsedRun[];
}

interface RehearsedAsk extends StepSchedule {
  readonly kind: 'ask';
  readonly name: string;
  readonly question: string;
  readonly later: readonly string[];
  /** A text or a choice. */
  readonly output: Output;
  readonly timeout_ms: number | null;
}

type InputValues = ReadonlyMap<string, string>;

/**
 * Returns the rehearsal of a workflow.
 *
 * @param jobs  The number of steps that may run at the same time. Default: 1.
 */
export function rehearse(workflow: Workflow, inputs: InputValues, jobs = 1): Rehearsal {
  const agents = new Map(workflow.agents.map((agent) => [agent.name, agent]));
  const plan = planOf(workflow).steps;
  const steps = plan.map((step, index): RehearsedStep => {
    const { id, goal, run, phase, needs } = step;
    const when = goal.when && toCondition(goal.when, inputs);
    const schedule = {
      id,
      run,
      phase,
      when,
      stage: jobs === 1 ? index : step.stage,
      needs: needs.flatMap((need) => plan[need]?.id ?? []),
    };
    if (goal.kind === 'ask') return toAsk(goal, schedule, inputs);
    const used = goal.agents.flatMap((name) => agents.get(name) ?? []).map((agent) => toRun(agent, inputs));
    return toGoal(goal, schedule, used, inputs);
  });
  const calls = sumOf(steps);
  return { name: workflow.name, inputs: Object.fromEntries(inputs), jobs, calls, steps };
}

type Schedule = Pick<Step, 'id' | 'run' | 'phase' | 'stage'> & Pick<StepSchedule, 'needs' | 'when'>;

function toAsk({ name, question, output, timeout_ms }: Ask, schedule: Schedule, inputs: InputValues): RehearsedAsk {
  const asked = { question: interpolate(question, inputs), later: laterIn(question, inputs) };
  return { kind: 'ask', ...schedule, name, ...asked, output, timeout_ms, calls: NONE };
}

function toGoal(goal: Goal, schedule: Schedule, agents: readonly RehearsedRun[], inputs: InputValues): RehearsedGoal {
  const own = toRun(goal, inputs);
  const contributions = agents.map(({ name, outputs }) => ({ agent: name, outputs, result: unknownOf(outputs) }));
  const prompt =
    own.prompt === null || agents.length === 0 ? own.prompt : synthesisPrompt(own.prompt, contributions, goal.outputs);
  const once = sumOf([...agents, own].map((run) => ({ calls: callsOf(run) })));
  const mayBeNone = goal.foreach !== null || (schedule.when !== null && schedule.when.holds === null);
  const some = { min: mayBeNone ? 0 : once.min, max: goal.foreach ? null : once.max };
  const calls = schedule.when?.holds === false ? NONE : some;
  return { kind: 'goal', ...schedule, ...own, prompt, foreach: goal.foreach, once, agents, calls };
}

function toRun(
  { name, prompt, outputs, blueprint, profile, retry, timeout_ms, budget, place }: Agent,
  inputs: InputValues,
): RehearsedRun {
  const { text } = prompt;
  return {
    name,
    prompt: text === null ? null : interpolate(text, inputs),
    later: laterIn(text ?? '', inputs),
    outputs,
    blueprint,
    profile,
    retry,
    timeout_ms,
    budget,
    place,
  };
}

const laterIn = (text: string, inputs: InputValues): string[] => variablesIn(text).filter((name) => !inputs.has(name));

const UNKNOWN = '…';
const unknownOf = (outputs: readonly Output[]): unknown =>
  outputs.length === 0 ? UNKNOWN : Object.fromEntries(outputs.map(({ name }) => [name, UNKNOWN]));

function toCondition(when: Condition, inputs: InputValues): RehearsedCondition {
  const isKnown = inputs.has(when.variable) && ('value' in when.right || inputs.has(when.right.variable));
  if (!isKnown) return { ...when, holds: null, problem: null };
  const verdict = judge(when, inputs);
  return {
    ...when,
    ...(verdict.ok ? { holds: verdict.holds, problem: null } : { holds: null, problem: verdict.problem }),
  };
}

const NONE: Calls = { min: 0, max: 0 };

/** A blueprint may define its own output schema, so its result may be checked. */
function callsOf({ outputs, blueprint, retry }: RehearsedRun): Calls {
  const isChecked = outputs.length > 0 || blueprint !== null;
  return { min: 1, max: (1 + retry) * (isChecked ? 2 : 1) };
}

function sumOf(all: readonly { readonly calls: Calls }[]): Calls {
  let sum = NONE;
  for (const { calls } of all) {
    const max = sum.max === null || calls.max === null ? null : sum.max + calls.max;
    sum = { min: sum.min + calls.min, max };
  }
  return sum;
}
