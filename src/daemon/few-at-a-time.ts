/** So much work at a time; the rest waits in order, and whoever asks for something else is served between two pieces of it. */

/** Does a piece of work in its turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function fewAtATime(size: number): InTurn {
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
