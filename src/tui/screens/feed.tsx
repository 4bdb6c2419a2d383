/** The feed: events in words, the newest at the bottom, with scrolling and search. */

import type { FeedLine } from '../acts/shown.js';
import { clock } from '../paint/ages.js';
import type { Area } from '../paint/layout.js';
import type { Paint } from '../paint/paint.js';
import { box, type Cell, centred, hiddenWords, listRow, listTitle } from '../paint/rows.js';
import { Rows } from '../paint/rows-view.js';
import { plainLine, widthOf } from '../paint/text.js';

interface FeedProps {
  readonly paint: Paint;
  readonly area: Area;
  readonly lines: readonly FeedLine[];
  /** Number of events without the filter. */
  readonly all: number;
  /** The `seq` of the event at the bottom; null for the newest. */
  readonly seq: number | null;
  readonly filter: string;
  readonly isFocused: boolean;
}

const CLOCK_COLS = 8;
const NAME_COLS = { least: 5, most: 16 } as const;

/** Shows the events that fit, in a box. */
export function Feed({ paint, area, lines, all, seq, filter, isFocused }: FeedProps) {
  const { width, height } = area;
  const inner = { columns: width - 2, rows: height - 2 };
  const last = seq === null ? lines.length : Math.max(1, lines.findLastIndex(({ event }) => event.seq <= seq) + 1);
  // The page with the oldest events is filled up with the events after it.
  const end = Math.min(lines.length, Math.max(last, inner.rows));
  const first = Math.max(0, end - inner.rows);
  const shown = lines.slice(first, end);
  const nameCols = Math.min(Math.max(NAME_COLS.least, ...shown.map(({ who }) => widthOf(who))), NAME_COLS.most);
  const rows = shown.map(({ event, who, text, style }) => {
    const cells: Cell[] = [
      { text: clock(event.timestamp), width: CLOCK_COLS, style: 'dim' },
      { text: who, width: nameCols, style: 'bold' },
      { text: plainLine(text), style },
    ];
    return listRow(paint, cells, inner.columns, 'plain');
  });
  const words = filter === '' ? 'Nothing has happened yet.' : 'Nothing that happened has these words.';
  const empty = centred(paint, [words], inner.columns, inner.rows);
  const foot = isFocused || seq !== null ? hiddenWords(first, lines.length - end) : '';
  const title = listTitle('What happened', { count: 0, shown: lines.length, all, filter });
  return <Rows rows={box(paint, rows.length === 0 ? empty : rows, { width, height, title, foot, isFocused })} />;
}
