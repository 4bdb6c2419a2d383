/**
 * Journal loads: the size of each running session's journal, and how fast it grows.
 *
 * In:   new journal ends (`grew`), from the host's notices; cuts (`wasCut`).
 * Out:  bytes, and bytes per second over the last seconds.
 *
 * Uses no timer and measures a folder only once.
 */
interface JournalLoad {
  readonly bytes: number;
  readonly bytes_per_second: number;
}

export interface JournalLoads {
  grew(sessionId: string, position: number): void;
  wasCut(sessionId: string): void;
  of(sessionId: string, position: number): JournalLoad;
  forget(sessionId: string): void;
}

interface SessionLoad {
  /** Start of the time window in which the rate is measured. */
  since: number;
  sincePosition: number;
  position: number;
  rate: number;
  /** The size of the folder when the journal reached `at`; null if unknown. */
  measured: { readonly bytes: number; readonly at: number } | null;
}

/** Length of the time window for one rate. After two windows without output, a program has no rate. */
const WINDOW_MS = 1_000;

/**
 * @param measure  Returns the bytes of a session's segments.
 * @param now      Milliseconds.
 */
export function createJournalLoads(measure: (sessionId: string) => number, now: () => number): JournalLoads {
  const known = new Map<string, SessionLoad>();

  function grew(sessionId: string, position: number): SessionLoad {
    const time = now();
    const one = known.get(sessionId);
    if (!one) {
      const first = { since: time, sincePosition: position, position, rate: 0, measured: null };
      known.set(sessionId, first);
      return first;
    }
    one.position = Math.max(one.position, position);
    const passed = time - one.since;
    if (passed >= WINDOW_MS) {
      const grown = one.position - one.sincePosition;
      one.rate = Math.round((grown * 1000) / Math.max(passed, WINDOW_MS));
      one.since = time;
      one.sincePosition = one.position;
    }
    return one;
  }

  return {
    grew: (sessionId, position) => void grew(sessionId, position),
    wasCut(sessionId) {
      const one = known.get(sessionId);
      if (one) one.measured = null;
    },
    of(sessionId, position) {
      const one = grew(sessionId, position);
      one.measured ??= { bytes: measure(sessionId), at: one.position };
      return { bytes: one.measured.bytes + one.position - one.measured.at, bytes_per_second: one.rate };
    },
    forget: (sessionId) => void known.delete(sessionId),
  };
}
