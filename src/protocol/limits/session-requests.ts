/** Limits the unanswered requests of a session. The daemon enforces it; `orchd mcp` checks it before each request. */
import { OrchdError } from '../errors.js';

/** A session has no more open items (MAX_OPEN_ITEMS of lifecycle), so more calls cannot wait for answers. */
export const MAX_REQUESTS = 500;

/** @throws {OrchdError} ORCHD_BUSY if the session waits for the replies of too many requests already. */
export function needRequestRoom(open: number): void {
  if (open < MAX_REQUESTS) return;
  throw new OrchdError('ORCHD_BUSY', `this session has ${open} requests that are not answered`);
}
