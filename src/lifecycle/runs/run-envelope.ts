/** Envelopes in which an agent reports its own failure. */
import type { Run, RunAttempt, RunError } from '../../protocol/index.js';
import type { AttemptVerdict } from './run-aggregate.js';

/**
 * Returns the envelope in which the agent reports its own failure. A failed run has no result, so the attempt keeps it.
 */
export function failedEnvelope(verdict: AttemptVerdict | null): Pick<RunAttempt, 'envelope'> {
  if (!verdict?.ok || verdict.human === null || failureIn(verdict.value) === null) return {};
  // The schema of the envelope guarantees that the value is an object.
  return { envelope: { data: verdict.value as Record<string, unknown>, human: verdict.human } };
}

/** Returns the error that an envelope itself reports. */
export function failureIn(value: Run['result_data']): RunError | null {
  // The schema of the envelope guarantees these fields.
  const data = value as { status?: unknown; error?: { type: string; message: string; resolution: string } };
  if (data.status !== 'failed' || !data.error) return null;
  const { type, message, resolution } = data.error;
  return { error: 'AgentFailed', type, message, resolution };
}
