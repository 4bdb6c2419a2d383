import { expect, test } from 'vitest';
import type { DaemonMetricsOutput, MetricSample } from '../../protocol/index.js';
import { barsOf, rates, type Sample, sampleOf } from './samples.js';

const sample = (at: number, events: number, since = 'a'): Sample => ({
  at,
  since,
  events,
  cpuSeconds: 0,
  memoryBytes: 0,
  lagMs: 0,
});

test('turns a counter into a rate, with a gap at a restart of the daemon', () => {
  const samples = [sample(0, 10), sample(2_000, 14), sample(4_000, 2, 'b'), sample(5_000, 5, 'b')];
  expect(rates(samples, ({ events }) => events)).toEqual([
    { at: 2_000, value: 2 },
    { at: 4_000, value: null },
    { at: 5_000, value: 3 },
  ]);
});

test('reads a sample from the metrics, with zeros for missing ones', () => {
  const gauge = (name: string, value: number) => ({
    name,
    type: 'gauge' as const,
    help: '',
    samples: [{ labels: {}, value }],
  });
  const metrics: DaemonMetricsOutput = {
    since: 'now',
    families: [gauge('process_resident_memory_bytes', 5), gauge('orchd_event_loop_lag_seconds', 0.25)],
  };
  expect(sampleOf(metrics, 1)).toEqual({ at: 1, since: 'now', cpuSeconds: 0, memoryBytes: 5, lagMs: 250, events: 0 });
});

test('turns the cumulative buckets of several samples into counts per range', () => {
  const histogram = (...counts: number[]): MetricSample => ({
    labels: {},
    histogram: { buckets: [0.5, 60, null].map((le, at) => ({ le, count: counts[at] ?? 0 })), sum: 0, count: 0 },
  });
  expect(barsOf([histogram(1, 3, 3), histogram(0, 0, 2)])).toEqual([
    { label: '≤ 500 ms', count: 1 },
    { label: '≤ 1 min', count: 2 },
    { label: '> 1 min', count: 2 },
  ]);
  expect(barsOf([histogram(0, 2, 2)])).toEqual([{ label: '≤ 1 min', count: 2 }]);
  expect(barsOf([histogram(0, 0, 0)])).toEqual([]);
});
