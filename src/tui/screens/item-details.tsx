/** One item: what is asked, what can be answered, and how far the answer has come. */

import { ITEM_LOOKS } from '../../protocol/index.js';
import { itemTitle, viewItem } from '../item-view.js';
import type { Area } from '../layout.js';
import type { ItemEntry } from '../model.js';
import type { Paint } from '../paint.js';
import { box, hiddenWords } from '../rows.js';
import { Rows } from '../rows-view.js';
import type { Mode } from '../steering.js';

export interface ItemDetailsProps {
  readonly paint: Paint;
  readonly area: Area;
  readonly entry: ItemEntry;
  readonly mode: Mode;
  readonly isSending: boolean;
  readonly now: number;
}

export function ItemDetails({ paint, area, entry, mode, isSending, now }: ItemDetailsProps) {
  const { width, height } = area;
  const inner = { columns: width - 2, height: height - 2 };
  const { rows, above, below } = viewItem(paint, { entry, mode, isSending, now, ...inner });
  const { title, note } = itemTitle(entry, ITEM_LOOKS[entry.item.type].word, now);
  const hidden = hiddenWords(above, below);
  const foot = hidden === '' ? '' : `${hidden} · PgUp PgDn`;
  return <Rows rows={box(paint, rows, { width, height, title, note, foot, isFocused: true })} />;
}
