/** Warns before a workflow starts if no machine of the hub can take its goals for a label now. */
import type { OutputOf } from '../../protocol/index.js';
import type { Workflow } from '../../workflow/index.js';
import { errorPaint } from '../printing/paint.js';
import type { Context } from '../program/context.js';

/** Prints nothing if the hub cannot be asked: the goals then wait for it, and the status of the hub says so. */
export async function warnOfLabels(context: Context, workflow: Workflow): Promise<void> {
  const labels = labelsOf(workflow);
  if (labels.length === 0 || context.isJson || context.isQuiet) return;
  const status = await context
    .client()
    .call('hub.status', {})
    .catch(() => null);
  const paint = errorPaint(context);
  for (const words of status ? labelWarnings(labels, status) : []) {
    process.stderr.write(`${paint('yellow', 'warning')}: ${words}\n`);
  }
}

/** Returns the labels on which goals and agents of the workflow are placed. */
function labelsOf({ goals, agents }: Workflow): string[] {
  const placed = [...goals.filter((goal) => goal.kind === 'goal'), ...agents].flatMap(({ place }) => place ?? []);
  return [...new Set(placed.filter(({ kind }) => kind === 'label').map(({ name }) => name))];
}

export function labelWarnings(
  labels: readonly string[],
  { state, machines, unreadable }: Pick<OutputOf<'hub.status'>, 'state' | 'machines' | 'unreadable'>,
): string[] {
  if (state !== 'connected' || unreadable !== undefined) return [];
  return labels.flatMap((label) => {
    const having = machines.filter((machine) => machine.labels?.includes(label));
    if (having.some(({ away }) => !away)) return [];
    const names = having.map(({ name }) => name).join(', ');
    const reason = names === '' ? `no machine of the hub has the label '${label}'` : `away: ${names}, with '${label}'`;
    return [`${reason}; goals ON label:${label} wait up to 7 days for one (\`orchd hub status\` lists the labels)`];
  });
}
