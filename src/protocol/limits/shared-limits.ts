/** Limits and defaults that several processes share, so that none of them expects what another one refuses. */
import { OrchdError } from '../errors.js';

/** Maximum size of a request, in bytes. The daemon closes the connection of a larger one. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** The default of `wait_ms`: maximum time until a program accepts input. An agent on a busy machine starts slowly. */
export const SEND_WAIT_MS = 60_000;
/** Time of a frame: screens are sent and drawn at most 20 times a second. */
export const SCREEN_FRAME_MS = 50;
/** Maximum size of a line of JSON that an agent writes. A longer line is skipped, because no message is as long. */
export const MAX_JSON_LINE_BYTES = 16 * 1024 * 1024;
/** The default of `limit` of lists of runs and tasks. */
export const DEFAULT_LIST = 100;
/** The default of `umask` of programs. */
export const DEFAULT_UMASK = 0o022;
/** Size of the number of its channel before a binary message: protocol/terminal-stream.md. */
export const CHANNEL_BYTES = 4;
/** Number of random bytes of the `call_id` of a tool call. */
export const CALL_ID_BYTES = 10;
/** With less free space, in bytes, neither SQLite nor a journal can be written. */
export const FULL_DISK_BYTES = 64 * 1024;
/** Maximum number of screens that a grid shows side by side. */
export const MAX_SCREENS = 9;
/** Clients that show the machines of a hub ask for them after this time; without a hub, after the second. */
export const MACHINES_MS = 1_000;
export const NO_HUB_MS = 5_000;
export const DAY_MS = 24 * 60 * 60 * 1000;

/** A session has no more open items (MAX_OPEN_ITEMS of lifecycle), so more calls cannot wait for answers. */
export const MAX_REQUESTS = 500;

/** @throws {OrchdError} ORCHD_BUSY if the session waits for the replies of too many requests already. */
export function needRequestRoom(open: number): void {
  if (open < MAX_REQUESTS) return;
  throw new OrchdError('ORCHD_BUSY', `this session has ${open} requests that are not answered`);
}
