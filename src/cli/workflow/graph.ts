/** `orchd workflow graph`: prints the order of an Agentfile's goals as text, for Mermaid, or as SVG. */
import { displayText, OrchdError } from '../../protocol/index.js';
import { graphMermaid, graphSvg, graphText, planOf, type Workflow } from '../../workflow/index.js';
import { type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';
import { readWorkflow } from './read-workflow.js';

const FORMATS: Readonly<Record<string, (workflow: Workflow) => string>> = {
  text: (workflow) => displayText(graphText(workflow)),
  mermaid: graphMermaid,
  svg: graphSvg,
};

export async function drawFile(context: Context, files: readonly string[], options: Options): Promise<undefined> {
  const format = text(options, 'format') ?? 'text';
  const draw = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (!draw) throw new OrchdError('ORCHD_USAGE', `--format takes ${Object.keys(FORMATS).join(', ')}, not '${format}'`);
  const workflow = await readWorkflow(context, files, options);
  const { steps } = planOf(workflow);
  const shown = steps.map(({ goal, needs, ...step }) => ({
    goal: goal.name,
    kind: goal.kind,
    ...step,
    needs: needs.flatMap((index) => steps[index]?.id ?? []),
  }));
  await context.print({ name: workflow.name, steps: shown }, () => draw(workflow));
  return undefined;
}
