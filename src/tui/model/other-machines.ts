/**
 * The items and the sessions of the other machines of a hub, in the model. Pure.
 *
 * Their items are among the items of this machine. The name of a session of `build` begins with `build/`, so the filter
 * of a list finds a machine by its name.
 */
import { awayWords, displayLine, type Item, type OutputOf, type Session } from '../../protocol/index.js';
import { byAge, type Elsewhere, type ItemEntry } from './items/item-entry.js';

export interface OtherSession extends Pick<Elsewhere, 'machine' | 'away'> {
  readonly session: Session;
}

/** The state of all machines on the hub. */
export interface OnHub {
  /** The name of this machine. */
  readonly own: string;
  readonly items: OutputOf<'hub.items'>;
  readonly sessions: OutputOf<'hub.sessions'>;
}

interface Others {
  readonly items: readonly ItemEntry[];
  readonly others: readonly OtherSession[];
}

/**
 * Returns the items of this machine and of the others. An item that another machine no longer lists was closed there.
 */
export function takeOthers({ items }: Pick<Others, 'items'>, hub: OnHub | null, at: number): Others {
  const fresh = (hub?.items ?? []).filter(({ machine }) => machine !== hub?.own).map((one) => entryOf(one));
  const isFresh = new Set(fresh.map(({ item }) => item.id));
  const isClosed = new Set(items.flatMap(({ item }) => (item.state === 'open' ? [] : [item.id])));
  const kept = items
    .filter(({ item }) => !isFresh.has(item.id) || isClosed.has(item.id))
    .map((entry): ItemEntry => (entry.elsewhere && entry.changedAt === null ? closedThere(entry, at) : entry));
  const others = (hub?.sessions ?? [])
    .filter(({ machine, session }) => machine !== hub?.own && session.ended_at === null)
    .map(({ machine, away, age_ms, session }) => ({ machine, away: away ? awayWords(age_ms) : '', session }));
  return { items: byAge([...kept, ...fresh.filter(({ item }) => !isClosed.has(item.id))]), others };
}

/** Returns the items after an item of another machine was answered from here. */
export const answeredThere = (items: readonly ItemEntry[], answered: Item, at: number): readonly ItemEntry[] =>
  items.map((entry) =>
    entry.elsewhere && entry.item.id === answered.id
      ? { ...entry, item: named(answered, entry.elsewhere.machine), changedAt: at }
      : entry,
  );

function entryOf({ machine, away, age_ms, item, on_its_way: sent }: OnHub['items'][number]): ItemEntry {
  const onItsWay = sent ? `“${displayLine(sent.text)}” (${displayLine(sent.by)})` : '';
  const elsewhere = { machine, away: away ? awayWords(age_ms) : '', onItsWay };
  return { item: named(item, machine), changedAt: null, withdrawn: null, elsewhere };
}

const named = (item: Item, machine: string): Item => ({ ...item, session_name: `${machine}/${item.session_name}` });

const closedThere = (entry: ItemEntry, at: number): ItemEntry => ({
  ...entry,
  item: { ...entry.item, state: 'withdrawn' as const },
  changedAt: at,
  withdrawn: 'there',
});
