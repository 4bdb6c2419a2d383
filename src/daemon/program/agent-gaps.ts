/** Finds running agents whose messages may not be heard, for the daemon's status. */
import type { Item, OutputOf, Session } from '../../protocol/index.js';

type AgentGaps = NonNullable<OutputOf<'daemon.status'>['agent_gaps']>;

/** @param items  The items of all sessions. */
export async function agentGaps(sessions: readonly Session[], items: readonly Item[]): Promise<AgentGaps> {
  const { adapterNamed } = await import('../../session/index.js'); // not needed to start
  const talkers = new Set(items.flatMap(({ type, session_id }) => (type === 'attention' ? [] : [session_id])));
  return sessions.flatMap((session): AgentGaps => {
    const { id, name, adapter, mode, transcript, key_required: isTaught, run_id: runId } = session;
    const known = adapterNamed(adapter);
    if (session.ended_at !== null || session.imported || mode === 'batch' || runId !== undefined || !known?.start)
      return [];
    const about = { session_id: id, name };
    const isHeardByScreen = known.transcript !== null && (transcript === 'none' || transcript === 'lost');
    const { progress, current_step: step, last_error: failed, last_completion: completed } = session;
    const hasSpoken = talkers.has(id) || progress !== null || step !== null || failed || completed;
    return [
      ...(isHeardByScreen ? [{ ...about, gap: 'no_transcript' as const }] : []),
      ...(isTaught || hasSpoken ? [] : [{ ...about, gap: 'not_taught' as const }]),
    ];
  });
}
