import { expect, test } from 'vitest';
import { Notices } from './notices.js';

const watch = () => {
  const told: string[] = [];
  return { told, notices: new Notices((finding) => told.push(finding.kind)) };
};

test('the bell of a program that prints lines is reported at once', () => {
  const { told, notices } = watch();
  notices.rang(1, 0, false);
  expect(told).toEqual(['attention']);
});

test('the bell of a program that paints is reported once the program rests, or 1.5 seconds later', () => {
  const { told, notices } = watch();
  notices.rang(1, 0, true);
  notices.advance(1_400);
  expect([told, notices.isWaiting]).toEqual([[], true]);
  notices.rest();
  notices.typed(true, 1_450);
  notices.rang(2, 1_500, true);
  notices.advance(3_000);
  expect([told, notices.isWaiting]).toEqual([['attention', 'attention_over', 'attention'], false]);
});

test('a bell before an input is not reported after it, also not from a checkpoint', () => {
  const { told, notices } = watch();
  notices.rang(1, 0, true);
  const restored = new Notices((finding) => told.push(finding.kind), notices.state());
  expect(restored.isWaiting).toBe(true);
  for (const one of [notices, restored]) {
    one.typed(true, 100);
    one.rest();
  }
  expect(told).toEqual([]);
});
