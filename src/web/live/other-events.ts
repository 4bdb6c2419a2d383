/**
 * The events of a session of another machine of a hub, of chosen types: those of the past, then each as it is
 * published.
 *
 * The machine itself has the past at hand. If it is away or does not let this machine read, the past comes from the
 * hub, as far as the hub still has it. New events come from the hub.
 */
import { useEffect, useState } from 'react';
import { type Event, OrchdError, type OutputOf } from '../../protocol/index.js';
import type { Api } from './api.js';
import { useLive } from './live.js';

interface OtherEventsQuery {
  readonly machine: string;
  /** The id of the session on its machine. */
  readonly session: string;
  readonly types: readonly Event['event_type'][];
}

const PAGE = 1_000;
/** How long one request waits for new events. */
const WAIT_MS = 15_000;
const RETRY_MS = 2_000;
const BEGINNING = '0';

/** @returns The events in order; null until they are loaded. */
export function useOtherEvents({ machine, session, types }: OtherEventsQuery): readonly Event[] | null {
  const { api } = useLive();
  const [events, setEvents] = useState<readonly Event[] | null>(null);
  useEffect(() => {
    setEvents(null);
    const gone = new AbortController();
    void followOther(api, { machine, session, types }, setEvents, gone.signal);
    return () => gone.abort();
  }, [api, machine, session, types]);
  return events;
}

/**
 * Loads and follows until the signal aborts. Never rejects.
 *
 * @param onEvents  Called with all events so far, in order.
 * @param pause  Waits after a failed request.
 */
export async function followOther(
  api: Api,
  { machine, session, types }: OtherEventsQuery,
  onEvents: (events: readonly Event[]) => void,
  signal: AbortSignal,
  pause = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, RETRY_MS)),
): Promise<void> {
  const bySeq = new Map<number, Event>();
  const wanted = { machine, session_id: session, type: [...types], limit: PAGE };
  const take = (found: readonly Event[]): void => {
    for (const event of found) bySeq.set(event.seq ?? 0, event);
    if (!signal.aborted) onEvents([...bySeq.values()].sort((one, other) => (one.seq ?? 0) - (other.seq ?? 0)));
  };
  let cursor: string | null = null;
  while (!signal.aborted) {
    try {
      if (cursor === null) {
        // Taken first, so that no event is missed between the past and the new ones.
        const newest: string = (await api.call('hub.events', { machine }, signal)).cursor;
        const past = await pastEvents(api, { machine, session, types }, signal);
        cursor = past === null ? BEGINNING : newest;
        if (past !== null) take(past);
      }
      const page: OutputOf<'hub.events'> = await api.call(
        'hub.events',
        { ...wanted, since: cursor, wait_ms: WAIT_MS },
        signal,
      );
      cursor = page.cursor;
      if (page.events.length > 0 || (bySeq.size === 0 && page.at_end)) {
        take(page.events.map(({ event }) => event as unknown as Event)); // its machine has stored it as an event
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof OrchdError && error.code === 'ORCHD_HUB_CURSOR') cursor = null; // the hub was restored
      await pause();
    }
  }
}

/** @returns The events that the machine has; null if it is away, or does not let this machine read. */
async function pastEvents(
  api: Api,
  { machine, session, types }: OtherEventsQuery,
  signal: AbortSignal,
): Promise<readonly Event[] | null> {
  const past: Event[] = [];
  for (let since = 0; ; ) {
    const input = { session, type: [...types], since, limit: PAGE };
    const called = await api
      .call('hub.call', { machine, operation: 'event.list', input }, signal)
      .catch((error: unknown) => {
        if (error instanceof OrchdError && !signal.aborted) return null;
        throw error;
      });
    if (called?.state !== 'done') return null;
    const page = called.output as unknown as readonly Event[]; // that of the operation
    past.push(...page);
    since = page.at(-1)?.seq ?? since;
    if (page.length < PAGE) return past;
  }
}
