/** The mark of an inbox item in lists of the dashboard. A closed item has a check mark. */
import { ITEM_BADGES, type Item } from '../../protocol/index.js';
import { Mark } from '../parts/state-pill.js';

/** The kind of an item as a coloured mark, with its word for screen readers. */
export function ItemMark({ item }: { readonly item: Pick<Item, 'type' | 'state'> }) {
  const badge = ITEM_BADGES[item.type];
  if (item.state === 'open') return <Mark badge={badge} word={badge.word} />;
  return <Mark badge={{ ...badge, mark: '✓' }} word={badge.word} tone="tone-dim" />;
}
