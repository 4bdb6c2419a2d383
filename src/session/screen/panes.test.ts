/** Tests which part of a screen lies between its lines. */
import { expect, test } from 'vitest';
import { type Dividers, findPane as find, type Pane, spanOf } from './panes.js';

const findPane = (rows: readonly Dividers[], cols: number, textOf = (_row: number, _left: number) => 'words') =>
  find(rows, cols, textOf);
const rows = (count: number, columns: readonly number[], first = 0, last = 79): Dividers[] =>
  new Array(count).fill({ columns, bars: [], first, last });

test('the widest part between two lines is the pane', () => {
  expect(findPane(rows(20, [0, 19, 20, 79]), 80)).toEqual({ left: 20, right: 79, top: 0, bottom: 20 });
  expect(findPane(rows(20, [50]), 80)).toEqual({ left: -1, right: 50, top: 0, bottom: 20 });
});

test('a line that some rows lack is a line, and a short one is none', () => {
  const broken = [...rows(8, [50]), ...rows(2, []), ...rows(8, [50])];
  expect(findPane(broken, 80)).toEqual({ left: -1, right: 50, top: 0, bottom: 18 });
  expect(findPane([...rows(8, [50]), ...rows(12, [])], 80)).toBeNull();
});

test('a bar at the left edge alone marks rows, and divides nothing', () => {
  expect(findPane(rows(20, [1]), 80)).toBeNull();
});

test('beside a box around a long text is no pane, also with a time there', () => {
  const box = rows(20, [0, 17], 0, 17);
  const beside = (texts: number) => (row: number, left: number) => (left === 17 && row >= texts ? '' : '12:00');
  expect(findPane(box, 80, beside(0))).toBeNull();
  expect(findPane(box, 80, beside(1))).toBeNull();
  expect(findPane(box, 80, beside(2))).toMatchObject({ left: 17, right: 80 });
  // A scrollbar at the side of the screen is no text.
  expect(findPane(rows(20, [0, 17, 79]), 80, beside(0))).toBeNull();
});

test('beside a preview without words, the other part is the pane if it is nearly as large', () => {
  const beside = (column: number) => (_row: number, left: number) => (left === column ? ' ─── ' : 'words');
  const pane: Pane = { left: 0, right: 35, top: 0, bottom: 20 };
  expect(findPane(rows(20, [0, 35, 79]), 80, beside(35))).toEqual(pane);
  expect(findPane([...rows(14, [0, 35, 79]), ...rows(6, [])], 80, beside(35))).toBeNull();
  expect(findPane(rows(20, [0, 20, 79]), 80, beside(20))).toBeNull();
  expect(findPane(rows(20, [0, 35, 79]), 80, (row, left) => (left === 35 && row > 0 ? '' : 'words'))).toBeNull();
});

test('an edge between two backgrounds divides the screen if there is text at both sides', () => {
  expect(findPane(rows(20, [49.5]), 80)).toEqual({ left: -1, right: 50, top: 0, bottom: 20 });
  expect(findPane(rows(20, [19.5]), 80)).toEqual({ left: 19, right: 80, top: 0, bottom: 20 });
  expect(findPane([...rows(19, [49.5], 0, 49), ...rows(1, [49.5], 50, 60)], 80)?.right).toBe(50);
});

test('a text on a background of its own is no panel', () => {
  expect(findPane(rows(20, [3.5, 69.5], 5, 60), 80)).toBeNull();
});

test('a row whose edge has moved is read up to it', () => {
  const pane = { left: -1, right: 50, top: 0, bottom: 20 };
  expect(spanOf(pane, { columns: [49.5], bars: [] }, 80)).toEqual([0, 50]);
  expect(spanOf(pane, { columns: [55.5], bars: [] }, 80)).toEqual([0, 56]);
  expect(spanOf({ ...pane, left: 19, right: 80 }, { columns: [19.5], bars: [] }, 80)).toEqual([20, 80]);
});

test('a bar in the text of a row whose line has left the screen is no line', () => {
  const row = { columns: [38, 44], bars: [38, 44] };
  const drawn = { left: -1, right: 50, top: 0, bottom: 20 };
  expect(spanOf(drawn, row, 80)).toEqual([0, 50]);
  const bars = rows(20, [50]).map((each) => ({ ...each, bars: [50] }));
  expect(findPane(bars, 80)).toEqual({ ...drawn, hasBars: true });
  expect(spanOf({ ...drawn, hasBars: true }, row, 80)).toEqual([0, 44]);
});
