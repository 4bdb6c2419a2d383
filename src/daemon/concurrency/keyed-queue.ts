/**
 * Runs tasks one after the other for each key, in the order in which they were added. A task starts at once if no other
 * task of its key runs or waits. Tasks of different keys do not wait for each other.
 */

/** Options of a task that leaves the queue when a signal aborts. `otherwise` then provides its result. */
interface Leaving<T> {
  readonly signal: AbortSignal | undefined;
  readonly otherwise: () => T;
}

/** Queues tasks by key. Only one task of a key runs at a time. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Returns the result of the task. Its failure does not affect later tasks. */
  run<T>(key: string, task: () => Promise<T>, leaving?: Leaving<T>): Promise<T> {
    const before = this.#last.get(key);
    const start = async (): Promise<T> => task();
    const mine = before ? after(before, start, leaving) : start();
    const last = Promise.allSettled([before, mine]);
    this.#last.set(key, last);
    void last.then(() => {
      if (this.#last.get(key) === last) this.#last.delete(key);
    });
    return mine;
  }
}

async function after<T>(before: Promise<unknown>, start: () => Promise<T>, leaving?: Leaving<T>): Promise<T> {
  const isFree = await whenFree(before, leaving?.signal);
  return isFree || !leaving ? start() : leaving.otherwise();
}

/**
 * Waits until earlier tasks have ended, or until a signal aborts.
 * @returns False if the signal aborted first.
 */
export async function whenFree(before: Promise<unknown>, signal: AbortSignal | undefined): Promise<boolean> {
  if (!signal) return before.then(() => true);
  let leave = (): void => {};
  const aborted = new Promise<false>((resolve) => {
    leave = () => resolve(false);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  });
  const isFree = await Promise.race([before.then(() => true), aborted]);
  signal.removeEventListener('abort', leave);
  return isFree;
}
