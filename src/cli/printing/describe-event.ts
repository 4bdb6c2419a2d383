/** Formats an event on one line for people. */
import { type Event, eventLine } from '../../protocol/index.js';
import type { Paint } from './paint.js';

export function describeEvent(event: Event, paint: Paint): string {
  const session = 'session_id' in event && typeof event.session_id === 'string' ? event.session_id : '';
  const parts = [
    paint('dim', String(event.seq ?? '').padStart(6)),
    paint('dim', (event.timestamp ?? '').slice(11, 23)),
    paint('dim', session.padEnd(14)),
    paint('bold', event.event_type),
    eventLine(event),
  ];
  return parts.join(' ').trimEnd();
}
