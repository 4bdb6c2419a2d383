/**
 * The newest events, as the page of the events shows them: loaded backwards from the newest, then followed.
 *
 * Holds at most MAX_EVENTS events; older ones are dropped. Changes are told at most once a frame.
 */
import { useEffect, useMemo, useState } from 'react';
import type { Event } from '../../protocol/index.js';
import { useLive } from '../live/live.js';
import { loadEvents } from '../live/load-events.js';

/** Number of events that are loaded first, so that the page shows something at once. */
const FIRST = 300;

interface EventLog {
  /** The events in order, the oldest first. */
  readonly events: readonly Event[];
  readonly isLoading: boolean;
  readonly error: Error | null;
}

export function useEventLog(isPaused: boolean): EventLog & { readonly behind: number } {
  const { api, onEvent } = useLive();
  const [log, setLog] = useState<EventLog>({ events: [], isLoading: true, error: null });
  useEffect(() => {
    const gone = new AbortController();
    let events: Event[] = [];
    let fresh: Event[] = [];
    let isLoading = true;
    let frame = 0;
    let error: Error | null = null;
    const show = (): void => {
      frame = 0;
      if (fresh.length > 0) events = joined(events, fresh);
      fresh = [];
      setLog({ events, isLoading, error });
    };
    const later = (): void => {
      if (frame === 0) frame = requestAnimationFrame(show);
    };
    const add = (some: readonly Event[]): void => {
      fresh.push(...some);
      later();
    };
    const load = async (): Promise<void> => {
      const { last_seq } = await api.call('daemon.status', {}, gone.signal);
      const first = Math.max(0, last_seq - FIRST);
      await loadEvents(api, { since: first }, add, gone.signal);
      if (first > 0)
        await loadEvents(api, { since: Math.max(0, last_seq - MAX_EVENTS), until: first }, add, gone.signal);
    };
    load()
      .catch((cause: unknown) => {
        error = cause instanceof Error ? cause : new Error(String(cause));
      })
      .finally(() => {
        isLoading = false;
        if (!gone.signal.aborted) later();
      });
    const stop = onEvent((event) => {
      if (event.event_type !== 'gap') add([event]);
    });
    return () => {
      gone.abort();
      cancelAnimationFrame(frame);
      stop();
    };
  }, [api, onEvent]);
  return usePaused(log, isPaused);
}

/** Returns the log as it was when the person paused it, and the number of events since then. */
function usePaused(log: EventLog, isPaused: boolean): EventLog & { readonly behind: number } {
  const [kept, setKept] = useState<EventLog | null>(null);
  useEffect(() => {
    setKept((before) => (isPaused ? (before ?? log) : null));
  }, [isPaused, log]);
  const shown = isPaused ? (kept ?? log) : log;
  return useMemo(() => {
    const lastShown = shown.events.at(-1)?.seq ?? 0;
    const behind = shown === log ? 0 : log.events.filter(({ seq }) => (seq ?? 0) > lastShown).length;
    return { ...shown, behind };
  }, [shown, log]);
}

export const MAX_EVENTS = 10_000;

/** Returns both in order, each event once, and at most the newest MAX_EVENTS. */
export function joined(events: readonly Event[], fresh: readonly Event[]): Event[] {
  const last = events.at(-1)?.seq ?? 0;
  const isAfter = fresh.every(({ seq }, at) => (seq ?? 0) > (at === 0 ? last : (fresh[at - 1]?.seq ?? 0)));
  if (isAfter) return [...events, ...fresh].slice(-MAX_EVENTS);
  const bySeq = new Map([...events, ...fresh].map((event) => [event.seq ?? 0, event]));
  return [...bySeq.values()].sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0)).slice(-MAX_EVENTS);
}
