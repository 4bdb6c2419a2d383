/**
 * Metric families (counters, gauges and histograms by name) in the text format of Prometheus.
 *
 * The format is text version 0.0.4: for each family `# HELP`, `# TYPE`, then its samples. A histogram has cumulative
 * `_bucket`s up to `le="+Inf"`, `_sum` and `_count`. Label values come from orchd's own lists, ids and types, never
 * from an agent's text.
 */
import type { MetricFamily, MetricSample } from '../../protocol/index.js';

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Labels = MetricSample['labels'];

/** Returns metric families in Prometheus' text format, version 0.0.4. */
export function prometheusText(families: readonly MetricFamily[]): string {
  return families.map(familyText).join('');
}

function familyText({ name, type, help, samples }: MetricFamily): string {
  const lines = samples.flatMap(({ labels, value, histogram }) => {
    if (!histogram) return [`${name}${labelText(labels)} ${numberText(value ?? 0)}`];
    const { buckets, sum, count } = histogram;
    return [
      ...buckets.map(({ le, count: upTo }) => {
        const bound = le === null ? '+Inf' : numberText(le);
        return `${name}_bucket${labelText({ ...labels, le: bound })} ${upTo}`;
      }),
      `${name}_sum${labelText(labels)} ${numberText(sum)}`,
      `${name}_count${labelText(labels)} ${count}`,
    ];
  });
  const about = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return [`# HELP ${name} ${about}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value ?? '')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const numberText = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
