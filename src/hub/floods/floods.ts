/** The machines of a hub whose messages were left unread, because they send too many. Each is reported for TOLD_MS. */
export interface Flood {
  readonly machine: string;
  /** Number of messages that were left unread since the flood began. */
  readonly count: number;
}

/** A flood is told for this long after its last message. */
const TOLD_MS = 600_000;
/** At most this many machines are named. */
const MAX_MACHINES = 1_000;

/** Counts the messages that were left unread, by machine. */
export class Floods {
  readonly #now: () => number;
  /** The number of each machine's messages that were left unread, and the time of the last one. */
  readonly #floods = new Map<string, { count: number; at: number }>();

  /** @param now  A monotonic clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a message that is left unread. @returns True for the first one of a flood. */
  note(machine: string): boolean {
    const at = this.#now();
    const known = this.#floods.get(machine);
    if (known && at - known.at <= TOLD_MS) {
      Object.assign(known, { count: known.count + 1, at });
      return false;
    }
    if (!known && this.#floods.size >= MAX_MACHINES) return false;
    this.#floods.set(machine, { count: 1, at });
    return true;
  }

  list(): Flood[] {
    const now = this.#now();
    return [...this.#floods]
      .filter(([, { at }]) => now - at <= TOLD_MS)
      .map(([machine, { count }]) => ({ machine, count }));
  }
}

interface Excess {
  /** The machines whose commands were left unread. */
  readonly commands: readonly Flood[];
  /** The machines whose work for labels was removed. */
  readonly work: readonly Flood[];
  /** The machines with more sessions than are known here; `items`: with more open items. */
  readonly sessions: readonly string[];
  readonly items: readonly string[];
}

/** Returns one sentence for each machine that sends too much. */
export function floodWarnings({ commands, work, sessions, items }: Excess): string[] {
  return [
    ...commands.map(({ machine, count }) => `'${machine}' sends too many commands: ${count} were left unread`),
    ...work.map(({ machine, count }) => `'${machine}' offers goals that no machine takes: ${count} were removed`),
    ...sessions.map((machine) => `'${machine}' has too many sessions: not all are shown`),
    ...items.map((machine) => `'${machine}' has too many open items: not all are shown`),
  ];
}
