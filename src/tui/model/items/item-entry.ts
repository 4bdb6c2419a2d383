/** An item as the TUI shows it. */
import type { Item } from '../../../protocol/index.js';

/** The machine of an item or a session that is not on this machine. */
export interface Elsewhere {
  readonly machine: string;
  /** The time since the machine's last heartbeat if it is away, for example `away 5m`; otherwise ''. */
  readonly away: string;
  /** The answer that is on its way to that machine; '' if there is none. */
  readonly onItsWay: string;
}

export interface ItemEntry {
  readonly item: Item;
  /** Time in ms at which the item was closed or its delivery last changed; null while it is open. */
  readonly changedAt: number | null;
  /** The reason why the item was withdrawn; null if it was not. */
  readonly withdrawn: string | null;
  /** Set for an item of another machine. */
  readonly elsewhere?: Elsewhere;
}

export const byAge = (items: readonly ItemEntry[]): ItemEntry[] =>
  [...items].sort((a, b) => a.item.opened_at.localeCompare(b.item.opened_at));
