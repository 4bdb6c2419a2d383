/** The requests of a step to agents and people, with variables filled in. Pure. */
import { interpolate, type Values } from '../interpolate.js';
import type { Step } from '../plan.js';
import { type Contribution, synthesisPrompt } from '../synthesis.js';
import type { Agent, Ask, Goal, Workflow } from '../workflow.js';
import type { Part, PartRequest, Progress, StepProgress, WorkflowEffect } from './progress.js';
import { valuesFor } from './values.js';

/** @param part  A run of the goal. The values in its prompt do not change while the goal runs. */
export function runEffect(progress: Progress, index: number, part: Part): WorkflowEffect {
  const step = progress.plan.steps[index];
  const kept = progress.steps[index];
  if (step?.goal.kind !== 'goal' || !kept) throw new Error('only goals have runs');
  const { goal } = step;
  const { workflow } = progress.head;
  const values = valuesOfEntry(goal, valuesFor(step, index, progress), part.entry);
  const agent: Agent = part.agent === null ? goal : agentNamed(workflow, part.agent);
  const prompt = interpolate(agent.prompt.text ?? '', values);
  const request: PartRequest = {
    runId: part.runId,
    stepId: step.id,
    agent: part.agent,
    outputs: agent.outputs,
    prompt:
      part.agent === null && goal.agents.length > 0
        ? synthesisPrompt(prompt, contributionsOf(workflow, goal, kept, part.entry), goal.outputs)
        : prompt,
    blueprint: agent.blueprint,
    profile: agent.profile,
    timeoutMs: agent.timeout_ms,
    budget: agent.budget,
    place: agent.place ?? null, // runs of earlier versions have none
  };
  return { kind: 'run', request };
}

export function askEffect({ goal }: Step, { itemId, question, until }: StepProgress): WorkflowEffect {
  if (goal.kind !== 'ask' || itemId === null) throw new Error('it was not asked');
  return { kind: 'ask', itemId, question: question ?? goal.question, choices: goal.output.choices, until };
}

export const questionOf = (step: Step, at: number, { question }: Ask, progress: Progress): string =>
  interpolate(question, valuesFor(step, at, progress));

export function agentNamed({ agents }: Workflow, name: string): Agent {
  const agent = agents.find((one) => one.name === name);
  if (!agent) throw new Error(`there is no AGENT ${name}`); // the checks guarantee it
  return agent;
}

/**
 * Returns the list of a goal's FOREACH, or the list that an INPUT contains as JSON text. Null without a FOREACH, or if
 * the value is not a list.
 */
export function listOf({ foreach }: Goal, values: Values): readonly unknown[] | null {
  const value = foreach === null ? null : values.get(foreach.list);
  const list = typeof value === 'string' && value.trimStart().startsWith('[') ? fromJson(value) : value;
  return Array.isArray(list) ? list : null;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function valuesOfEntry(goal: Goal, values: Values, entry: number | null): Values {
  if (goal.foreach === null || entry === null) return values;
  return new Map([...values, [goal.foreach.item, listOf(goal, values)?.[entry - 1]]]);
}

/** Returns the results of the agents in the order of USING. */
function contributionsOf(
  workflow: Workflow,
  goal: Goal,
  { parts }: StepProgress,
  entry: number | null,
): Contribution[] {
  return goal.agents.map((name) => {
    const done = parts.findLast((part) => part.agent === name && part.entry === entry && part.state === 'completed');
    const result = done?.result ?? { text: '' };
    const { outputs } = agentNamed(workflow, name);
    return { agent: name, outputs, result: 'values' in result ? result.values : result.text };
  });
}
