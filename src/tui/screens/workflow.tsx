/** One workflow, live: its progress, and a row for each step. */
import type { WorkflowRun, WorkflowStep } from '../../protocol/index.js';
import type { ItemEntry } from '../model/items/item-entry.js';
import { stepsOf } from '../model/workflow-model.js';
import type { Area } from '../paint/layout.js';
import type { Paint } from '../paint/paint.js';
import { box, centred, hiddenWords } from '../paint/rows.js';
import { Rows } from '../paint/rows-view.js';
import { plainLine } from '../paint/text.js';
import { headRows, stepWindow, tableRows } from '../rows/workflow-rows.js';

interface WorkflowProps {
  readonly paint: Paint;
  readonly area: Area;
  /** Null until the daemon has sent it. */
  readonly run: WorkflowRun | null;
  readonly step: WorkflowStep | null;
  /** The open items of the workflow. */
  readonly items: readonly ItemEntry[];
  readonly isFocused: boolean;
  readonly now: number;
}

/** Shows one workflow in a box. */
export function Workflow({ paint, area, run, step, items, isFocused, now }: WorkflowProps) {
  const { width, height } = area;
  if (!run) {
    const rows = centred(paint, ['…'], width - 2, height - 2);
    return <Rows rows={box(paint, rows, { width, height, title: 'Workflow', isFocused })} />;
  }
  const head = headRows(paint, run, area, now);
  const selected = stepsOf(run).findIndex(({ id }) => id === step?.id);
  const { from, to } = stepWindow(run, selected, head.length, area);
  const rows = [...head, ...tableRows(paint, { run, selected, area, items, now }, head.length)];
  const title = `Workflow ${plainLine(run.name)}`;
  const foot = hiddenWords(from, run.steps.length - to);
  return <Rows rows={box(paint, rows, { width, height, title, note: run.id, foot, isFocused })} />;
}
