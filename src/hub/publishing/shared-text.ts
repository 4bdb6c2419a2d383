/**
 * Selects the fields of an event, a session or an item that may leave the machine.
 *
 * With `hub.share = "inbox"` the fields in TERMINAL_FIELDS are left out: they contain what was read from a terminal.
 * An event that is longer than a message may be is replaced by its head, with its size in `oversized`.
 */
import type { HubShare, LogLine } from '../ports.js';

/** `seen`: rows of a screen. `raw`: output that is not a message. */
const TERMINAL_FIELDS: readonly string[] = ['seen', 'raw'];
const MENTIONS_FIELD = /"(?:seen|raw)":/;

/** Returns a value as JSON without the fields that stay on the machine. */
export function sharedJson(value: unknown, share: HubShare): string {
  if (share === 'screens') return JSON.stringify(value);
  return JSON.stringify(value, (name, field: unknown) => (TERMINAL_FIELDS.includes(name) ? undefined : field));
}

/** @param maxBytes  Maximum size of the returned line in UTF-8. */
export function sharedLine({ seq, line }: LogLine, share: HubShare, maxBytes: number): string {
  const shared = share === 'inbox' && MENTIONS_FIELD.test(line) ? sharedJson(JSON.parse(line), share) : line;
  const bytes = Buffer.byteLength(shared);
  if (bytes <= maxBytes) return shared;
  const { event_type, timestamp, session_id, item_id, run_id, task_id } = JSON.parse(line);
  return JSON.stringify({ seq, event_type, timestamp, session_id, item_id, run_id, task_id, oversized: bytes });
}
