/**
 * The output envelopes in the event log. Pure.
 *
 * In:   events of the types `message` and `result`, the oldest first.
 * Out:  envelopes, the newest first. The envelope that is the result of a run is listed once.
 */
import { type Event, isRecord } from '../../protocol/index.js';

export interface ListedEnvelope {
  readonly seq: number;
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The markdown part of the envelope. */
  readonly human: string;
  readonly sessionId: string | null;
  readonly runId: string | null;
}

export function envelopesIn(events: readonly Event[]): ListedEnvelope[] {
  const found: ListedEnvelope[] = [];
  const ofRuns = new Set<string>();
  for (const event of events) {
    const envelope = envelopeOf(event);
    if (!envelope) continue;
    found.push(envelope);
    if (envelope.runId !== null && envelope.sessionId !== null) ofRuns.add(envelope.sessionId);
  }
  return found.filter(({ runId, sessionId }) => runId !== null || !ofRuns.has(sessionId ?? '')).reverse();
}

/** True for an event that carries an envelope. */
export const hasEnvelope = (event: Event): boolean => envelopeOf(event) !== null;

function envelopeOf(event: Event): ListedEnvelope | null {
  if (event.event_type === 'message' && event.message.type === 'OUTPUT') {
    const { seq, timestamp: at, session_id: sessionId, message } = event;
    return { seq, at, data: message.data, human: message.human ?? '', sessionId, runId: null };
  }
  if (event.event_type === 'result' && typeof event.result_human === 'string' && isRecord(event.result_data)) {
    const { seq, timestamp: at, run_id: runId, result_data: data, result_human: human, session_id } = event;
    return { seq, at, data, human, sessionId: session_id ?? null, runId };
  }
  return null;
}
