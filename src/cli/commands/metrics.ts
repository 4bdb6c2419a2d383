import { type DaemonMetricsOutput, type MetricFamily, usageWords } from '../../protocol/index.js';
import type { CommandSpec } from '../program/command.js';

export const metrics: CommandSpec = {
  name: 'metrics',
  group: 'Daemon',
  summary: 'Show times and counts: delay of questions, time to answer, queues. Prometheus gets the same at /metrics.',
  examples: ['orchd metrics', 'orchd metrics --json'],
  async run(context) {
    const found = await context.client().call('daemon.metrics', {});
    await context.print(found, () => describe(found));
    return undefined;
  },
};

function describe({ since, families }: DaemonMetricsOutput): string {
  const byName = new Map(families.map((family) => [family.name, family]));
  const samples = (name: string) => byName.get(name)?.samples ?? [];
  const value = (name: string, label?: string): number =>
    samples(name).find(({ labels }) => label === undefined || Object.values(labels).includes(label))?.value ?? 0;
  const list = (name: string): string =>
    samples(name)
      .filter((sample) => sample.value)
      .map((sample) => `${sample.value} ${Object.values(sample.labels).join(' ').replaceAll('_', ' ')}`)
      .join(', ') || 'none';
  const worst = samples('orchd_session_blocked_seconds')
    .filter((sample) => sample.value)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
    .slice(0, 5)
    .map((sample) => `${sample.labels['session']} ${words(sample.value ?? 0)}`);
  const cached = value('orchd_tokens_total', 'cached');
  const used =
    usageWords({
      input_tokens: value('orchd_tokens_total', 'input') + cached || null,
      output_tokens: value('orchd_tokens_total', 'output') || null,
      cached_input_tokens: cached || null,
      cost_usd: value('orchd_cost_dollars_total') || null,
    }) || 'no usage reported yet';
  return [
    `since           ${since}`,
    `noticed         ${times(samples('orchd_notice_seconds'))}`,
    `answered        ${times(samples('orchd_answer_seconds'))}`,
    `acknowledged    ${times(samples('orchd_answer_acknowledged_seconds'))}`,
    `blocked         ${words(value('orchd_blocked_seconds_total'))} in ` +
      `all${worst.length > 0 ? ` (${worst.join(', ')})` : ''}`,
    `sessions        ${list('orchd_sessions')}`,
    `items           ${list('orchd_items')}`,
    `waiting         ${list('orchd_queue_depth')}`,
    `streams         ${list('orchd_subscribers')}`,
    `rejected        ${list('orchd_messages_rejected_total')}`,
    `used            ${used}`,
    `events          ${value('orchd_event_seq')}`,
    `journals        ${megabytes(value('orchd_journal_bytes'))}`,
    `memory          ${megabytes(value('process_resident_memory_bytes'))}`,
    `cpu             ${words(value('process_cpu_seconds_total'))}, event loop ` +
      `${Math.round(value('orchd_event_loop_lag_seconds') * 1000)} ms behind`,
    '',
  ].join('\n');
}

/** Summarizes all samples: their number, the median and the 95th percentile. */
function times(samples: MetricFamily['samples']): string {
  const histograms = samples.flatMap(({ histogram }) => (histogram ? [histogram] : []));
  const count = histograms.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return 'none yet';
  const bounds = histograms[0]?.buckets.map(({ le }) => le) ?? [];
  const upTo = bounds.map((_le, i) => histograms.reduce((sum, one) => sum + (one.buckets[i]?.count ?? 0), 0));
  const within = (share: number): string => {
    const at = upTo.findIndex((below) => below >= share * count);
    const bound = bounds[at] ?? null;
    return bound === null ? `more than ${words(bounds.at(-2) ?? 0)}` : `at most ${words(bound)}`;
  };
  return `${count}: half in ${within(0.5)}, 95 % in ${within(0.95)}`;
}

function words(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1_000_0) / 10} ms`;
  if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 3600) return `${Math.round(seconds / 6) / 10} min`;
  return `${Math.round(seconds / 360) / 10} h`;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 100_000) / 10} MB`;
