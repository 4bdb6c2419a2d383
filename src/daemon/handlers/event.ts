/**
 * Handler of `event.list`: reads a limited number of events from the log. Streams of events are served by
 * server/events.ts.
 */
import { type Event, type GapEvent, OrchdError } from '../../protocol/index.js';
import { parseLine } from '../../store/index.js';
import { type EventFilterPorts, eventFilter } from '../access/index.js';
import type { Handlers } from './handler.js';

const DEFAULT_LIMIT = 1_000;

export const eventHandlers = (ports: EventFilterPorts) =>
  ({
    /** Returns the log as one JSON array; server/events.ts serves streams. */
    'event.list': async (input, { signal, session }) => {
      const filter = eventFilter(ports, { since: 0, ...input }, session);
      const reader = ports.bus.reader(filter, signal);
      const limit = input.limit ?? DEFAULT_LIMIT;
      const events: Event[] = [];
      while (events.length < limit) {
        const lines = await reader.read(false);
        if (!lines?.length) break;
        for (const line of lines.slice(0, limit - events.length)) {
          const event = parseLine(line) as unknown as Event | GapEvent; // only orchd writes the log
          if (event.event_type === 'gap' && 'reason' in event) throw damaged(event);
          events.push(event as Event);
        }
      }
      return events;
    },
  }) satisfies Partial<Handlers>;

/** A list cannot report an unreadable event, as a stream does with its `gap`, so the request fails. */
function damaged({ from }: GapEvent): OrchdError {
  const rest = `read on with since=${from}, or read a stream (\`orchd events\`), which passes over it`;
  return new OrchdError('ORCHD_STORE_CORRUPT', `event ${from} was damaged on disk: ${rest}`, { seq: from });
}
