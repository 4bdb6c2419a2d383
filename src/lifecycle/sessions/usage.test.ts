import { expect, test } from 'vitest';
import { AT, play } from '../../../test/harness/session-inputs.js';
import type { RunUsage } from '../../protocol/index.js';
import type { Input } from './aggregate.js';

const { time } = AT;

const used = (cost: number | null, tokens = 0, cached = 0): RunUsage => ({
  input_tokens: tokens + cached,
  output_tokens: 0,
  cached_input_tokens: cached,
  cost_usd: cost,
  turns: 1,
});
const report = (usage: RunUsage, budget?: { usd: number; tokens: number }, at = 10): Input => ({
  kind: 'finding',
  finding: { kind: 'usage', usage, at, time },
  messageId: `msg_${at}`,
  itemId: `itm_${at}`,
  budget,
});

test('a usage report becomes an event and part of the session, but not if it is repeated', () => {
  const { aggregate, all: types } = play(report(used(1)), report(used(1), undefined, 11));
  expect(types).toEqual(['session_usage_changed']);
  expect(aggregate.session.usage).toEqual(used(1));
});

test('reaching the budget opens an item, which later reports change', () => {
  const budget = { usd: 5, tokens: 0 };
  const reports = [4.99, 5, 7, 10.5].map((cost, at) => report(used(cost), budget, at));
  const { aggregate, allEvents: events } = play(...reports);
  expect(events.filter(({ event_type: type }) => type !== 'session_usage_changed')).toMatchObject([
    {
      event_type: 'item_opened',
      item_id: 'itm_1',
      data: { source: 'budget', text: expect.stringMatching(/\$5\.00,/) },
    },
    { event_type: 'item_changed', item_id: 'itm_1', data: { text: expect.stringMatching(/\$10\.50, .*\$5\.00/) } },
  ]);
  expect(aggregate.session.open_items).toBe(1);
  expect(aggregate.session.state).toBe('starting'); // the session goes on, and only the user is informed
});

test('a budget of tokens excludes cached ones, and applies to an agent without a price', () => {
  const budget = { usd: 5, tokens: 1_000 };
  const { allEvents: events } = play(
    report(used(null, 999, 50_000), budget, 1),
    report(used(null, 1_000, 90_000), budget, 2),
  );
  const opened = events.filter(({ event_type: type }) => type === 'item_opened');
  expect(opened).toMatchObject([
    { item_id: 'itm_2', data: { text: 'It has used 1.0k tokens, and its budget is 1.0k (budget.session_tokens).' } },
  ]);
});

test('opens no item without a budget or after the session has ended', () => {
  const exit: Input = {
    kind: 'finding',
    finding: { kind: 'exited', exitCode: 0, signal: null, leftOpen: false, escaped: [], at: 1, time },
    messageId: 'msg',
    itemId: 'itm',
  };
  expect(play(report(used(900))).all).toEqual(['session_usage_changed']);
  const { all, aggregate } = play(exit, report(used(900), { usd: 1, tokens: 0 }));
  expect(all).not.toContain('item_opened');
  expect(aggregate.session.usage).toEqual(used(900));
});
