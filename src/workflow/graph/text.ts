/**
 * Draws the graph as text: for each stage, the steps that may run at the same time. Pure.
 *
 *     stage 2
 *       analyze ($topic) -> summary  when $go == "yes"
 *         researcher ($topic) -> findings
 */
import { variablesIn } from '../interpolate.js';
import { readsOf } from '../plan.js';
import type { Agent, Workflow } from '../workflow.js';
import { conditionInWords, graphOf, outputsInWords, outputsOf } from './model.js';

/** Returns the graph of a workflow as text. */
export function graphText(workflow: Workflow): string {
  const agents = new Map(workflow.agents.map((agent) => [agent.name, agent]));
  const inputs = workflow.inputs.map(({ name }) => `$${name}`).join(', ');
  const lines = [[workflow.name ?? 'workflow', inputs && `(${inputs})`].filter(Boolean).join(' ')];
  const steps = graphOf(workflow).nodes.flatMap(({ step }) => step ?? []);
  let stage = -1;
  for (const { goal, id, stage: own } of steps.toSorted((a, b) => a.stage - b.stage)) {
    if (own !== stage) lines.push(`stage ${own + 1}`);
    stage = own;
    const reads = goal.kind === 'goal' ? variablesIn(goal.prompt.text ?? '') : readsOf(goal, agents);
    const rest = [goal.when && conditionInWords(goal.when)];
    if (goal.kind === 'goal' && goal.foreach) rest.push(`for each $${goal.foreach.item} in $${goal.foreach.list}`);
    lines.push(`  ${line(goal.kind === 'ask' ? `${id} asks you` : id, reads, outputsInWords(outputsOf(goal)), rest)}`);
    if (goal.kind === 'ask') continue;
    for (const name of goal.agents) {
      const { prompt, outputs }: Pick<Agent, 'prompt' | 'outputs'> = agents.get(name) ?? goal;
      lines.push(`    ${line(name, variablesIn(prompt.text ?? ''), outputsInWords(outputs), [])}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function line(name: string, reads: readonly string[], outputs: string, rest: readonly (string | null)[]): string {
  const read = reads.length === 0 ? '' : `(${reads.map((variable) => `$${variable}`).join(', ')})`;
  return [name, read, outputs, ...rest].filter(Boolean).join(' ');
}
