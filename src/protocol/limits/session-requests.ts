/** The limit of requests of a session that have no reply. The daemon keeps it, and `orchd mcp` does before it asks. */
import { OrchdError } from '../errors.js';

/** A session has at most 500 open items, so more calls cannot wait for answers in any case. */
export const MAX_REQUESTS = 500;

/** @throws {OrchdError} ORCHD_BUSY if the session waits for the replies of too many requests already. */
export function needRequestRoom(open: number): void {
  if (open < MAX_REQUESTS) return;
  throw new OrchdError('ORCHD_BUSY', `this session has ${open} requests that are not answered`);
}
