import { expect, test } from 'vitest';
import type { UnplacedFinding } from '../../../ears/index.js';
import { UsageSide } from './usage-side.js';

const usage = (input: number, output: number, cost: number | null = null) => ({
  input_tokens: input,
  output_tokens: output,
  cached_input_tokens: null,
  cost_usd: cost,
});
const item = (id: string | undefined, ...numbers: Parameters<typeof usage>) => ({
  kind: 'usage' as const,
  ...(id !== undefined && { id }),
  usage: usage(...numbers),
});

function side() {
  const reported: UnplacedFinding[] = [];
  const usageSide = new UsageSide((one) => reported.push(one));
  const sums = () => reported.flatMap((one) => (one.kind === 'usage' ? [one.usage] : []));
  return { usageSide, sums };
}

test('counts a request whose record is written again once, with its last numbers', () => {
  const { usageSide, sums } = side();
  for (const one of [item('a', 10, 1), item('b', 20, 2), item('a', 10, 5), item('a', 10, 5)]) usageSide.take(one, 0);
  usageSide.endTurn(0);
  expect(sums()).toEqual([{ ...usage(30, 7), turns: 2 }]);
});

test('adds requests without an id, and keeps the cost if one of them has no price', () => {
  const { usageSide, sums } = side();
  for (const one of [item(undefined, 10, 1, 0.5), item(undefined, 10, 1), item(undefined, 10, 1, 0.25)])
    usageSide.take(one, 0);
  usageSide.endTurn(0);
  expect(sums()).toEqual([{ ...usage(30, 3, 0.75), turns: 3 }]);
});

test('reports at the end of a turn, within it every ten seconds, and at once after the exit', () => {
  const { usageSide, sums } = side();
  usageSide.take(item('a', 1, 1), 20_000);
  expect(sums()).toHaveLength(1);
  usageSide.take(item('b', 1, 1), 29_999);
  expect(sums()).toHaveLength(1);
  usageSide.take(item('c', 1, 1), 30_000);
  expect(sums().at(-1)).toMatchObject({ input_tokens: 3 });
  usageSide.endTurn(30_001);
  expect(sums()).toHaveLength(2); // nothing new
  usageSide.beginTurn();
  usageSide.take(item('d', 1, 1), 30_002);
  usageSide.end(30_003);
  usageSide.take(item('e', 1, 1), 30_004);
  expect(sums().slice(2)).toMatchObject([{ input_tokens: 4 }, { input_tokens: 5 }]);
});

test('reports at once what is written after the end of a turn', () => {
  const { usageSide, sums } = side();
  usageSide.take(item('a', 1, 1), 20_000);
  usageSide.endTurn(20_001);
  usageSide.take(item('b', 1, 1), 20_002);
  usageSide.beginTurn();
  usageSide.take(item('c', 1, 1), 20_003);
  expect(sums()).toMatchObject([{ input_tokens: 1 }, { input_tokens: 2 }]);
});

test('continues from a checkpoint with the same totals', () => {
  const { usageSide, sums } = side();
  usageSide.take(item('a', 10, 1), 0);
  const again: UnplacedFinding[] = [];
  const next = new UsageSide((one) => again.push(one), JSON.parse(JSON.stringify(usageSide.state())));
  for (const one of [usageSide, next]) one.take(item('a', 12, 1), 1);
  for (const one of [usageSide, next]) one.endTurn(2);
  expect(again).toEqual([{ kind: 'usage', usage: sums().at(-1) }]);
});
