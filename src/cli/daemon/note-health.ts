/** Tells on standard error what is wrong with the daemon: its disk, its version. */
import { healthOf } from '../../protocol/index.js';
import type { Context } from '../program/context.js';
import type { Status } from './daemon-process.js';

export function noteHealth(context: Context, status: Status): void {
  // The start of the daemon has already reported a missing TCP address. Agents are shown by `orchd status`.
  const { tcp: _told, agent_gaps: _shown, ...others } = status;
  for (const { words } of healthOf(others)) context.note(words);
}
