/** The mark of an inbox item in lists of the dashboard. A closed item has a check mark. */
import { ITEM_BADGES, type Item } from '../../protocol/index.js';
import { toneOf } from '../parts/state-pill.js';

/** The kind of an item as a coloured mark, with its word for screen readers. */
export function ItemMark({ item }: { readonly item: Pick<Item, 'type' | 'state'> }) {
  const badge = ITEM_BADGES[item.type];
  const isOpen = item.state === 'open';
  return (
    <span className={`mark ${isOpen ? toneOf(badge) : 'tone-dim'}`} title={badge.word}>
      <span aria-hidden="true">{isOpen ? badge.mark : '✓'}</span>
      <span className="hidden-visually">{badge.word}</span>
    </span>
  );
}
