/**
 * Limits concurrency: runs `size` tasks at a time; the others wait in order. Other requests are served between two
 * tasks.
 */

/** Starts a task as soon as fewer tasks than the limit are running. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that runs at most `size` tasks at a time, in the order of the calls. It resolves or rejects as the
 * task does.
 */
export function limitConcurrency(size: number): InTurn {
  let free = size;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) setImmediate(next);
      else free++;
    }
  };
}
