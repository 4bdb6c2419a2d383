/** Formats an event on one line for people. */

import { displayLine, type Event, eventLine } from '../../protocol/index.js';
import type { Context } from '../program/context.js';
import { rowTime } from './local-time.js';
import type { Paint } from './paint.js';

const NAME_COLS = 14;

/** @param names  Names of the sessions by their ids. A session without a name in it is shown by its id. */
export function describeEvent(event: Event, paint: Paint, names: ReadonlyMap<string, string> = new Map()): string {
  const id = 'session_id' in event && typeof event.session_id === 'string' ? event.session_id : '';
  const name = names.get(id);
  // The id is printed too, because commands accept it and other events contain it.
  const session = name === undefined ? id : `${displayLine(name)} ${id}`;
  const parts = [
    paint('dim', String(event.seq ?? '').padStart(6)),
    paint('dim', rowTime(event.timestamp ?? '')),
    paint('dim', session.padEnd(NAME_COLS)),
    paint('bold', event.event_type),
    eventLine(event),
  ];
  return parts.join(' ').trimEnd();
}

/** Returns the names of all sessions by their ids. */
export async function sessionNames(context: Pick<Context, 'client'>): Promise<Map<string, string>> {
  const sessions = await context.client().call('session.list', {});
  return new Map(sessions.map(({ id, name }) => [id, name]));
}
