/** Renders a workflow as a table of its steps, and all workflows as a list: the rows inside their boxes. Pure. */
import {
  isWorkflowOver,
  STEP_BADGES,
  shownWorkflow,
  type WorkflowRun,
  type WorkflowRunSummary,
  type WorkflowStep,
} from '../../protocol/index.js';
import type { ItemEntry } from '../model/items/item-entry.js';
import { markedState } from '../model/work-words.js';
import { itemOfStep, stepsOf } from '../model/workflow-model.js';
import { elapsed } from '../paint/ages.js';
import type { Area } from '../paint/layout.js';
import type { Paint } from '../paint/paint.js';
import { type Cell, listRow, NARROW_COLS, type RowStyle, windowOf } from '../paint/rows.js';
import { fill, plainLine, plainText, widthOf, wrap } from '../paint/text.js';
import { doingWords, inputWords, progressWords, stepWords } from './workflow-words.js';

/** With fewer columns, a step shows only its state, name and time. */
const WORDS_COLS = 48;
const NAME_COLS = { least: 6, most: 24 } as const;
const TIME_COLS = 7;
const STATE_COLS = 11;

// ── one ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** With fewer rows, only the state is shown above the steps. */
const ROOMY_ROWS = 12;
const ERROR_ROWS = 3;

/** Renders the rows above the steps: state and progress; if there is room, also the inputs and the error. */
export function headRows(paint: Paint, run: WorkflowRun, { width, height }: Area, now: number): string[] {
  const columns = width - 4;
  const { text: state, style } = markedState(shownWorkflow(run));
  const progress = fill(progressWords(run, now), Math.max(0, columns - widthOf(state) - 3));
  const head = ` ${paint(style, state)} ${paint('dim', '·')} ${progress} `;
  const inputs = inputWords(run);
  // The state already says that a workflow was cancelled.
  const error =
    run.state !== 'failed' || run.error === null
      ? []
      : wrap(plainText(run.error.message), columns).slice(0, ERROR_ROWS);
  const whole = [
    head,
    ...(inputs === '' ? [] : [` ${paint('dim', fill(`given ${inputs}`, columns))} `]),
    ...error.map((line) => ` ${paint('red', fill(line, columns))} `),
  ];
  return height >= Math.min(ROOMY_ROWS, whole.length + run.steps.length + 2) ? whole : [head];
}

/** Returns the range of visible steps. */
export function stepWindow(run: WorkflowRun, selected: number, head: number, { height }: Area) {
  return windowOf(run.steps.length, selected, Math.max(0, height - 2 - head));
}

interface Table {
  readonly run: WorkflowRun;
  /** Index in `stepsOf`. */
  readonly selected: number;
  readonly area: Area;
  readonly items: readonly ItemEntry[];
  readonly now: number;
}

/** Renders the visible steps, one row each. */
export function tableRows(paint: Paint, { run, selected, area, items, now }: Table, head: number): string[] {
  const columns = area.width - 2;
  const isNarrow = columns < NARROW_COLS;
  const hasWords = columns >= WORDS_COLS;
  const { from, to } = stepWindow(run, selected, head, area);
  const { steps, open, names } = factsOf(run);
  const nameCols = Math.min(Math.max(names, NAME_COLS.least), NAME_COLS.most, Math.floor(columns / 3));
  const stageCols = run.jobs === 1 ? 0 : isNarrow ? 1 : widthOf(String(steps.at(-1)?.stage ?? 1)) + 2;
  return steps.slice(from, to).map((step, i) => {
    const at = from + i;
    const { mark, style } = STEP_BADGES[step.state];
    const asked = itemOfStep(step, items);
    const wordsStyle = step.state === 'completed' ? [] : asked ? ('yellow' as const) : style;
    const time = step.started_at === null ? '' : elapsed(step.started_at, step.ended_at, now);
    const cells: Cell[] = [
      ...(stageCols === 0 ? [] : [{ text: stageMark(steps, at, stageCols), width: stageCols, style: 'dim' as const }]),
      { text: `${mark} ${step.state}`, width: STATE_COLS, style },
      { text: plainLine(step.id), style: 'bold', ...(hasWords && { width: nameCols }) },
      { text: time, width: isNarrow ? TIME_COLS - 2 : TIME_COLS, align: 'right' },
      ...(hasWords ? [{ text: stepWords(step, open, asked), style: wordsStyle }] : []),
    ];
    return listRow(paint, cells, columns, rowStyle(at === selected, step));
  });
}

const rowStyle = (isSelected: boolean, { state }: WorkflowStep): RowStyle =>
  isSelected ? 'hot' : state === 'skipped' || state === 'cancelled' ? 'faint' : 'plain';

/** Returns `2 ┌`, `  │` or `  └`: the number of a stage, and a line along its steps. */
function stageMark(steps: readonly WorkflowStep[], at: number, columns: number): string {
  const stage = steps[at]?.stage;
  const isFirst = steps[at - 1]?.stage !== stage;
  const isLast = steps[at + 1]?.stage !== stage;
  const line = isFirst && isLast ? ' ' : isFirst ? '┌' : isLast ? '└' : '│';
  return columns === 1 ? line : `${fill(isFirst ? String(stage) : '', columns - 2, 'right')} ${line}`;
}

interface Facts {
  readonly steps: readonly WorkflowStep[];
  /** Ids of the steps that are not over. */
  readonly open: ReadonlySet<string>;
  /** Width of the widest name in columns. */
  readonly names: number;
}

const facts = new WeakMap<WorkflowRun, Facts>();

/** Computed once per reply, not once per frame: a workflow may have a thousand steps. */
function factsOf(run: WorkflowRun): Facts {
  const known = facts.get(run);
  if (known) return known;
  const steps = stepsOf(run);
  const open = new Set(steps.filter(({ state }) => state !== 'completed' && state !== 'skipped').map(({ id }) => id));
  const found = { steps, open, names: Math.max(0, ...steps.map(({ id }) => widthOf(plainLine(id)))) };
  facts.set(run, found);
  return found;
}

// ── all ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

interface WorkflowList {
  readonly workflows: readonly WorkflowRunSummary[];
  readonly selected: number;
  readonly area: Area;
  readonly now: number;
}

/** Renders the visible workflows, one row each. */
export function workflowRows(paint: Paint, { workflows, selected, area, now }: WorkflowList): string[] {
  const columns = area.width - 2;
  const { from, to } = windowOf(workflows.length, selected, area.height - 2);
  const widest = Math.max(NAME_COLS.least, ...workflows.map(({ name }) => widthOf(plainLine(name))));
  const nameCols = Math.min(widest, NAME_COLS.most, Math.floor(columns / 3));
  const isNarrow = columns < NARROW_COLS;
  return workflows.slice(from, to).map((run, i) => {
    const count = `${run.done}/${run.steps}`;
    const cells: Cell[] = [
      { ...markedState(shownWorkflow(run)), width: STATE_COLS },
      { text: plainLine(run.name), width: nameCols, style: 'bold' },
      { text: count, width: isNarrow ? 5 : 9, align: 'right' },
      { text: doingWords(run, now) },
      ...(isNarrow
        ? []
        : [{ text: elapsed(run.created_at, run.ended_at, now), width: TIME_COLS, align: 'right' as const }]),
    ];
    return listRow(paint, cells, columns, from + i === selected ? 'hot' : isWorkflowOver(run) ? 'faint' : 'plain');
  });
}
