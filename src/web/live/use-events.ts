/** A hook that loads the past events of some types, and then adds each new one when it arrives. */
import { useEffect, useState } from 'react';
import type { Event } from '../../protocol/index.js';
import { useLive } from './live.js';
import { loadEvents } from './load-events.js';

interface EventsQuery {
  /** Must be the same array object in each render, because another one loads the events again. */
  readonly types: readonly Event['event_type'][];
  /** Default: events of all sessions. */
  readonly session?: string;
  /** Keeps only events for which it returns true. Must be the same function object in each render. Default: all. */
  readonly keeps?: (event: Event) => boolean;
}

const keepsAll = (): boolean => true;

/** @returns The events in order; null until they are loaded. */
export function useEvents({ types, session, keeps = keepsAll }: EventsQuery): readonly Event[] | null {
  const { api, onEvent } = useLive();
  const [events, setEvents] = useState<readonly Event[] | null>(null);
  useEffect(() => {
    const bySeq = new Map<number, Event>();
    const wanted: ReadonlySet<string> = new Set(types);
    const gone = new AbortController();
    let isLoaded = false;
    const add = (found: readonly Event[]): void => {
      for (const event of found) if (keeps(event)) bySeq.set(event.seq ?? 0, event);
      if (isLoaded) setEvents([...bySeq.values()].sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0)));
    };
    const load = (): void => {
      const query = { type: [...types], since: 0, ...(session !== undefined && { session }) };
      loadEvents(api, query, add, gone.signal).then(
        () => {
          isLoaded = true;
          add([]);
        },
        () => {}, // The page shows that the daemon is unreachable. Events continue after the reconnect.
      );
    };
    load();
    const stop = onEvent((event) => {
      if (event.event_type === 'gap' || event.event_type === 'daemon_started') load();
      else if ((session === undefined || event.session_id === session) && wanted.has(event.event_type)) add([event]);
    });
    return () => {
      gone.abort();
      stop();
    };
  }, [api, onEvent, types, session, keeps]);
  return events;
}
