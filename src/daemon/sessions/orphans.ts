/**
 * Ends programs that outlived their host: programs on pipes get no hangup, and their runs are already over.
 *
 * In:   sessions whose host is gone, and the new host.
 * Out:  their process trees are ended. A failure is logged; the sessions are lost in any case.
 */
import type { HostClient } from '../../host/index.js';
import type { Paths } from '../../protocol/index.js';
import type { Log } from '../log.js';
import { readBeginning, type SessionEntry } from '../registry/index.js';

export const STRAY_GRACE_MS = 1_000;

/** True if the session's programs do not end with their host, because they have no terminal. */
export const outlivesHost = ({ view, hasEnded }: SessionEntry): boolean => view.mode === 'batch' && !hasEnded;

export async function endOrphans(
  { paths, log }: { readonly paths: Paths; readonly log: Log },
  host: HostClient,
  entries: readonly SessionEntry[],
): Promise<void> {
  await Promise.all(
    entries.map(async (entry) => {
      try {
        const { escaped } = await endStrays(paths, host, entry);
        if (escaped.length > 0) log.error('a lost program could not be ended', undefined, { session_id: entry.id });
      } catch (error) {
        log.error('what a host has left behind was not ended', error, { session_id: entry.id });
      }
    }),
  );
}

/** Ends the processes that an earlier host of a session has left behind. */
export function endStrays(paths: Paths, host: HostClient, { id, start }: SessionEntry) {
  const program = readBeginning(paths.journalsDir, id, start.position)?.start;
  const earlier = program && { pid: program.pid, startedAt: program.time };
  return host.call('kill', { sessionId: id, graceMs: STRAY_GRACE_MS, ...(earlier && { earlier }) });
}
