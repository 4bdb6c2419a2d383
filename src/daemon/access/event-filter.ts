/** Parses which events a request selects. */
import { type InputOf, OrchdError } from '../../protocol/index.js';
import type { EventFilter } from '../events/index.js';
import type { House } from '../handlers/index.js';
import type { SessionEntry } from '../registry/index.js';
import { seenEvents } from './sight.js';

/**
 * @param caller       The session that asks; null for a person.
 * @param lastEventId The header that a browser's EventSource sends after a reconnect; it overrides `since`.
 * @throws {OrchdError} ORCHD_INVALID for a sequence number beyond the end of the log; ORCHD_SESSION_UNKNOWN,
 *   ORCHD_AMBIGUOUS.
 */
export function eventFilter(
  house: House,
  input: Pick<InputOf<'event.list'>, 'since' | 'type' | 'session'>,
  caller: SessionEntry | null,
  lastEventId?: string | string[],
): EventFilter {
  const { hub, registry } = house;
  const isSeen = seenEvents(house, caller, input);
  const last = typeof lastEventId === 'string' && /^\d+$/.test(lastEventId) ? Number(lastEventId) : undefined;
  const since = last ?? input.since;
  if (since !== undefined && since > hub.lastSeq) {
    throw new OrchdError('ORCHD_INVALID', `since ${since} is after the newest event, ${hub.lastSeq}`, {
      last_seq: hub.lastSeq,
    });
  }
  return {
    since,
    ...(isSeen && { isSeen }),
    ...(input.type && { types: input.type }),
    ...(input.session !== undefined && { sessionId: registry.session(input.session).id }),
  };
}
