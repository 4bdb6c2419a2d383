import type { Event } from '../../protocol/index.js';
import { parseLine } from '../../store/index.js';
import { eventFilter } from '../event-filter.js';
import type { Handlers } from './context.js';

const DEFAULT_LIMIT = 1_000;

export const eventHandlers = {
  /** Returns the log as one JSON array; server/events.ts serves streams. */
  'event.list': async (house, input, { signal, session }) => {
    const filter = eventFilter(house, { since: 0, ...input }, session);
    const reader = house.hub.reader(filter, signal);
    const limit = input.limit ?? DEFAULT_LIMIT;
    const events: Event[] = [];
    while (events.length < limit) {
      const lines = await reader.read(false);
      if (!lines?.length) break;
      for (const line of lines.slice(0, limit - events.length)) events.push(parseLine(line) as unknown as Event); // our own rows
    }
    return events;
  },
} satisfies Partial<Handlers>;
