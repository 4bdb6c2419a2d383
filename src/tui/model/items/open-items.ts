/** Finds items of the model. */
import type { Item } from '../../../protocol/index.js';
import type { Model } from '../model.js';
import type { ItemEntry } from './item-entry.js';

/** Returns an item as the TUI shows it; undefined if the model has none with that id. */
export const entryOfItem = (
  { items }: Pick<Model, 'items'>,
  itemId: string | null | undefined,
): ItemEntry | undefined => items.find(({ item }) => item.id === itemId);

export const openItems = (model: Model): Item[] =>
  model.items.filter(({ item }) => item.state === 'open').map(({ item }) => item);

export const openItemsOf = (model: Model, sessionId: string): Item[] =>
  openItems(model).filter((item) => item.session_id === sessionId);

const counts = new WeakMap<readonly ItemEntry[], ReadonlyMap<string, number>>();

/** Returns the number of open items of each session. Memoized per list object. */
export function openCounts(items: readonly ItemEntry[]): ReadonlyMap<string, number> {
  const known = counts.get(items);
  if (known) return known;
  const open = new Map<string, number>();
  for (const { item } of items)
    if (item.state === 'open') open.set(item.session_id, (open.get(item.session_id) ?? 0) + 1);
  counts.set(items, open);
  return open;
}
