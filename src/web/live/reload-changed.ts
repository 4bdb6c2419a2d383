/**
 * Reloads data that an event has changed. The page shows the daemon's replies and computes nothing from events.
 *
 * The events of GATHER_MS reload a query once: a message opens an item and changes the state of its session. A query
 * that was not reloaded lately reloads up to BURST times without a rest, because the answer to one question and the
 * next question follow each other. After that it rests for PAUSES times as long as the reload took, so that a flood of
 * events reloads small lists often and large ones seldom.
 */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Event, GapEvent } from '../../protocol/index.js';

const GATHER_MS = 4;
const BURST = 3;
/** A query whose reload takes longer than this always rests after it. */
const QUICK_MS = 250;
const PAUSES = 3;
const LEAST_PAUSE_MS = 30;
const MOST_PAUSE_MS = 1_000;

/** The kinds of queries: the first word of each query's key. */
export type Subject =
  | 'inbox'
  | 'item'
  | 'sessions'
  | 'session'
  | 'runs'
  | 'tasks'
  | 'workflows'
  | 'agents'
  | 'envelopes'
  | 'status';

/** Returns the keys of the queries that an event concerns. */
function keysOf(event: Event | GapEvent): readonly QueryKey[] {
  const { event_type: type } = event;
  const about = event as { readonly [field: string]: unknown };
  const id = (field: string): string | undefined =>
    typeof about[field] === 'string' ? (about[field] as string) : undefined;
  const key = (subject: Subject, one?: string): QueryKey => (one === undefined ? [subject] : [subject, one]);
  if (type === 'gap' || type === 'daemon_started') return [[]];
  if (type === 'item_notified') return []; // no page shows it, and it would delay the reload for the next question
  const keys: QueryKey[] = [];
  if (id('item_id') !== undefined) keys.push(key('inbox'), key('item', id('item_id')));
  if (type.startsWith('session_') || type.startsWith('item_') || type.startsWith('message'))
    keys.push(key('sessions'), key('session', id('session_id')));
  if (type === 'session_removed' || type === 'session_renamed' || type === 'session_exited') keys.push(key('inbox'));
  if (type === 'result' || isEnvelope(about['message'])) keys.push(key('envelopes'));
  if (type.startsWith('run_') || type === 'result') keys.push(key('runs'));
  if (type.startsWith('task_') || id('task_id') !== undefined) keys.push(key('tasks'));
  if (type.startsWith('workflow_') || id('workflow_id') !== undefined) keys.push(key('workflows'));
  if (type.startsWith('blueprint_')) keys.push(key('agents'));
  return keys;
}

/** True for a message that carries an output envelope. */
const isEnvelope = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'OUTPUT';

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
      Math.min(MOST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, loadMs * PAUSES)),
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
