/** All workflows, running ones first, each with its progress and its activity or result. */

import { isWorkflowOver } from '../../protocol/index.js';
import type { Model } from '../model/model.js';
import type { Area } from '../paint/layout.js';
import type { Paint } from '../paint/paint.js';
import { box, centred, hiddenWords, listTitle, windowOf } from '../paint/rows.js';
import { Rows } from '../paint/rows-view.js';
import { plainLine } from '../paint/text.js';
import { workflowRows } from '../rows/workflow-rows.js';

interface WorkflowsProps {
  readonly paint: Paint;
  readonly area: Area;
  /** The workflows that match the filter. */
  readonly workflows: Model['workflows'];
  readonly all: number;
  readonly filter: string;
  readonly selected: number;
  readonly isFocused: boolean;
  readonly now: number;
}

const NONE = ['No workflow has run yet.', 'orchd workflow run Agentfile'] as const;

/** Shows the workflows that fit, in a box. */
export function Workflows({ paint, area, workflows, all, filter, selected, isFocused, now }: WorkflowsProps) {
  const { width, height } = area;
  const rows = workflowRows(paint, { workflows, selected, area, now });
  const none = filter === '' ? NONE : [`No workflow with “${plainLine(filter)}”.`];
  const shown = rows.length === 0 ? centred(paint, none, width - 2, height - 2) : rows;
  const count = workflows.filter((one) => !isWorkflowOver(one)).length;
  const title = listTitle('Workflows', { count, shown: workflows.length, all, filter });
  const { from, to } = windowOf(workflows.length, selected, height - 2);
  const foot = hiddenWords(from, workflows.length - to);
  return <Rows rows={box(paint, shown, { width, height, title, foot, isFocused })} />;
}
