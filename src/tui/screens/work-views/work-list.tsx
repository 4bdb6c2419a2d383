/** The list of tasks, runs or blueprints. Its title names all three. */

import { shownBlueprints, shownRuns, shownTasks } from '../../acts/shown.js';
import { WORK_LISTS, type WorkList, workIndex } from '../../acts/work-acts.js';
import type { Area } from '../../paint/layout.js';
import { box, centred, hiddenWords, windowOf } from '../../paint/rows.js';
import { Rows } from '../../paint/rows-view.js';
import { plainLine } from '../../paint/text.js';
import { blueprintRows, runRows, taskRows } from '../../rows/work-rows.js';
import type { State } from '../../view/store.js';

interface WorkListProps {
  readonly state: State;
  readonly area: Area;
  readonly list: WorkList;
  readonly isFocused: boolean;
}

const NONE: Readonly<Record<WorkList, (key: string) => readonly string[]>> = {
  tasks: (key) => ['No task yet.', `${key} creates one, as does`, 'orchd task create "…"'],
  runs: (key) => ['Nothing has run yet.', `${key} starts a run, as does`, 'orchd runs start "…"'],
  blueprints: () => ['No blueprint yet.', 'orchd agent create NAME'],
};

export function WorkLists({ state, area, list, isFocused }: WorkListProps) {
  const { paint, model, ui, now, keymap } = state;
  const { width, height } = area;
  const selected = workIndex(ui, model);
  const about = { selected, area, now };
  const filter = ui.filters[list];
  const [rows, count] =
    list === 'tasks'
      ? [taskRows(paint, { all: shownTasks(model, ui), ...about }), shownTasks(model, ui).length]
      : list === 'runs'
        ? [runRows(paint, { all: shownRuns(model, ui), ...about }), shownRuns(model, ui).length]
        : [blueprintRows(paint, { all: shownBlueprints(model, ui), ...about }), shownBlueprints(model, ui).length];
  const none = filter === '' ? NONE[list](keymap.keyOf('new_work')) : [`Nothing with “${plainLine(filter)}”.`];
  const shown = rows.length === 0 ? centred(paint, none, width - 2, height - 2) : rows;
  const { from, to } = windowOf(count, selected, height - 2);
  const all = model.work[list].length;
  const title = filter === '' ? tabs(list) : `${tabs(list)} · ${count} of ${all} with “${plainLine(filter)}”`;
  const foot = hiddenWords(from, count - to);
  return <Rows rows={box(paint, shown, { width, height, title, foot, isFocused })} />;
}

/** Returns `[Tasks] Runs Blueprints`: brackets mark the open list without colours. */
const tabs = (list: WorkList): string =>
  WORK_LISTS.map((one) => (one === list ? `[${titleOf(one)}]` : titleOf(one))).join(' ');

const titleOf = (list: WorkList): string => `${list.charAt(0).toUpperCase()}${list.slice(1)}`;
