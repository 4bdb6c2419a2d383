/** The inbox: open items, oldest first, and for a while the results of answered ones. */

import { ITEM_BADGES } from '../../protocol/index.js';
import type { ItemEntry } from '../model/items/item-entry.js';
import { deadlineOf, elsewhereWords, outcomeOf, subjectOf } from '../model/items/item-words.js';
import { age, shortCountdown } from '../paint/ages.js';
import type { Area } from '../paint/layout.js';
import type { Paint } from '../paint/paint.js';
import { box, type Cell, centred, hiddenWords, listRow, listTitle, windowOf } from '../paint/rows.js';
import { Rows } from '../paint/rows-view.js';
import { plainLine, widthOf } from '../paint/text.js';

interface InboxProps {
  readonly paint: Paint;
  readonly area: Area;
  readonly items: readonly ItemEntry[];
  /** Number of items without the filter. */
  readonly all: number;
  readonly filter: string;
  readonly selected: number;
  readonly isFocused: boolean;
  readonly isLoaded: boolean;
  readonly now: number;
}

const NAME_COLS = { least: 6, most: 20 } as const;
const AGE_COLS = 5;

/** Shows the items that fit, in a box. */
export function Inbox({ paint, area, items, all, filter, selected, isFocused, isLoaded, now }: InboxProps) {
  const { width, height } = area;
  const inner = { columns: width - 2, rows: height - 2 };
  const open = items.filter(({ item }) => item.state === 'open').length;
  const { from, to } = windowOf(items.length, selected, inner.rows);
  const names = Math.max(...items.map(({ item }) => widthOf(plainLine(item.session_name))), NAME_COLS.least);
  const nameCols = Math.min(names, NAME_COLS.most, Math.floor(inner.columns / 4));
  const rows =
    items.length === 0
      ? centred(paint, [emptyWords(isLoaded, all)], inner.columns, inner.rows)
      : items.slice(from, to).map((entry, i) => {
          const isSelected = from + i === selected;
          const plain = entry.item.state === 'open' ? 'plain' : 'faint';
          const rowStyle = isSelected ? (isFocused ? 'hot' : 'marked') : plain;
          return listRow(paint, cells(entry, nameCols, inner.columns, now), inner.columns, rowStyle);
        });
  const title = listTitle('Inbox', { count: open, shown: items.length, all, filter });
  const foot = hiddenWords(from, items.length - to);
  return <Rows rows={box(paint, rows, { width, height, title, foot, isFocused })} />;
}

function emptyWords(isLoaded: boolean, all: number): string {
  if (!isLoaded) return '…';
  return all === 0 ? 'Nothing waits for you.' : 'Nothing that waits has these words.';
}

function cells(entry: ItemEntry, nameCols: number, columns: number, now: number): Cell[] {
  const { item } = entry;
  const { mark, word, style } = ITEM_BADGES[item.type];
  const deadline = deadlineOf(item);
  const isOpen = item.state === 'open';
  const when = isOpen && deadline ? shortCountdown(deadline.at, now) : age(item.opened_at, now);
  const type = columns < 50 ? { text: mark, width: 1, style } : { text: `${mark} ${word}`, width: 11, style };
  return [
    type,
    { text: plainLine(item.session_name), width: nameCols, style: 'bold' },
    { text: isOpen ? `${elsewhereWords(entry)}${plainLine(subjectOf(item))}` : outcomeOf(entry) },
    { text: when, width: AGE_COLS, align: 'right', style: isOpen && deadline ? 'yellow' : 'dim' },
  ];
}
