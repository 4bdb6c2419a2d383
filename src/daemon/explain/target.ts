/**
 * Finds what to explain: an event by its number, an item or a message by its id, a session for its state; and the
 * related events.
 */
import { type Event, type Item, OrchdError } from '../../protocol/index.js';
import { parseLine } from '../../store/index.js';
import type { EventBus, EventFilter } from '../events/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';

export interface TargetPorts {
  readonly registry: Registry;
  readonly bus: EventBus;
}

export interface Target {
  readonly what: 'event' | 'item' | 'state';
  readonly event: Event;
  readonly entry: SessionEntry | null;
  readonly item: Item | null;
}

/** Maximum number of shown state changes. */
const MAX_CHANGES = 8;

/**
 * @throws {OrchdError} ORCHD_EVENT_UNKNOWN for a number that is not in the log (any more); ORCHD_SESSION_UNKNOWN,
 *   ORCHD_ITEM_UNKNOWN, ORCHD_AMBIGUOUS.
 */
export async function findTarget(ports: TargetPorts, what: string, signal: AbortSignal): Promise<Target> {
  if (/^\d{1,15}$/.test(what)) return ofEvent(ports, Number(what), signal);
  if (what.startsWith('msg_')) return ofMessage(ports, what, signal);
  if (what.startsWith('itm_')) return ofItem(ports, ports.registry.item(what).item, signal);
  if (isSession(ports, what)) return ofState(ports, ports.registry.session(what), signal);
  if (isItem(ports, what)) return ofItem(ports, ports.registry.item(what).item, signal);
  throw new OrchdError('ORCHD_SESSION_UNKNOWN', `'${what}' is not an event, an item or a session`);
}

/** Returns the related events, in order. */
export async function routeOf(
  ports: TargetPorts,
  { event, entry, item, what }: Target,
  signal: AbortSignal,
): Promise<Event[]> {
  if (!entry) return [event];
  const messageId = idOf(event, 'message_id') ?? item?.message_id ?? null;
  const itemId = idOf(event, 'item_id') ?? item?.id ?? null;
  if (what === 'state' || (messageId === null && itemId === null)) {
    if (event.event_type !== 'session_state_changed') return [event];
    const changes: Event[] = [];
    for await (const change of eventsOf(
      ports,
      { since: 0, sessionId: entry.id, types: ['session_state_changed'] },
      signal,
    )) {
      if ((change.seq ?? 0) <= (event.seq ?? 0)) changes.push(change);
      if (changes.length > MAX_CHANGES) changes.shift();
    }
    return changes;
  }
  const route: Event[] = [];
  const items = new Set(itemId === null ? [] : [itemId]);
  for await (const one of eventsOf(ports, { since: 0, sessionId: entry.id }, signal)) {
    const own = idOf(one, 'message_id');
    const ofItem = idOf(one, 'item_id');
    const isMine = (own !== null && own === messageId) || (ofItem !== null && items.has(ofItem));
    if (!isMine) continue;
    if (ofItem !== null) items.add(ofItem); // the item that the message opened
    route.push(one);
  }
  return route;
}

async function ofEvent(ports: TargetPorts, seq: number, signal: AbortSignal): Promise<Target> {
  const event = seq === 0 ? undefined : await first(eventsOf(ports, { since: seq - 1 }, signal));
  if (event?.seq !== seq) {
    const last = ports.bus.lastSeq;
    const why = seq > 0 && seq <= last ? 'it was pruned' : `the newest is ${last}`;
    throw new OrchdError('ORCHD_EVENT_UNKNOWN', `there is no event ${seq}: ${why}`, { last_seq: last });
  }
  const sessionId = idOf(event, 'session_id');
  const entry = sessionId === null ? null : (ports.registry.get(sessionId) ?? null);
  const itemId = idOf(event, 'item_id');
  const item = itemId === null ? null : (ports.registry.items().find(({ id }) => id === itemId) ?? null);
  return { what: 'event', event, entry, item };
}

async function ofMessage(ports: TargetPorts, id: string, signal: AbortSignal): Promise<Target> {
  for await (const event of eventsOf(ports, { since: 0, types: ['message'] }, signal)) {
    if (idOf(event, 'message_id') === id) return ofEvent(ports, event.seq ?? 0, signal);
  }
  throw new OrchdError('ORCHD_EVENT_UNKNOWN', `there is no message ${id} in the log`);
}

/** An item of a message is explained by the message; any other by the event that opened it. */
async function ofItem(ports: TargetPorts, item: Item, signal: AbortSignal): Promise<Target> {
  const entry = ports.registry.get(item.session_id) ?? null;
  const types = [item.message_id === null ? 'item_opened' : 'message'];
  for await (const event of eventsOf(ports, { since: 0, sessionId: item.session_id, types }, signal)) {
    const isIt =
      item.message_id === null ? idOf(event, 'item_id') === item.id : idOf(event, 'message_id') === item.message_id;
    if (isIt) return { what: 'item', event, entry, item };
  }
  throw new OrchdError('ORCHD_EVENT_UNKNOWN', `the events of item ${item.id} are not in the log any more`);
}

/** Returns the event that changed the session to its current state. */
async function ofState(ports: TargetPorts, entry: SessionEntry, signal: AbortSignal): Promise<Target> {
  let event: Event | null = null;
  const types = ['session_started', 'session_state_changed'];
  for await (const change of eventsOf(ports, { since: 0, sessionId: entry.id, types }, signal)) event = change;
  if (event) return { what: 'state', event, entry, item: null };
  throw new OrchdError('ORCHD_EVENT_UNKNOWN', `the events of session ${entry.id} are not in the log any more`);
}

async function* eventsOf(ports: TargetPorts, filter: EventFilter, signal: AbortSignal): AsyncGenerator<Event> {
  const reader = ports.bus.reader(filter, signal);
  for (;;) {
    const lines = await reader.read(false);
    if (!lines?.length) return;
    for (const line of lines) {
      const event = parseLine(line) as unknown as Event | { event_type: 'gap' }; // only orchd writes the log
      if (event.event_type !== 'gap') yield event;
    }
  }
}

async function first(events: AsyncGenerator<Event>): Promise<Event | undefined> {
  for await (const event of events) return event;
  return undefined;
}

const isSession = (ports: TargetPorts, selector: string): boolean => isThere(() => ports.registry.session(selector));
const isItem = (ports: TargetPorts, selector: string): boolean => isThere(() => ports.registry.item(selector));

/** True if `find` finds one or several. */
function isThere(find: () => unknown): boolean {
  try {
    find();
    return true;
  } catch (error) {
    return error instanceof OrchdError && error.code === 'ORCHD_AMBIGUOUS';
  }
}

function idOf(event: Event, field: 'session_id' | 'item_id' | 'message_id'): string | null {
  const value = (event as Readonly<Record<string, unknown>>)[field];
  return typeof value === 'string' ? value : null;
}
