/** `orchd workflow graph`: the order of an Agentfile's goals, as text, for Mermaid, or as a picture. */
import { displayText, OrchdError } from '../../protocol/index.js';
import { graphMermaid, graphSvg, graphText, parse, planOf, type Workflow } from '../../workflow/index.js';
import { flag, type Options, text } from '../command.js';
import type { Context } from '../context.js';
import { requireValid } from './check.js';
import { readAgentfile } from './read-agentfile.js';

const FORMATS: Readonly<Record<string, (workflow: Workflow) => string>> = {
  text: (workflow) => displayText(graphText(workflow)),
  mermaid: graphMermaid,
  svg: graphSvg,
};

export async function drawFile(
  context: Context,
  [given = '', ...more]: readonly string[],
  options: Options,
): Promise<undefined> {
  if (more.length > 0) throw new OrchdError('ORCHD_USAGE', 'one Agentfile is drawn at a time');
  const format = text(options, 'format') ?? 'text';
  const draw = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (!draw) throw new OrchdError('ORCHD_USAGE', `'${format}' is none of ${Object.keys(FORMATS).join(', ')}`);
  const allowOutside = flag(options, 'allowOutside');
  const agentfile = await readAgentfile(given, context.cwd, allowOutside);
  const { workflow, problems } = parse(agentfile.text, { readFile: agentfile.readFile, allowOutside });
  requireValid(agentfile, problems);
  const named = { ...workflow, name: workflow.name ?? agentfile.directoryName };
  const { steps } = planOf(named);
  const shown = steps.map(({ goal, needs, ...step }) => ({
    ...{ goal: goal.name, kind: goal.kind },
    ...step,
    needs: needs.flatMap((index) => steps[index]?.id ?? []),
  }));
  await context.print({ name: named.name, steps: shown }, () => draw(named));
  return undefined;
}
