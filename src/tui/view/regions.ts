/** The regions below the status line, in columns; used for drawing and for the mouse. Pure. */

import { feedIndex } from '../acts/list-acts.js';
import { sessionRows } from '../acts/session-rows.js';
import { entryOf, shownBlueprints, shownItems, shownRuns, shownTasks, shownWorkflows } from '../acts/shown.js';
import type { Target, ViewName } from '../acts/ui-state.js';
import { workIndex } from '../acts/work-acts.js';
import { stepIndex, workflowIndex, workflowOf } from '../acts/workflow-acts.js';
import { type Area, itemAreas, type Layout } from '../paint/layout.js';
import { windowOf } from '../paint/rows.js';
import { aboutItem, areasOf } from '../rows/item-view.js';
import { headRows, stepWindow } from '../rows/workflow-rows.js';
import { layoutFor } from './fitted-layout.js';
import { shownSession } from './shown-session.js';
import type { State } from './store.js';
import { workAreas } from './work-areas.js';
import { viewArea, workflowAreas } from './workflow-areas.js';

export interface Region {
  readonly kind:
    | 'inbox'
    | 'sessions'
    | 'screen'
    | 'feed'
    | 'item'
    | 'form'
    | 'work_form'
    | 'palette'
    | 'help'
    | Exclude<ViewName, 'lists'>;
  readonly area: Area;
}

type Columns = readonly (readonly Region[])[];

const region = (kind: Region['kind'], area: Area): Region => ({ kind, area });

/** Returns no regions if the terminal is too small. */
export function regionsOf(state: State): Columns {
  const { ui } = state;
  const layout = layoutFor(state);
  if (layout.kind === 'tiny') return [];
  if (ui.mode.kind === 'help') return [[region('help', layout.whole)]];
  const dialog = detailsOf(state, layout);
  const view = dialog === null ? viewOf(state, layout) : null;
  const details = dialog ?? view;
  if (details === null && ui.isZoomed) return [[region(ui.pane, layout.whole)]];
  const { focus, pane } = ui;
  switch (layout.kind) {
    case 'columns': {
      const [upper, lower] = pane === 'screen' ? (['screen', 'feed'] as const) : (['feed', 'screen'] as const);
      return [
        [region('inbox', layout.inbox), region('sessions', layout.sessions)],
        details ?? [region(upper, layout.upper), region(lower, layout.lower)],
      ];
    }
    case 'stacked': {
      if (view) return [view];
      const below = details ?? [region('sessions', layout.sessions), region(pane, layout.pane)];
      return [[region('inbox', layout.inbox), ...below]];
    }
    case 'lists':
      return [
        details ?? [region('inbox', layout.inbox), region(focus === 'feed' ? 'feed' : 'sessions', layout.sessions)],
      ];
    case 'single':
      return [details ?? [region(focus, layout.item)]];
  }
}

/** Returns an item with its session's screen below if there is room, or a dialog in place of both. */
function detailsOf(state: State, layout: Layout): readonly Region[] | null {
  const { mode } = state.ui;
  if (mode.kind === 'starting' || mode.kind === 'palette') {
    const kind = mode.kind === 'starting' ? 'form' : 'palette';
    return [region(kind, itemAreas(layout, Number.POSITIVE_INFINITY).item)];
  }
  if (mode.kind === 'filling') return [region('work_form', itemAreas(layout, Number.POSITIVE_INFINITY).item)];
  const entry = entryOf(state);
  if (!entry) return null;
  const { model, ui, paint, now } = state;
  const { item, screen: below } = areasOf(paint, layout, entry, aboutItem(model, ui, entry, now));
  const kind = entry.item.workflow_id === undefined ? 'screen' : 'workflow';
  return [region('item', item), ...(below ? [region(kind, below)] : [])];
}

/**
 * Returns the workflows view, or one workflow with the details of the selected step and its session's screen if there
 * is room.
 */
