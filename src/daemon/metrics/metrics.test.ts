import { describe, expect, test } from 'vitest';
import type { Item, MetricFamily } from '../../protocol/index.js';
import { createHistogram } from './histogram.js';
import { createObserver } from './observer.js';
import { prometheusText } from './prometheus-text.js';

const START = Date.UTC(2026, 0, 1);
const at = (seconds: number) => ({ timestamp: new Date(START + seconds * 1000).toISOString(), session_id: 'ses_1' });
const now = (seconds: number): number => START + seconds * 1000;
const opened = (id: string, seconds: number) => ({
  event_type: 'item_opened',
  item_id: id,
  type: 'QUESTION',
  ...at(seconds),
});
const answered = (id: string, seconds: number, by = 'cli') => ({
  event_type: 'item_answered',
  item_id: id,
  answer: { text: 'yes', by, at: '' },
  ...at(seconds),
});

const familyOf = (families: readonly MetricFamily[], name: string): MetricFamily =>
  families.find((family) => family.name === name) ?? expect.fail(`no ${name}`);
const histogramOf = (families: readonly MetricFamily[], name: string, labels = {}) =>
  familyOf(families, name).samples.find((sample) => JSON.stringify(sample.labels) === JSON.stringify(labels))
    ?.histogram;

describe('histogram', () => {
  test('counts a value in its bucket and in all larger ones, and a bound in its own bucket', () => {
    const histogram = createHistogram([1, 2, 5]);
    for (const value of [0, 1, 1.5, 5, 6, -1]) histogram.observe(value);
    expect(histogram.value).toEqual({
      buckets: [
        { le: 1, count: 3 },
        { le: 2, count: 4 },
        { le: 5, count: 5 },
        { le: null, count: 6 },
      ],
      sum: 13.5,
      count: 6,
    });
  });
});

describe('observer', () => {
  test('measures the times from the journal to the event, to the answer, and to its acknowledgement', () => {
    const observer = createObserver();
    observer.take([opened('itm_1', 0)], now(0.02));
    observer.take([answered('itm_1', 90)], now(90));
    observer.take([{ event_type: 'answer_written', item_id: 'itm_1', ...at(90.2) }], now(90.2));
    observer.take([{ event_type: 'answer_acknowledged', item_id: 'itm_1', ...at(91.5) }], now(91.5));
    const families = observer.families(now(100));
    expect(histogramOf(families, 'orchd_notice_seconds')).toMatchObject({ count: 1, sum: 0.02 });
    expect(histogramOf(families, 'orchd_answer_seconds', { by: 'client' })).toMatchObject({ count: 1, sum: 90 });
    expect(histogramOf(families, 'orchd_answer_written_seconds')?.sum).toBeCloseTo(0.2);
    expect(histogramOf(families, 'orchd_answer_acknowledged_seconds')?.sum).toBeCloseTo(1.5);
  });

  test('labels who answered as client, terminal or deadline, whatever name a client gives itself', () => {
    const observer = createObserver();
    for (const [i, by] of ['cli', 'my"own\nname', 'terminal', 'deadline'].entries())
      observer.take([opened(`itm_${i}`, 0), answered(`itm_${i}`, 1, by)], now(1));
    const samples = familyOf(observer.families(now(1)), 'orchd_answer_seconds').samples;
    expect(samples.map(({ labels, histogram }) => [labels['by'], histogram?.count])).toEqual([
      ['client', 2],
      ['terminal', 1],
      ['deadline', 1],
    ]);
  });

  test('counts the time in which a session has open items once, up to now', () => {
    const observer = createObserver();
    observer.take([opened('itm_1', 0), opened('itm_2', 10)], now(10));
    observer.take([answered('itm_1', 20)], now(20));
    expect(observer.blockedSeconds(now(25)).get('ses_1')).toBe(25);
    observer.take([{ event_type: 'item_withdrawn', item_id: 'itm_2', reason: 'gone', ...at(30) }], now(30));
    expect(observer.blockedSeconds(now(100)).get('ses_1')).toBe(30);
    observer.take([opened('itm_3', 200)], now(200));
    expect(observer.blockedSeconds(now(205)).get('ses_1')).toBe(35);
  });

  test('keeps the blocked time of an ended session in the total only', () => {
    const observer = createObserver();
    observer.take([opened('itm_1', 0), answered('itm_1', 60)], now(60));
    observer.forget('ses_1');
    expect(observer.blockedSeconds(now(90)).size).toBe(0);
    expect(familyOf(observer.families(now(90)), 'orchd_blocked_seconds_total').samples).toMatchObject([{ value: 60 }]);
  });

  test('counts the events of an imported recording, but measures no times', () => {
    const observer = createObserver();
    const started = { event_type: 'session_started', imported: true, ...at(-1000) };
    observer.take([started, opened('itm_1', -999), answered('itm_1', -900)], now(0));
    const families = observer.families(now(1));
    expect(histogramOf(families, 'orchd_notice_seconds')?.count).toBe(0);
    expect(histogramOf(families, 'orchd_answer_seconds', { by: 'client' })?.count).toBe(0);
    expect(familyOf(families, 'orchd_blocked_seconds_total').samples).toMatchObject([{ value: 0 }]);
    expect(familyOf(families, 'orchd_events_total').samples).toHaveLength(3);
  });

  test('counts tokens and dollars from the start, also for sessions from before it', () => {
    const observer = createObserver();
    const used = (input: number, cost: number) => ({
      input_tokens: input,
      output_tokens: 2,
      cached_input_tokens: 10,
      cost_usd: cost,
      turns: 1,
    });
    const report = (id: string, usage: ReturnType<typeof used>) => ({
      event_type: 'session_usage_changed',
      ...at(1),
      session_id: id,
      usage,
    });
    observer.start([], [{ id: 'ses_old', usage: used(50, 1) }], now(0));
    observer.take(
      [report('ses_old', used(60, 1.5)), report('ses_new', used(30, 0.25)), report('ses_new', used(40, 0.5))],
      now(1),
    );
    const families = observer.families(now(1));
    expect(familyOf(families, 'orchd_tokens_total').samples).toEqual([
      { labels: { kind: 'input' }, value: 10 + 30 },
      { labels: { kind: 'cached' }, value: 10 },
      { labels: { kind: 'output' }, value: 2 },
    ]);
    expect(familyOf(families, 'orchd_cost_dollars_total').samples).toEqual([{ labels: {}, value: 0.5 + 0.5 }]);
  });

  test('measures an item from before the start from its opening, but its blocked time from the start', () => {
    const observer = createObserver();
    // the fields that the observer reads
    const item = { id: 'itm_1', session_id: 'ses_1', opened_at: at(-100).timestamp } as Item;
    observer.start([item], [], now(0));
    observer.take([answered('itm_1', 50)], now(50));
    const families = observer.families(now(50));
    expect(histogramOf(families, 'orchd_answer_seconds', { by: 'client' })).toMatchObject({ sum: 150 });
    expect(familyOf(families, 'orchd_blocked_seconds_total').samples).toMatchObject([{ value: 50 }]);
  });
});

test('prometheusText escapes label values and help texts, and writes infinity as +Inf', () => {
  const family: MetricFamily = {
    name: 'a',
    type: 'gauge',
    help: 'one\\two\nthree',
    samples: [{ labels: { b: 'x"y\\z\n' }, value: Number.POSITIVE_INFINITY }],
  };
  expect(prometheusText([family])).toBe('# HELP a one\\\\two\\nthree\n# TYPE a gauge\na{b="x\\"y\\\\z\\n"} +Inf\n');
});
