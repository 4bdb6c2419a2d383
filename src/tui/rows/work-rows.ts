/** Renders the lists of tasks, runs and blueprints, one row per entry. Pure. */
import {
  type Blueprint,
  isRunOver,
  isTaskOver,
  type RunSummary,
  shownRun,
  shownTask,
  type TaskSummary,
} from '../../protocol/index.js';
import {
  blueprintPlace,
  goalAndReason,
  markedState,
  runAgent,
  type StateWords,
  taskAgent,
} from '../model/work-words.js';
import { age, elapsed } from '../paint/ages.js';
import type { Area } from '../paint/layout.js';
import type { Paint } from '../paint/paint.js';
import { type Cell, listRow, NARROW_COLS, windowOf } from '../paint/rows.js';
import { plainLine, widthOf } from '../paint/text.js';

const STATE_COLS = 14;
const NARROW_STATE_COLS = 11;
const NAME_COLS = { least: 5, most: 20 } as const;
const TIME_COLS = 7;

interface ListOf<T> {
  readonly all: readonly T[];
  readonly selected: number;
  readonly area: Area;
  readonly now: number;
}

export function taskRows(paint: Paint, list: ListOf<TaskSummary>): string[] {
  return listRows(paint, list, {
    name: taskAgent,
    state: (task) => markedState(shownTask(task)),
    words: goalAndReason,
    time: ({ created_at }, now) => age(created_at, now),
    isFaint: isTaskOver,
  });
}

export function runRows(paint: Paint, list: ListOf<RunSummary>): string[] {
  return listRows(paint, list, {
    name: runAgent,
    state: (run) => markedState(shownRun(run)),
    words: goalAndReason,
    time: ({ started_at, ended_at }, now) => (started_at === null ? '' : elapsed(started_at, ended_at, now)),
    isFaint: isRunOver,
  });
}

export function blueprintRows(paint: Paint, list: ListOf<Blueprint>): string[] {
  return listRows(paint, list, {
    name: ({ name }) => plainLine(name),
    state: (one) => ({ text: one.problem ? '✗ damaged' : blueprintPlace(one), style: one.problem ? 'red' : 'dim' }),
    words: ({ description, problem }) => plainLine(problem ? problem.message : description),
    time: ({ adapter }) => plainLine(adapter ?? ''),
    isFaint: () => false,
  });
}

interface Columns<T> {
  readonly name: (one: T) => string;
  readonly state: (one: T) => StateWords;
  readonly words: (one: T) => string;
  readonly time: (one: T, now: number) => string;
  readonly isFaint: (one: T) => boolean;
}

function listRows<T>(paint: Paint, { all, selected, area, now }: ListOf<T>, columns: Columns<T>): string[] {
  const width = area.width - 2;
  const isNarrow = width < NARROW_COLS;
  const { from, to } = windowOf(all.length, selected, area.height - 2);
  const widest = Math.max(NAME_COLS.least, ...all.map((one) => widthOf(columns.name(one))));
  const nameCols = Math.min(widest, NAME_COLS.most, Math.floor(width / 3));
  return all.slice(from, to).map((one, i) => {
    const { text, style } = columns.state(one);
    const cells: Cell[] = [
      { text, style, width: isNarrow ? NARROW_STATE_COLS : STATE_COLS },
      { text: columns.name(one), width: nameCols, style: 'bold' },
      { text: columns.words(one) },
      ...(isNarrow ? [] : [{ text: columns.time(one, now), width: TIME_COLS, align: 'right' as const }]),
    ];
    return listRow(paint, cells, width, from + i === selected ? 'hot' : columns.isFaint(one) ? 'faint' : 'plain');
  });
}
