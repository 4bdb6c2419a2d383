/** Parses which events a request selects. */
import { type InputOf, OrchdError } from '../../protocol/index.js';
import type { EventBus, EventFilter } from '../events/index.js';
import type { SessionEntry } from '../registry/index.js';
import { type ReadAccessPorts, readableEvents } from './read-access.js';

export interface EventFilterPorts extends ReadAccessPorts {
  readonly bus: EventBus;
}

/**
 * @param caller       The session that makes the request; null for a person.
 * @param lastEventId The header that a browser's EventSource sends after a reconnect; it overrides `since`.
 * @throws {OrchdError} ORCHD_INVALID for a sequence number beyond the end of the log; ORCHD_SESSION_UNKNOWN,
 *   ORCHD_AMBIGUOUS.
 */
export function eventFilter(
  ports: EventFilterPorts,
  input: Pick<InputOf<'event.list'>, 'since' | 'type' | 'session'>,
  caller: SessionEntry | null,
  lastEventId?: string | string[],
): EventFilter {
  const { bus, registry } = ports;
  const isSeen = readableEvents(ports, caller, input);
  const last = typeof lastEventId === 'string' && /^\d+$/.test(lastEventId) ? Number(lastEventId) : undefined;
  const since = last ?? input.since;
  if (since !== undefined && since > bus.lastSeq) {
    throw new OrchdError('ORCHD_INVALID', `since ${since} is after the newest event, ${bus.lastSeq}`, {
      last_seq: bus.lastSeq,
    });
  }
  return {
    since,
    ...(isSeen && { isSeen }),
    ...(input.type && { types: input.type }),
    ...(input.session !== undefined && { sessionId: registry.session(input.session).id }),
  };
}
