import { expect, test } from 'vitest';
import { fitCells, MAX_CELLS, needFewCells } from './terminal-size.js';

test('needFewCells refuses a size with too many cells, and fitCells reduces its rows', () => {
  for (const size of [
    { cols: 80, rows: 24 },
    { cols: 500, rows: 500 },
    { cols: 1000, rows: 250 },
    { cols: 1, rows: 1000 },
  ]) {
    expect(needFewCells(size)).toEqual(size);
    expect(fitCells(size)).toEqual(size);
  }
  for (const size of [
    { cols: 1000, rows: 1000 },
    { cols: 501, rows: 500 },
  ]) {
    expect(() => needFewCells(size)).toThrow('at most 250,000 cells');
    const fitted = fitCells(size);
    expect(fitted.cols).toBe(size.cols);
    expect(fitted.cols * fitted.rows).toBeLessThanOrEqual(MAX_CELLS);
    expect(fitted.cols * (fitted.rows + 1)).toBeGreaterThan(MAX_CELLS);
  }
});
