/**
 * The presence of people: clients report it while keys are pressed, and it expires.
 *
 * It is kept in memory only: after a restart, no person is present until a client reports it.
 */
import type { Presence } from '../../lifecycle/index.js';

interface Presences {
  /** @returns How long the client counts as present; null for a client that has left. */
  tell(clientId: string, sessionId: string | null, isPresent: boolean, now: number): number | null;
  /** Returns the presences that count now. */
  current(now: number): readonly Presence[];
}

/**
 * Time after a key in which a person counts as present. It allows for reading, and is short enough that notifications
 * start soon after the person has left.
 */
const PRESENT_MS = 2 * 60_000;
/** Maximum number of clients, far more than one person has; the oldest is forgotten. */
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
