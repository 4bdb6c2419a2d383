/**
 * The plan of a workflow: the order of its goals, and which of them may run in parallel. Pure.
 *
 * In:   a workflow without errors.
 * Out:  steps in sequential order. With several jobs, a step begins when all steps of earlier phases have ended, and
 *       all steps that it needs:
 *
 * - steps that set the variables it reads, steps that set a variable before it sets it again, and steps that read a
 *   variable before it is set again;
 * - the last ASK before it, because a person's answer permits what follows.
 *
 * A goal without outputs is a phase of its own, because its effects are unknown. Each RUN also starts a new phase.
 */
import { variablesIn } from './interpolate.js';
import type { Agent, Ask, Goal, Workflow } from './workflow.js';

export interface Step {
  /** The goal's name, with `#2` and so on if several RUNs name it. */
  readonly id: string;
  readonly goal: Goal | Ask;
  readonly run: string | null;
  /** Number of the phase, from 0. */
  readonly phase: number;
  /** Indexes of earlier steps, in order. */
  readonly needs: readonly number[];
  /** Variables in its prompts, its condition and its FOREACH. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Number of the stage, from 0. With unlimited jobs, this many steps must end one after the other before it. */
  readonly stage: number;
}

export interface Plan {
  readonly steps: readonly Step[];
}

/** Returns the plan of a workflow without errors. */
export function planOf(workflow: Workflow): Plan {
  const agents = new Map(workflow.agents.map((agent) => [agent.name, agent]));
  const steps: Step[] = [];
  const counts = new Map<string, number>();
  /** The last step of this phase that writes each variable. */
  const writers = new Map<string, number>();
  const readers = new Map<string, number[]>();
  let phase = 0;
  let gate: number | null = null;
  let [firstStage, lastStage] = [0, -1];

  const beginPhase = (): void => {
    if (steps.at(-1)?.phase !== phase) return; // the phase is still empty
    phase++;
    firstStage = lastStage + 1;
    writers.clear();
    readers.clear();
    gate = null;
  };

  for (const { goal, run, isFirst } of inOrder(workflow)) {
    const isBarrier = goal.kind === 'goal' && goal.outputs.length === 0;
    if (isFirst || isBarrier) beginPhase();
    const index = steps.length;
    const reads = readsOf(goal, agents);
    const writes = (goal.kind === 'ask' ? [goal.output] : goal.outputs).map(({ name }) => name);
    const needs = new Set<number>(gate === null ? [] : [gate]);
    for (const name of [...reads, ...writes]) {
      const writer = writers.get(name);
      if (writer !== undefined) needs.add(writer);
    }
    for (const name of writes) for (const reader of readers.get(name) ?? []) needs.add(reader);
    for (const name of writes) {
      writers.set(name, index);
      readers.delete(name);
    }
    for (const name of reads) {
      const others = readers.get(name);
      if (others) others.push(index);
      else readers.set(name, [index]);
    }
    const count = (counts.get(goal.name) ?? 0) + 1;
    counts.set(goal.name, count);
    let stage = firstStage;
    for (const need of needs) stage = Math.max(stage, (steps[need]?.stage ?? 0) + 1);
    lastStage = Math.max(lastStage, stage);
    const id = count === 1 ? goal.name : `${goal.name}#${count}`;
    steps.push({ id, goal, run, phase, needs: [...needs].sort((a, b) => a - b), reads, writes, stage });
    if (goal.kind === 'ask') gate = index;
    if (isBarrier) beginPhase();
  }
  return { steps };
}

interface Turn {
  readonly goal: Goal | Ask;
  readonly run: string | null;
  /** True for the first goal of a RUN. */
  readonly isFirst: boolean;
}

function inOrder({ goals, runs }: Workflow): Turn[] {
  if (runs.length === 0) return goals.map((goal) => ({ goal, run: null, isFirst: false }));
  const named = new Map(goals.map((goal) => [goal.name, goal]));
  return runs.flatMap(({ name: run, goals: listed }) =>
    listed.flatMap((name, index) => {
      const goal = named.get(name);
      return goal ? [{ goal, run, isFirst: index === 0 }] : [];
    }),
  );
}

/** Returns each variable once. A goal's FOREACH item is not a variable of the workflow. */
export function readsOf(goal: Goal | Ask, agents: ReadonlyMap<string, Agent>): string[] {
  const prompts = goal.kind === 'ask' ? [goal.question] : [goal.prompt.text, ...textsOf(goal, agents)];
  const names = new Set(prompts.flatMap((prompt) => variablesIn(prompt ?? '')));
  if (goal.kind === 'goal' && goal.foreach) {
    names.delete(goal.foreach.item);
    names.add(goal.foreach.list);
  }
  if (goal.when) names.add(goal.when.variable);
  if (goal.when && 'variable' in goal.when.right) names.add(goal.when.right.variable);
  return [...names];
}

const textsOf = ({ agents: used }: Goal, agents: ReadonlyMap<string, Agent>): (string | null)[] =>
  used.map((name) => agents.get(name)?.prompt.text ?? null);
