/** Draws the graph in Mermaid's language, which GitHub and many editors render. Pure. */
import type { Workflow } from '../workflow.js';
import { conditionInWords, graphOf } from './model.js';

/** Returns the graph of a workflow as a Mermaid flowchart. */
export function graphMermaid(workflow: Workflow): string {
  const { title, nodes, edges } = graphOf(workflow);
  const lines = title === null ? [] : ['---', `title: ${JSON.stringify(title)}`, '---'];
  lines.push('flowchart TD');
  for (const { id, step } of nodes) {
    if (step === null) {
      lines.push(`  ${id}(( ))`);
      continue;
    }
    const { goal } = step;
    const agents = goal.kind === 'goal' && goal.agents.length > 0 ? [goal.agents.join(', ')] : [];
    const each = goal.kind === 'goal' && goal.foreach ? [`for each $${goal.foreach.item}`] : [];
    const words = [step.id, ...agents, ...each, ...(goal.when ? [conditionInWords(goal.when)] : [])];
    const label = `"${words.map(escaped).join('<br>')}"`;
    lines.push(`  ${id}${goal.kind === 'ask' ? `{{${label}}}` : `[${label}]`}`);
  }
  for (const { from, to, variables } of edges) {
    lines.push(variables.length === 0 ? `  ${from} -.-> ${to}` : `  ${from} -->|"${variables.join(', ')}"| ${to}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Escapes the characters that are special in Mermaid's quoted texts as character codes. */
const escaped = (text: string): string => text.replaceAll(/["#<>&;`\\\n]/g, (char) => `#${char.charCodeAt(0)};`);
