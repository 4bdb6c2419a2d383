/**
 * Sizes of the journals of the sessions that ended last. Each is measured once, because nothing is appended any more.
 */
interface EndedSession {
  readonly id: string;
  readonly endedAt: string;
}

/** More sessions would make each status slow. */
const MAX_MEASURED = 200;

export class EndedJournals {
  readonly #measure: (sessionId: string) => number;
  #known: ReadonlyMap<string, number> = new Map();

  /** @param measure  Returns the bytes of a session's segments. */
  constructor(measure: (sessionId: string) => number) {
    this.#measure = measure;
  }

  of(ended: readonly EndedSession[]): { session_id: string; bytes: number; bytes_per_second: number }[] {
    const newest = [...ended].sort((one, other) => (one.endedAt < other.endedAt ? 1 : -1)).slice(0, MAX_MEASURED);
    this.#known = new Map(newest.map(({ id }) => [id, this.#known.get(id) ?? this.#measure(id)]));
    return [...this.#known].map(([session_id, bytes]) => ({ session_id, bytes, bytes_per_second: 0 }));
  }
}
