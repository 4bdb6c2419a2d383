/**
 * One step of a workflow, either below the table, cut to the available rows, or on a screen of its own with scrolling.
 */
import type { WorkflowStep } from '../../protocol/index.js';
import type { Area } from '../paint/layout.js';
import type { Paint } from '../paint/paint.js';
import { box, centred, hiddenWords, padded } from '../paint/rows.js';
import { Rows } from '../paint/rows-view.js';
import { plainLine } from '../paint/text.js';
import { stepRows } from '../rows/step-rows.js';

interface StepProps {
  readonly paint: Paint;
  readonly area: Area;
  readonly step: WorkflowStep | null;
  readonly scroll: number;
  /** True if the step has the screen to itself. */
  readonly isFocused: boolean;
  readonly now: number;
}

/** Shows one step of a workflow in a box. */
export function Step({ paint, area, step, scroll, isFocused, now }: StepProps) {
  const { width, height } = area;
  const room = height - 2;
  if (!step) {
    return <Rows rows={box(paint, centred(paint, ['…'], width - 2, room), { width, height, title: 'Step' })} />;
  }
  const rows = stepRows(paint, step, width - 4, now);
  const first = Math.max(0, Math.min(scroll, rows.length - room));
  const shown = rows.slice(first, first + room).map((row) => ` ${padded(row, width - 4)} `);
  const foot = hiddenWords(first, Math.max(0, rows.length - first - room));
  const kind = step.kind === 'ask' ? 'Question' : 'Goal';
  const title = `${kind} ${plainLine(step.id)}`;
  return <Rows rows={box(paint, shown, { width, height, title, foot, isFocused })} />;
}
