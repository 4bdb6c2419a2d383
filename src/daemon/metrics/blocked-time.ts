/**
 * Times how long sessions have an open item, and how long each item is open.
 *
 * In:   items that open and close, with times in milliseconds.
 * Out:  seconds. Intervals of several open items of one session count once.
 */
interface Blocked {
  readonly items: Set<string>;
  /** When the first of the items was opened. */
  since: number;
  /** The seconds of all earlier intervals. */
  seconds: number;
}

export class BlockedTime {
  readonly #openedAt = new Map<string, number>();
  readonly #sessions = new Map<string, Blocked>();
  #forgottenSeconds = 0;

  /** @param countFrom  The time from which the session counts as blocked: later than `time` for an old item. */
  open(itemId: string, sessionId: string, time: number, countFrom: number): void {
    this.#openedAt.set(itemId, time);
    const known = this.#sessions.get(sessionId) ?? { items: new Set(), since: countFrom, seconds: 0 };
    if (known.items.size === 0) known.since = countFrom;
    known.items.add(itemId);
    this.#sessions.set(sessionId, known);
  }

  /** @returns For how many seconds the item was open; null if it was not open. */
  close(itemId: string, sessionId: string, time: number): number | null {
    const opened = this.#openedAt.get(itemId);
    this.#openedAt.delete(itemId);
    const known = this.#sessions.get(sessionId);
    if (known?.items.delete(itemId) && known.items.size === 0) known.seconds += secondsBetween(known.since, time);
    return opened === undefined ? null : secondsBetween(opened, time);
  }

  /** Returns the seconds of each session. Sessions that never had an open item are left out. */
  bySession(now: number): ReadonlyMap<string, number> {
    return new Map([...this.#sessions].map(([id, one]) => [id, secondsOf(one, now)]));
  }

  /** Returns the seconds of all sessions, removed ones included. */
  total(now: number): number {
    return [...this.#sessions.values()].reduce((sum, one) => sum + secondsOf(one, now), this.#forgottenSeconds);
  }

  /** Called when a session is removed: its time remains in the total only. */
  forget(sessionId: string): void {
    const known = this.#sessions.get(sessionId);
    if (!known || known.items.size > 0) return;
    this.#forgottenSeconds += known.seconds;
    this.#sessions.delete(sessionId);
  }
}

const secondsOf = ({ items, since, seconds }: Blocked, now: number): number =>
  seconds + (items.size > 0 ? secondsBetween(since, now) : 0);

export const secondsBetween = (from: number, to: number): number => Math.max(0, to - from) / 1000;