function viewOf(state: State, layout: Layout): readonly Region[] | null {
  const { view } = state.ui;
  if (view === 'lists') return null;
  const area = viewArea(layout);
  if (view === 'task' || view === 'run' || view === 'blueprint' || view === 'session') {
    const { details, screen } = workAreas(state, area);
    return [region(view, details), ...(screen ? [region('screen', screen)] : [])];
  }
  if (view !== 'workflow') return [region(view, area)];
  const { table, step, screen } = workflowAreas(state, area);
  return [
    region('workflow', table),
    ...(step ? [region('step', step)] : []),
    ...(screen ? [region('screen', screen)] : []),
  ];
}

/** True if a session's screen is visible. A screen that is not visible is not watched. */
export const isScreenShown = (state: State): boolean => screenPlace(state) !== null;

/** Returns the area of the session's screen (columns and rows of the terminal from 0); null while it is not visible. */
export function screenPlace(state: State): { readonly area: Area; readonly x: number; readonly y: number } | null {
  let x = 0;
  for (const column of regionsOf(state)) {
    let y = 1; // below the status line
    for (const { kind, area } of column) {
      if (kind === 'screen') return { area, x, y };
      y += area.height;
    }
    x += column[0]?.area.width ?? 0;
  }
  return null;
}

/** Returns the number of rows inside the borders. */
const innerRows = ({ area }: Region): number => area.height - 2;

export function targetAt(state: State, x: number, y: number): Target | null {
  let left = 0;
  for (const column of regionsOf(state)) {
    const width = column[0]?.area.width ?? 0;
    if (x < left + width) {
      let top = 1; // below the status line
      for (const one of column) {
        if (y >= top && y < top + one.area.height) return targetIn(state, one, y - top - 1);
        top += one.area.height;
      }
      return null;
    }
    left += width;
  }
  return null;
}

/** @param row  Row inside the region's border. */
function targetIn(state: State, one: Region, row: number): Target | null {
  const { ui, model } = state;
  const rows = innerRows(one);
  const isInside = row >= 0 && row < rows;
  switch (one.kind) {
    case 'inbox':
    case 'sessions': {
      const isInbox = one.kind === 'inbox';
      const { length } = isInbox ? shownItems(model, ui) : sessionRows(model, ui);
      const { from } = windowOf(length, isInbox ? ui.itemIndex : ui.sessionIndex, rows);
      const index = isInside && from + row < length ? from + row : null;
      return { kind: 'list', list: one.kind, index };
    }
    case 'feed':
      return { kind: 'list', list: 'feed', index: isInside ? feedIndex(ui, model) : null };
    case 'workflows': {
      const { length } = shownWorkflows(model, ui);
      const { from } = windowOf(length, workflowIndex(ui, model), rows);
      return { kind: 'table', index: isInside && from + row < length ? from + row : null };
    }
    case 'tasks':
    case 'runs':
    case 'blueprints': {
      const shown = { tasks: shownTasks, runs: shownRuns, blueprints: shownBlueprints } as const;
      const { length } = shown[one.kind](model, ui);
      const { from } = windowOf(length, workIndex(ui, model), rows);
      return { kind: 'table', index: isInside && from + row < length ? from + row : null };
    }
    case 'task':
    case 'run':
    case 'blueprint':
    case 'session':
      return { kind: 'item' };
    case 'workflow':
      return { kind: 'table', index: isInside ? stepAt(state, one, row) : null };
    case 'item':
      return { kind: 'item' };
    case 'screen':
      return { kind: 'screen', sessionId: shownSession(state)?.id ?? null };
    default:
      return null;
  }
}

/** Returns the index of the step in a row of the table. */
function stepAt({ ui, model, paint, now }: State, { area }: Region, row: number): number | null {
  const run = workflowOf(ui, model);
  if (!run) return null;
  const head = headRows(paint, run, area, now).length;
  const { from, to } = stepWindow(run, stepIndex(ui, model), head, area);
  const index = from + row - head;
  return index >= from && index < to ? index : null;
}
