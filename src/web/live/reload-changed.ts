/**
 * Reloads data that an event has changed. The page shows the daemon's replies and computes nothing from events.
 *
 * The events of GATHER_MS reload a query once: a message opens an item and changes the state of its session. A query
 * that was not reloaded lately reloads up to BURST times without a rest, because the answer to one question and the
 * next question follow each other. After that it rests for PAUSES times as long as the reload took, so that a flood of
 * events reloads small lists often and large ones seldom.
 */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { type Event, type EventList, type GapEvent, listsOf } from '../../protocol/index.js';

const GATHER_MS = 4;
const BURST = 3;
/** A query whose reload takes longer than this always rests after it. */
const QUICK_MS = 250;
const PAUSES = 3;
const MIN_PAUSE_MS = 30;
const MAX_PAUSE_MS = 1_000;

/** The kinds of queries: the first word of each query's key. */
export type Subject = EventList | 'item' | 'session' | 'status';

/** Returns the keys of the queries that an event concerns. */
function keysOf(event: Event | GapEvent): readonly QueryKey[] {
  const lists = event.event_type === 'gap' ? 'all' : listsOf(event);
  if (lists === 'all') return [[]];
  if (lists.length === 0) return [];
  const about = event as { readonly [field: string]: unknown };
  const one = (subject: Subject, field: string): QueryKey[] =>
    typeof about[field] === 'string' ? [[subject, about[field]]] : [];
  const keys = lists.map((list): QueryKey => [list]);
  if (lists.includes('inbox')) keys.push(...one('item', 'item_id'));
  if (lists.includes('sessions')) keys.push(...one('session', 'session_id'));
  if ('task_id' in about) keys.push(['tasks']);
  if ('workflow_id' in about) keys.push(['workflows']);
  return keys;
}

/**
 * Reloads queries, also those whose first load is under way: react-query does not restart a first load, and the daemon
 * may have answered it before the event.
 */
export async function reload(
  queries: Pick<QueryClient, 'invalidateQueries' | 'getQueryCache'>,
  queryKey: QueryKey,
): Promise<void> {
  const first = queries
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  await queries.invalidateQueries({ queryKey });
  await Promise.all(first.map((query) => queries.invalidateQueries({ queryKey: query.queryKey, exact: true })));
}

interface Fresh {
  isLoading: boolean;
  /** True if an event came since the last load began. */
  isStale: boolean;
  /** Number of loads that may still follow one another without a rest. */
  left: number;
  rest?: ReturnType<typeof setTimeout>;
}

export function createReloader(load: (key: QueryKey) => Promise<void>): (event: Event | GapEvent) => void {
  /** Keys that are loaded, or rest after a load. */
  const known = new Map<string, Fresh>();
  /** Keys of the queries that events of the last GATHER_MS have changed, by name. */
  const gathered = new Map<string, QueryKey>();
  const begin = async (name: string, queryKey: QueryKey, one: Fresh): Promise<void> => {
    clearTimeout(one.rest);
    Object.assign(one, { isLoading: true, isStale: false, left: Math.max(0, one.left - 1) });
    known.set(name, one);
    const startedAt = performance.now();
    await load(queryKey).catch(() => {}); // the page shows the error of its query
    const loadMs = performance.now() - startedAt;
    one.isLoading = false;
    if (loadMs > QUICK_MS) one.left = 0;
    if (one.isStale && one.left > 0) return begin(name, queryKey, one);
    one.rest = setTimeout(
      () => {
        if (one.isStale) void begin(name, queryKey, one);
        else known.delete(name);
      },
      Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, loadMs * PAUSES)),
    );
  };
  const loadGathered = (): void => {
    const keys = [...gathered];
    gathered.clear();
    for (const [name, queryKey] of keys) {
      const one = known.get(name) ?? { isLoading: false, isStale: false, left: BURST };
      if (one.isLoading || (known.has(name) && one.left === 0)) one.isStale = true;
      else void begin(name, queryKey, one);
    }
  };
  return (event) => {
    const keys = keysOf(event);
    if (gathered.size === 0 && keys.length > 0) setTimeout(loadGathered, GATHER_MS);
    for (const key of keys) gathered.set(JSON.stringify(key), key);
  };
}
