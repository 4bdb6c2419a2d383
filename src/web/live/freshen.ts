/**
 * Loads anew what an event changes. The page shows what the daemon says, and computes nothing from events.
 *
 * The first event after a pause is acted upon at once; the events of a flood together, every PAUSE_MS.
 */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Event, GapEvent } from '../../protocol/index.js';

const PAUSE_MS = 200;

/** The subjects of the queries: the first word of each key. */
export type Subject = 'inbox' | 'item' | 'sessions' | 'session' | 'runs' | 'tasks' | 'workflows' | 'agents' | 'status';

/** Returns the keys of the queries that an event concerns. */
export function keysOf(event: Event | GapEvent): readonly QueryKey[] {
  const { event_type: type } = event;
  const about = event as { readonly [field: string]: unknown };
  const id = (field: string): string | undefined =>
    typeof about[field] === 'string' ? (about[field] as string) : undefined;
  const key = (subject: Subject, one?: string): QueryKey => (one === undefined ? [subject] : [subject, one]);
  if (type === 'gap' || type === 'daemon_started') return [[]];
  const keys: QueryKey[] = [];
  if (id('item_id') !== undefined) keys.push(key('inbox'), key('item', id('item_id')));
  if (type.startsWith('session_') || type.startsWith('item_') || type.startsWith('message'))
    keys.push(key('sessions'), key('session', id('session_id')));
  if (type === 'session_removed' || type === 'session_renamed' || type === 'session_exited') keys.push(key('inbox'));
  if (type.startsWith('run_') || type === 'result') keys.push(key('runs'));
  if (type.startsWith('task_') || id('task_id') !== undefined) keys.push(key('tasks'));
  if (type.startsWith('workflow_') || id('workflow_id') !== undefined) keys.push(key('workflows'));
  if (type.startsWith('blueprint_')) keys.push(key('agents'));
  return keys;
}

export function createFreshener(queries: Pick<QueryClient, 'invalidateQueries'>): (event: Event | GapEvent) => void {
  const waiting = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = (): void => {
    timer = null;
    if (waiting.size === 0) return;
    const keys = [...waiting.values()];
    waiting.clear();
    timer = setTimeout(flush, PAUSE_MS);
    for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
  };
  return (event) => {
    for (const key of keysOf(event)) waiting.set(JSON.stringify(key), key);
    if (timer === null) flush();
  };
}
