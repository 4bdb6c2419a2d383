/** A histogram of durations: the number of values below each bound, their sum, and their number. */
import type { MetricSample } from '../../protocol/index.js';

export interface Histogram {
  observe(seconds: number): void;
  readonly value: NonNullable<MetricSample['histogram']>;
}

/** @param bounds  Upper bounds of the buckets in seconds, ascending. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = bounds.map(() => 0);
  let sum = 0;
  let count = 0;
  return {
    observe(seconds) {
      const value = Math.max(0, seconds); // a clock may have been set back
      const at = bounds.findIndex((bound) => value <= bound);
      if (at >= 0) counts[at] = (counts[at] ?? 0) + 1;
      sum += value;
      count++;
    },
    get value() {
      let below = 0;
      const buckets = bounds.map((le, i): { le: number | null; count: number } => {
        below += counts[i] ?? 0;
        return { le, count: below };
      });
      return { buckets: [...buckets, { le: null, count }], sum, count };
    },
  };
}
