/**
 * Metrics over time. Pure. The daemon keeps none, so the page keeps those that it saw.
 *
 * In:   the daemon's metrics, each with the time when it was asked.
 * Out:  values to draw. A counter becomes a rate. A restart of the daemon, which resets the counters, leaves a gap.
 */
import type { DaemonMetricsOutput, MetricSample } from '../../protocol/index.js';

export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** When the daemon started. */
  readonly since: string;
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  readonly lagMs: number;
  readonly events: number;
}

/** A value at a time; null for a gap. */
export interface Point {
  readonly at: number;
  readonly value: number | null;
}

export function samplesOf(metrics: DaemonMetricsOutput, name: string): readonly MetricSample[] {
  return metrics.families.find((family) => family.name === name)?.samples ?? [];
}

/** The sum of a family's values. */
const totalOf = (metrics: DaemonMetricsOutput, name: string): number =>
  samplesOf(metrics, name).reduce((sum, { value }) => sum + (value ?? 0), 0);

export const sampleOf = (metrics: DaemonMetricsOutput, at: number): Sample => ({
  at,
  since: metrics.since,
  cpuSeconds: totalOf(metrics, 'process_cpu_seconds_total'),
  memoryBytes: totalOf(metrics, 'process_resident_memory_bytes'),
  lagMs: totalOf(metrics, 'orchd_event_loop_lag_seconds') * 1000,
  events: totalOf(metrics, 'orchd_event_seq'),
});

/** Returns how fast a counter grew, per second. */
export function rates(samples: readonly Sample[], counterOf: (sample: Sample) => number): Point[] {
  return samples.slice(1).map((sample, index): Point => {
    const before = samples[index];
    if (!before || before.since !== sample.since || sample.at <= before.at) return { at: sample.at, value: null };
    const grown = counterOf(sample) - counterOf(before);
    return { at: sample.at, value: Math.max(0, grown / ((sample.at - before.at) / 1000)) };
  });
}

export interface Bar {
  readonly label: string;
  readonly count: number;
}

/** Returns the counts between the bounds of a histogram, all its samples together, without the empty ends. */
export function barsOf(samples: readonly MetricSample[]): Bar[] {
  const counts = new Map<number | null, number>();
  for (const { histogram } of samples) {
    let below = 0;
    for (const { le, count } of histogram?.buckets ?? []) {
      counts.set(le, (counts.get(le) ?? 0) + count - below);
      below = count;
    }
  }
  let before = 0;
  const bars = [...counts].map(([le, count]) => {
    const label = le === null ? `> ${secondsText(before)}` : `≤ ${secondsText(le)}`;
    before = le ?? before;
    return { label, count };
  });
  const isFilled = ({ count }: Bar): boolean => count > 0;
  return bars.slice(Math.max(0, bars.findIndex(isFilled)), bars.findLastIndex(isFilled) + 1);
}

function secondsText(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
