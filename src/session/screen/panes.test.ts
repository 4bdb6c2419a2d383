/** Tests which part of a screen lies between its lines. */
import { expect, test } from 'vitest';
import { findPane } from './panes.js';

const rows = (count: number, bars: readonly number[]): (readonly number[])[] => new Array(count).fill(bars);

test('the widest part between two lines is the pane', () => {
  expect(findPane(rows(20, [0, 19, 20, 79]), 80)).toEqual({ left: 20, right: 79, top: 0, bottom: 20 });
  expect(findPane(rows(20, [50]), 80)).toEqual({ left: -1, right: 50, top: 0, bottom: 20 });
});

test('a line that some rows lack is a line, and a short one is none', () => {
  const broken = [...rows(8, [50]), [], [], ...rows(8, [50])];
  expect(findPane(broken, 80)).toEqual({ left: -1, right: 50, top: 0, bottom: 18 });
  expect(findPane([...rows(8, [50]), ...rows(12, [])], 80)).toBeNull();
});

test('a bar at the left edge alone marks rows, and divides nothing', () => {
  expect(findPane(rows(20, [1]), 80)).toBeNull();
});
