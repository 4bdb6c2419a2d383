/** The layout of the workflow views: the list, or one workflow with its selected step and that step's screen. Pure. */

import { stepOf, workflowOf } from '../acts/workflow-acts.js';
import { sessionOfStep } from '../model/workflow-model.js';
import type { Area, Layout } from '../paint/layout.js';
import { layoutOf, SMALLEST } from '../paint/layout.js';
import { stepRows } from '../rows/step-rows.js';
import { headRows } from '../rows/workflow-rows.js';
import type { State } from './store.js';

/** Returns the area of the views: beside the lists on a large terminal, otherwise the whole body. */
export function viewArea(layout: Layout): Area {
  if (layout.kind === 'columns')
    return { width: layout.upper.width, height: layout.upper.height + layout.lower.height };
  return layout.kind === 'tiny' ? { width: SMALLEST.cols, height: SMALLEST.rows } : layout.whole;
}

interface WorkflowAreas {
  readonly table: Area;
  readonly step: Area | null;
  readonly screen: Area | null;
}

/** With fewer rows, only the table is shown. */
const ROOMY_ROWS = 16;
const MIN_HEIGHTS = { table: 6, step: 5, screen: 7 } as const;

/**
 * Divides the rows: the table gets one row per step, up to half; the step gets what its text needs; the screen gets the
 * rest.
 */
export function workflowAreas(state: Pick<State, 'model' | 'ui' | 'paint' | 'now'>, area: Area): WorkflowAreas {
  const { model, ui, paint, now } = state;
  const { width, height } = area;
  const run = workflowOf(ui, model);
  const step = stepOf(ui, model);
  if (!run || !step || height < ROOMY_ROWS) return { table: area, step: null, screen: null };
  const wanted = run.steps.length + headRows(paint, run, area, now).length + 2;
  const table = Math.min(Math.max(wanted, MIN_HEIGHTS.table), Math.floor(height / 2));
  const rest = height - table;
  const said = Math.max(MIN_HEIGHTS.step, stepRows(paint, step, width - 4, now).length + 2);
  const hasScreen = sessionOfStep(step) !== null && rest - said >= MIN_HEIGHTS.screen;
  const own = hasScreen ? said : rest;
  return {
    table: { width, height: table },
    step: { width, height: own },
    screen: hasScreen ? { width, height: rest - own } : null,
  };
}

/** Returns how far the details of a step can be scrolled. */
export function maxStepScroll({ model, ui, paint, now, size }: State): number {
  const step = stepOf(ui, model);
  if (ui.view !== 'step' || !step) return 0;
  const { width, height } = viewArea(layoutOf(size));
  return Math.max(0, stepRows(paint, step, width - 4, now).length - (height - 2));
}
