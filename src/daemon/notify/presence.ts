/**
 * Who sits where: clients tell it while keys are pressed, and it passes by itself.
 *
 * Kept in memory only: after a restart nobody is there until a client says so.
 */
import type { Presence } from '../../lifecycle/index.js';

export interface Presences {
  /** @returns How long it counts; null for one that has left. */
  tell(clientId: string, sessionId: string | null, isPresent: boolean, now: number): number | null;
  /** Those that count now. */
  current(now: number): readonly Presence[];
}

/** A person reads for a while between two keys; and one who has gone for coffee should not wait much longer. */
export const PRESENT_MS = 2 * 60_000;
/** Far more terminals than one person has; the oldest is forgotten. */
const MAX_CLIENTS = 256;

export function createPresences(): Presences {
  const byClient = new Map<string, Presence>();
  return {
    tell(clientId, sessionId, isPresent, now) {
      byClient.delete(clientId);
      if (!isPresent) return null;
      const until = now + PRESENT_MS;
      byClient.set(clientId, { sessionId, until });
      const oldest = byClient.keys().next().value;
      if (byClient.size > MAX_CLIENTS && oldest !== undefined) byClient.delete(oldest);
      return until;
    },
    current(now) {
      for (const [clientId, { until }] of byClient) if (until <= now) byClient.delete(clientId);
      return [...byClient.values()];
    },
  };
}
