/**
 * A plan as a graph, independent of the output format. Pure.
 *
 * In:   a workflow without errors.
 * Out:  nodes in the order of the plan, and edges. Solid edges carry variables, dotted ones only define the order. If
 *       several steps must all end before several others begin, a join node connects them.
 */
import { type Plan, planOf, type Step } from '../plan.js';
import type { Ask, Condition, Goal, Output, Workflow } from '../workflow.js';

interface Graph {
  readonly title: string | null;
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
}

export interface Node {
  readonly id: string;
  /** The step; null for a join. */
  readonly step: Step | null;
  readonly stage: number;
}

interface Edge {
  readonly from: string;
  readonly to: string;
  /** Variables that the edge carries; empty if it only defines the order. */
  readonly variables: readonly string[];
}

/** Returns the graph of a workflow. */
export function graphOf(workflow: Workflow): Graph {
  const plan = planOf(workflow);
  const nodes: Node[] = [];
  const edges: Edge[] = [];
  const carried = carriedOf(plan);
  const byPhase = phasesOf(plan);
  for (const [phase, steps] of byPhase.entries()) {
    const before = byPhase[phase - 1] ?? [];
    // Steps of the previous phase that no step of that phase needs, and steps of this phase that need no step of it.
    const awaited = new Set(before.flatMap((index) => plan.steps[index]?.needs ?? []));
    const last = before.filter((index) => !awaited.has(index));
    const first = steps.filter((index) => plan.steps[index]?.needs.length === 0);
    if (last.length > 1 && first.length > 1) {
      const join = `join${phase}`;
      nodes.push({ id: join, step: null, stage: (plan.steps[first[0] ?? 0]?.stage ?? 0) - 0.5 });
      edges.push(...last.map((index) => ({ from: idOf(index), to: join, variables: [] })));
      edges.push(...first.map((index) => ({ from: join, to: idOf(index), variables: [] })));
    } else {
      for (const to of first) for (const from of last) if (!carried[to]?.has(from)) edges.push(order(from, to));
    }
    for (const to of steps) {
      const step = plan.steps[to];
      if (!step) continue;
      nodes.push({ id: idOf(to), step, stage: step.stage });
      for (const from of step.needs) if (!carried[to]?.has(from)) edges.push(order(from, to));
      for (const [from, variables] of carried[to] ?? []) edges.push({ from: idOf(from), to: idOf(to), variables });
    }
  }
  return { title: workflow.name, nodes, edges };
}

const idOf = (index: number): string => `step${index + 1}`;
const order = (from: number, to: number): Edge => ({ from: idOf(from), to: idOf(to), variables: [] });

/** Returns, for each step, the variables that it reads from each other step. */
function carriedOf({ steps }: Plan): ReadonlyMap<number, string[]>[] {
  const writers = new Map<string, number>();
  return steps.map(({ reads, writes }, index) => {
    const found = new Map<number, string[]>();
    for (const name of reads) {
      const writer = writers.get(name);
      if (writer !== undefined) found.set(writer, [...(found.get(writer) ?? []), name]);
    }
    for (const name of writes) writers.set(name, index);
    return found;
  });
}

function phasesOf({ steps }: Plan): number[][] {
  const phases: number[][] = [];
  for (const [index, { phase }] of steps.entries()) {
    const same = phases[phase];
    if (same) same.push(index);
    else phases[phase] = [index];
  }
  return phases;
}

// ── in words ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Returns, for example, `-> score: number, verdict: "yes" | "no"`. */
export function outputsInWords(outputs: readonly Output[]): string {
  const one = ({ name, type, is_list, choices }: Output): string => {
    if (type === 'choice') return `${name}: ${choices.map((choice) => JSON.stringify(choice)).join(' | ')}`;
    return type === 'any' && !is_list ? name : `${name}: ${type}${is_list ? '[]' : ''}`;
  };
  return outputs.length === 0 ? '' : `-> ${outputs.map(one).join(', ')}`;
}

/** Returns a condition as text, for example `when $verdict == "approve"`. */
export function conditionInWords({ variable, operator, right }: Condition): string {
  return `when $${variable} ${operator} ${'value' in right ? JSON.stringify(right.value) : `$${right.variable}`}`;
}

/** Returns the outputs of a goal. An ASK has exactly one. */
export const outputsOf = (goal: Goal | Ask): readonly Output[] => (goal.kind === 'ask' ? [goal.output] : goal.outputs);
