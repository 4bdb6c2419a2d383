/**
 * Records every event of a daemon with the time at which a subscriber got it. Continues across crashes of the daemon.
 */
import type { Client } from '../../src/client/index.js';
import type { Event } from '../../src/protocol/index.js';

export interface Told {
  readonly event: Event;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface EventLog {
  readonly told: readonly Told[];
  /** Resolves with the first event from index `from` of `told` on that fits; with null if `signal` aborts before. */
  next(fits: (event: Event) => boolean, from: number, signal: AbortSignal): Promise<Told | null>;
  close(): Promise<void>;
}

export function followEvents(client: Client): EventLog {
  const told: Told[] = [];
  const waiting = new Set<() => void>();
  const end = new AbortController();
  const following = (async () => {
    for await (const event of client.events({ follow: true, since: 0, signal: end.signal })) {
      if (event.event_type === 'gap') throw new Error('events were pruned');
      told.push({ event, at: Date.now() });
      for (const wake of waiting) wake();
    }
  })();
  return {
    told,
    next: (fits, from, signal) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = told.slice(from).find(({ event }) => fits(event));
          if (!found && !signal.aborted) return;
          waiting.delete(look);
          signal.removeEventListener('abort', look);
          resolve(found ?? null);
        };
        waiting.add(look);
        signal.addEventListener('abort', look);
        look();
      }),
    async close() {
      end.abort();
      await following;
    },
  };
}
