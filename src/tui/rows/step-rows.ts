/** Renders one step of a workflow: its question, error, times, results and runs. Pure. */
import { placeWords, STEP_BADGES, type WorkflowStep } from '../../protocol/index.js';
import { clock, elapsed } from '../paint/ages.js';
import type { Paint, Style } from '../paint/paint.js';
import { cut, fill, plainLine, plainText, widthOf, wrap } from '../paint/text.js';
import { titled } from './item-view.js';
import { runName, textOf } from './workflow-words.js';

/** Returns rows of at most `columns` columns. */
export function stepRows(paint: Paint, step: WorkflowStep, columns: number, now: number): string[] {
  const put = (title: string, text: string, style: Style | readonly Style[] = []): string[] =>
    titled(paint, title, (room) => wrap(text, room).map((line) => paint(style, line)), columns);
  const { kind, state, question, needs, agents, error, values, result, runs } = step;
  const made = Object.entries(values ?? {}).map(([name, value]) => `${plainLine(name)}: ${textOf(value)}`);
  return [
    ...(question === null ? [] : put('asks', plainText(question), state === 'asking' ? 'bold' : [])),
    ...(error === null ? [] : put('error', plainText(error.message), 'red')),
    ...put('state', timesWords(step, now), STEP_BADGES[state].style),
    ...(needs.length === 0 ? [] : put('after', needs.map(plainLine).join(', '))),
    ...(agents.length === 0 || runs.length > 0 ? [] : put('agents', agents.map(plainLine).join(', '))),
    ...(made.length === 0 ? [] : put(kind === 'ask' ? 'answer' : 'made', made.join('\n'))),
    ...(result === null ? [] : put('result', textOf(result))),
    ...(runs.length === 0 ? [] : titled(paint, 'runs', (room) => runRows(paint, step, room), columns)),
  ];
}

/** Returns, for example, `completed · 14:03:27 to 14:03:40, 0:13`. */
function timesWords({ state, started_at, ended_at }: WorkflowStep, now: number): string {
  if (started_at === null) return state;
  const end = ended_at === null ? '' : ` to ${clock(ended_at)}`;
  return `${state} · ${clock(started_at)}${end}, ${elapsed(started_at, ended_at, now)}`;
}

/** Running entries come first: among a thousand they matter most. */
function runRows(paint: Paint, step: WorkflowStep, columns: number): string[] {
  const { runs, error } = step;
  const ordered = runs.toSorted((a, b) => Number(b.state === 'running') - Number(a.state === 'running'));
  const nameCols = Math.min(Math.max(...runs.map((run) => widthOf(runName(step, run)))), Math.floor(columns / 3));
  return ordered.map((run) => {
    const { mark, style } = STEP_BADGES[run.state];
    // The step's error is shown above and not repeated here.
    const why = run.error === null || run.error.message === error?.message ? '' : `: ${plainLine(run.error.message)}`;
    const where = run.machine === undefined ? '' : `, ${plainLine(placeWords(run.machine))}`;
    const words = cut(`${mark} ${run.state}${where}${why}`, Math.max(1, columns - nameCols - 2));
    return `${paint('bold', fill(runName(step, run), nameCols))}  ${paint(style, words)}`;
  });
}
