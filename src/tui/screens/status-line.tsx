/** The first line of the terminal: counts, and the connection to the daemon. */

import {
  costWords,
  counted,
  isWorkflowOver,
  type Segments,
  type Session,
  type TuiSegment,
} from '../../protocol/index.js';
import { isAlive, type Model, openItems } from '../model/model.js';
import type { Paint, Style } from '../paint/paint.js';
import { NARROW_COLS } from '../paint/rows.js';
import { Rows } from '../paint/rows-view.js';
import { cut, widthOf } from '../paint/text.js';

interface StatusLineProps {
  readonly paint: Paint;
  readonly columns: number;
  readonly model: Model;
  readonly version: string;
  readonly segments: Segments<TuiSegment>;
  /** A hint for what the layout hides. */
  readonly left: string;
  /** The key that starts the daemon. */
  readonly startKey: string;
}

/** Shows the first line of the terminal. */
export function StatusLine({ paint, columns, model, version, segments, left, startKey }: StatusLineProps) {
  const isNarrow = columns < NARROW_COLS;
  const isLoaded = model.connection.kind !== 'connecting';
  const isWell = model.connection.kind === 'connected' && model.health.length === 0;
  const name = isNarrow ? 'orchd' : `orchd ${version} `;
  const shown = isNarrow ? NARROW_SEGMENTS : segments;
  const words = wordsOf(model);
  const joined = (parts: readonly string[]): string => parts.filter(Boolean).join(' · ');
  const { mark, words: health, style } = connectionWords(model, startKey);
  const roomBeside = (right: string): number => columns - widthOf(name) - widthOf(right) - MARGINS;
  const whole = `${mark} ${health}`;
  const isTight = (): boolean => widthOf(joined([...shown.left.map(shownWords), left])) > roomBeside(whole);
  const shownWords = (segment: TuiSegment): string => (segment === 'health' ? whole : isLoaded ? words[segment] : '');
  // If the daemon is healthy, its process id is left out when there is no room for all segments.
  const healthText = isWell && (isNarrow || isTight()) ? mark : whole;
  const textOf = (segment: TuiSegment): string => (segment === 'health' ? healthText : isLoaded ? words[segment] : '');
  // A daemon that is away or not well is shown, also if the person has removed the segment.
  const isHealthMissing = !isWell && ![...shown.left, ...shown.right].includes('health');
  const right = joined([...shown.right.map(textOf), isHealthMissing ? healthText : '']);
  const room = roomBeside(right);
  const counts = shown.left.map(textOf);
  const hinted = joined([...counts, left]);
  const middle = widthOf(hinted) <= room ? hinted : cut(joined(counts), room);
  const gap = ' '.repeat(Math.max(1, columns - widthOf(name) - widthOf(middle) - widthOf(right) - 3));
  const line = ` ${paint('bold', name)} ${words.isWaiting ? paint('yellow', middle) : middle}${gap}${paint(style, right)} `;
  return <Rows rows={[line]} />;
}

/** A narrow terminal shows only the segments that ask for the person's attention. */
const NARROW_SEGMENTS: Segments<TuiSegment> = { left: ['open'], right: ['health'] };

function wordsOf(
  model: Model,
): Readonly<Record<Exclude<TuiSegment, 'health'>, string>> & { readonly isWaiting: boolean } {
  const living = model.sessions.filter(isAlive);
  // The open items are those of all machines, too.
  const open = openItems(model).length;
  const running = model.workflows.filter((one) => !isWorkflowOver(one)).length;
  return {
    sessions: counted(living.length + model.others.length, 'session'),
    workflows: running === 0 ? '' : counted(running, 'workflow'),
    open: `${open} open`,
    cost: costWords(totalOf(living)),
    isWaiting: open > 0,
  };
}

/** The usage of the living sessions together; undefined if no agent reports any. */
function totalOf(sessions: Model['sessions']): Session['usage'] {
  const used = sessions.flatMap(({ usage }) => usage ?? []);
  if (used.length === 0) return undefined;
  const sum = (field: keyof (typeof used)[number]): number => used.reduce((all, one) => all + (one[field] ?? 0), 0);
  return {
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    turns: sum('turns'),
    cached_input_tokens: sum('cached_input_tokens'),
    cost_usd: sum('cost_usd'),
  };
}

/** The blanks at both ends of the line, and between its parts. */
const MARGINS = 4;

function connectionWords(
  { connection, daemon, health }: Model,
  startKey: string,
): { readonly mark: string; readonly words: string; readonly style: Style } {
  switch (connection.kind) {
    case 'connecting':
      return { mark: '○', words: 'connecting …', style: 'dim' };
    case 'connected': {
      const [first] = health;
      if (first) return { mark: '●', words: first.brief, style: first.state === 'problem' ? 'red' : 'yellow' };
      return { mark: '●', words: daemon === null ? 'connected' : `daemon ${daemon.pid}`, style: 'green' };
    }
    case 'away':
      return { mark: '○', words: startKey === '' ? 'no daemon …' : `no daemon: ${startKey} starts it`, style: 'red' };
  }
}
