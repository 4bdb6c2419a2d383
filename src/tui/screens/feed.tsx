/** What happened, in words, the newest at the bottom. */
import type { Event, Session } from '../../protocol/index.js';
import { clock } from '../ages.js';
import { eventWords } from '../event-words.js';
import type { Area } from '../layout.js';
import type { Paint } from '../paint.js';
import { box, type Cell, centred, listRow } from '../rows.js';
import { Rows } from '../rows-view.js';
import { plainLine, widthOf } from '../text.js';

export interface FeedProps {
  readonly paint: Paint;
  readonly area: Area;
  readonly feed: readonly Event[];
  readonly sessions: readonly Session[];
}

const CLOCK_COLS = 8;
const NAME_COLS = { least: 5, most: 16 } as const;

export function Feed({ paint, area, feed, sessions }: FeedProps) {
  const { width, height } = area;
  const inner = { columns: width - 2, rows: height - 2 };
  const names = new Map(sessions.map(({ id, name }) => [id, plainLine(name)]));
  const shown = newest(feed, inner.rows);
  const who = ({ session_id: id }: Event): string => (typeof id === 'string' ? (names.get(id) ?? '') : 'orchd');
  const nameCols = Math.min(Math.max(NAME_COLS.least, ...shown.map(([event]) => widthOf(who(event)))), NAME_COLS.most);
  const rows = shown.map(([event, words]) => {
    const cells: Cell[] = [
      { text: clock(event.timestamp), width: CLOCK_COLS, style: 'dim' },
      { text: who(event), width: nameCols, style: 'bold' },
      { text: words.text, style: words.style },
    ];
    return listRow(paint, cells, inner.columns, 'plain');
  });
  const empty = centred(paint, ['Nothing has happened yet.'], inner.columns, inner.rows);
  return <Rows rows={box(paint, rows.length === 0 ? empty : rows, { width, height, title: 'What happened' })} />;
}

type Told = readonly [Event, NonNullable<ReturnType<typeof eventWords>>];

/** As many of the last as fill, oldest first. */
function newest(feed: readonly Event[], count: number): Told[] {
  const told: Told[] = [];
  for (let i = feed.length - 1; i >= 0 && told.length < count; i--) {
    const event = feed[i];
    const words = event && eventWords(event);
    if (words) told.unshift([event, words]);
  }
  return told;
}
