/** All keys, and what is good to know. */
import type { Area } from '../layout.js';
import type { Paint } from '../paint.js';
import { prefixName } from '../prefix-reader.js';
import { box } from '../rows.js';
import { Rows } from '../rows-view.js';
import { fill, wrap } from '../text.js';

export interface HelpProps {
  readonly paint: Paint;
  readonly area: Area;
  readonly prefix: string;
}

type Line = readonly [keys: string, meaning: string];
const linesFor = (prefix: string): readonly (readonly [string, readonly Line[]])[] => [
  [
    'Everywhere',
    [
      ['j k ↑ ↓', 'move (PgUp PgDn Home End too)'],
      ['Tab', 'inbox or sessions'],
      ['f', 'screen or feed (what happened)'],
      ['q', 'leave; daemon and sessions go on (Ctrl-C too)'],
    ],
  ],
  [
    'Inbox',
    [
      ['Enter', 'open the item'],
      ['1–9', 'open it; the same again sends that option'],
      ['a', 'open it and type an answer'],
      ['g', 'go to its session'],
    ],
  ],
  [
    'An open item',
    [
      ['1–9', 'send that option, at once'],
      ['Enter a', 'type an answer; Enter sends it, Esc does not'],
      ['x', 'decline, after y'],
      ['Enter', 'of a dialog of the program itself: attach'],
      ['Esc', 'back'],
    ],
  ],
  [
    'Sessions',
    [
      ['Enter', `sit at its terminal; ${prefix} d comes back`],
      ['i', 'its oldest open item'],
    ],
  ],
];

const KEY_COLS = 10;

export function Help({ paint, area, prefix }: HelpProps) {
  const { width, height } = area;
  const columns = width - 2;
  const rows = linesFor(prefixName(prefix)).flatMap(([title, lines], i) => [
    ...(i === 0 ? [] : [' '.repeat(columns)]),
    ` ${paint('bold', fill(title, columns - 1))}`,
    ...lines.flatMap(([keys, meaning]) =>
      wrap(meaning, columns - KEY_COLS - 4).map(
        (line, y) => `   ${paint('cyan', fill(y === 0 ? keys : '', KEY_COLS))}${fill(line, columns - KEY_COLS - 3)}`,
      ),
    ),
  ]);
  const room = height - 2;
  // Blank lines are the first to go.
  const shown = rows.length <= room ? rows : rows.filter((row) => row.trim() !== '');
  const foot = shown.length > room ? 'a larger terminal shows the rest' : 'any key goes back';
  return <Rows rows={box(paint, shown.slice(0, room), { width, height, title: 'Keys', foot, isFocused: true })} />;
}
