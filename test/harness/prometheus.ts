/**
 * A strict reader of Prometheus's text format 0.0.4, independent of the writer.
 *
 * Throws at the first invalid line: a family that is declared twice or in pieces, a sample before its TYPE or with
 * another name, an invalid label, a repeated sample, a counter below zero, a histogram whose buckets fall or do not end
 * with +Inf = _count.
 */
export interface PrometheusFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: { readonly name: string; readonly labels: Record<string, string>; readonly value: number }[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const VALUE = '[+-]?(?:\\d+\\.?\\d*(?:e[+-]?\\d+)?|Inf)|NaN';
const SAMPLE = new RegExp(
  `^(${NAME})(?:\\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*",?)*)\\})? (${VALUE})$`,
  'i',
);

export function readPrometheus(text: string): Map<string, PrometheusFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, PrometheusFamily>();
  let help: { name: string; text: string } | null = null;
  let family: PrometheusFamily | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    const about = new RegExp(`^# HELP (${NAME}) (.*)$`).exec(line);
    const typed = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`).exec(line);
    if (about) {
      help = { name: about[1] ?? '', text: about[2] ?? '' };
      family = null;
    } else if (typed) {
      const [, name = '', type = ''] = typed;
      if (help?.name !== name || families.has(name)) throw new Error(`TYPE without its HELP, or twice: ${line}`);
      family = { name, type, help: help.text, samples: [] };
      families.set(name, family);
    } else {
      if (!family) throw new Error(`a sample without TYPE: ${line}`);
      family.samples.push(readSample(line, family));
    }
  }
  for (const each of families.values()) check(each);
  return families;
}

function readSample(line: string, { name: family, type }: PrometheusFamily): PrometheusFamily['samples'][number] {
  const found = SAMPLE.exec(line);
  if (!found) throw new Error(`no sample: ${JSON.stringify(line)}`);
  const [, name = '', pairs = '', number = ''] = found;
  const names = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => family + end) : [family];
  if (!names.includes(name)) throw new Error(`a sample of another family in ${family}: ${line}`);
  const labels: Record<string, string> = {};
  for (const [, label = '', value = ''] of pairs.matchAll(/([a-zA-Z0-9_]+)="((?:[^"\\]|\\.)*)"/g)) {
    if (label in labels) throw new Error(`a label twice: ${line}`);
    labels[label] = value.replaceAll(/\\(.)/g, (_all, char) => (char === 'n' ? '\n' : char));
  }
  return { name, labels, value: toNumber(number) };
}

const toNumber = (text: string): number =>
  /^\+?Inf$/i.test(text) ? Number.POSITIVE_INFINITY : /^-Inf$/i.test(text) ? Number.NEGATIVE_INFINITY : Number(text);

function check({ name: family, type, samples }: PrometheusFamily): void {
  const keys = samples.map(({ name, labels }) => JSON.stringify([name, Object.entries(labels).sort()]));
  if (new Set(keys).size < keys.length) throw new Error(`a sample of ${family} twice`);
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0))) throw new Error(`${family} counts below zero`);
  if (type !== 'histogram') return;
  const groups = new Map<string, PrometheusFamily['samples']>();
  for (const sample of samples) {
    const { le: _le, ...rest } = sample.labels;
    const key = JSON.stringify(Object.entries(rest).sort());
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const [key, group] of groups) {
    const buckets = group.filter(({ name }) => name === `${family}_bucket`);
    const bounds = buckets.map(({ labels }) => toNumber(labels['le'] ?? 'NaN'));
    const count = group.find(({ name }) => name === `${family}_count`)?.value;
    const isRising = bounds.every((bound, i) => i === 0 || bound > (bounds[i - 1] ?? Number.NaN));
    const isCumulative = buckets.every(({ value }, i) => i === 0 || value >= (buckets[i - 1]?.value ?? 0));
    const isWhole = bounds.at(-1) === Number.POSITIVE_INFINITY && buckets.at(-1)?.value === count;
    const hasSum = group.some(({ name }) => name === `${family}_sum`);
    if (!isRising || !isCumulative || !isWhole || !hasSum) throw new Error(`${family} ${key} is no histogram`);
  }
}
