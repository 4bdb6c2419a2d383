import { ITEM_LOOKS, type Item } from '../../protocol/index.js';
import { toneOf } from '../parts/words.js';

/** The kind of an item as a coloured mark, with its word for screen readers. */
export function ItemMark({ item }: { readonly item: Pick<Item, 'type' | 'state'> }) {
  const look = ITEM_LOOKS[item.type];
  const isOpen = item.state === 'open';
  return (
    <span className={`mark ${isOpen ? toneOf(look) : 'tone-dim'}`} title={look.word}>
      <span aria-hidden="true">{isOpen ? look.mark : '✓'}</span>
      <span className="hidden-visually">{look.word}</span>
    </span>
  );
}
