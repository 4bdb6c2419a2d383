/** One item: the question, the possible answers, and the delivery state of the answer. */
import { ITEM_BADGES } from '../../protocol/index.js';
import type { ItemEntry } from '../model/items/item-entry.js';
import type { Area } from '../paint/layout.js';
import type { Paint } from '../paint/paint.js';
import { box, hiddenWords } from '../paint/rows.js';
import { Rows } from '../paint/rows-view.js';
import { type AboutItem, itemTitle, viewItem } from '../rows/item-view.js';

interface ItemDetailsProps extends AboutItem {
  readonly paint: Paint;
  readonly area: Area;
  readonly entry: ItemEntry;
  readonly isSending: boolean;
}

/** Shows one item in a box. */
export function ItemDetails({ paint, area, ...about }: ItemDetailsProps) {
  const { width, height } = area;
  const { entry, now } = about;
  const { rows, above, below } = viewItem(paint, { ...about, columns: width - 2, height: height - 2 });
  const { title, note } = itemTitle(entry, ITEM_BADGES[entry.item.type].word, now);
  const hidden = hiddenWords(above, below);
  const foot = hidden === '' ? '' : `${hidden} · PgUp PgDn`;
  return <Rows rows={box(paint, rows, { width, height, title, note, foot, isFocused: true })} />;
}
