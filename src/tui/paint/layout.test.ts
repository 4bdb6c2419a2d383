import { describe, expect, it } from 'vitest';
import { fitted, layoutOf } from './layout.js';

const heights = (cols: number, rows: number, inbox: number, sessions: number, screen: number | null = 40) => {
  const layout = fitted(layoutOf({ cols, rows }), { inbox, sessions, screen });
  switch (layout.kind) {
    case 'stacked':
      return [layout.inbox.height, layout.sessions.height, layout.pane.height];
    case 'columns':
      return [layout.inbox.height, layout.sessions.height, layout.upper.height, layout.lower.height];
    case 'lists':
      return [layout.inbox.height, layout.sessions.height];
    default:
      return [];
  }
};

describe('a layout for the lists as long as they are', () => {
  it('gives empty rows to the other list, then to the screen', () => {
    expect(heights(120, 40, 3, 8)).toEqual([5, 10, 23]);
    expect(heights(120, 40, 0, 200)).toEqual([4, 16, 18]);
    expect(heights(120, 40, 200, 200)).toEqual([10, 10, 18]);
  });

  it('gives empty rows below a small screen to the lists', () => {
    expect(heights(100, 80, 40, 60, 24)).toEqual([26, 26, 26]);
    expect(heights(100, 80, 3, 60, 24)).toEqual([5, 47, 26]);
  });

  it('shows a whole screen beside the lists if a few rows of the feed are left', () => {
    expect(heights(200, 50, 3, 8, 40)).toEqual([24, 24, 42, 6]);
    expect(heights(200, 50, 3, 40, 24)).toEqual([6, 42, 26, 22]);
    expect(heights(200, 50, 3, 8, null)).toEqual([24, 24, 34, 14]);
    expect(heights(200, 50, 3, 8, 200)).toEqual([24, 24, 42, 6]);
  });

  it('shares all rows if no screen is shown', () => {
    expect(heights(60, 15, 2, 8)).toEqual([4, 9]);
    expect(heights(60, 15, 8, 2)).toEqual([9, 4]);
    expect(heights(60, 15, 2, 2)).toEqual([6, 7]);
  });

  it('uses every row of the terminal, for every length', () => {
    for (const [cols, rows] of [
      [50, 12],
      [60, 15],
      [80, 17],
      [80, 24],
      [120, 40],
      [140, 22],
      [300, 80],
    ] as const)
      for (const inbox of [0, 1, 5, 300])
        for (const sessions of [0, 1, 5, 300])
          for (const screen of [null, 1, 24, 500]) {
            const all = heights(cols, rows, inbox, sessions, screen);
            const sum = all.reduce((one, other) => one + other, 0);
            expect(sum, `${cols}x${rows} ${inbox} ${sessions} ${screen}`).toBe((all.length === 4 ? 2 : 1) * (rows - 2));
            expect(Math.min(...all)).toBeGreaterThanOrEqual(3);
          }
  });
});
