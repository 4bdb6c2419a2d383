import { describe, expect, it } from 'vitest';
import { firstInSight, gridTiles, neighbour, tileAt } from './grid-layout.js';

const SIZES = [
  { cols: 60, rows: 14 },
  { cols: 80, rows: 23 },
  { cols: 200, rows: 49 },
  { cols: 300, rows: 79 },
  { cols: 19, rows: 3 },
];

describe('the panes of the grid', () => {
  it('cover the terminal without overlaps, with one column between neighbours', () => {
    for (const size of SIZES) {
      for (let count = 1; count <= 9; count++) {
        const tiles = gridTiles(count, size);
        const cells = new Set<string>();
        for (const { x, y, width, height } of tiles) {
          expect(x + width).toBeLessThanOrEqual(size.cols);
          for (let row = y; row < y + height; row++)
            for (let column = x; column < x + width; column++) cells.add(`${column} ${row}`);
        }
        const area = tiles.reduce((sum, { width, height }) => sum + width * height, 0);
        expect(cells.size).toBe(area);
        const lines = tiles
          .filter(({ x, width }) => x + width < size.cols)
          .reduce((sum, { height }) => sum + height, 0);
        expect(area + lines).toBe(size.cols * size.rows);
      }
    }
  });

  it('are side by side in a wide terminal, and below one another in a high one', () => {
    expect(gridTiles(2, { cols: 160, rows: 40 }).map(({ x, y }) => [x, y])).toEqual([
      [0, 0],
      [80, 0],
    ]);
    expect(gridTiles(2, { cols: 60, rows: 50 }).map(({ x }) => x)).toEqual([0, 0]);
    expect(new Set(gridTiles(9, { cols: 200, rows: 49 }).map(({ x }) => x)).size).toBe(3);
  });

  it('are fewer in a small terminal, but at least one', () => {
    expect(gridTiles(9, { cols: 60, rows: 14 }).length).toBeGreaterThanOrEqual(4);
    expect(gridTiles(9, { cols: 60, rows: 14 }).length).toBeLessThan(9);
    expect(gridTiles(9, { cols: 10, rows: 3 })).toEqual([{ x: 0, y: 0, width: 10, height: 3 }]);
  });

  it('can be found by direction from a neighbour, and by a cell of the terminal', () => {
    const tiles = gridTiles(5, { cols: 200, rows: 49 }); // three above two
    expect([0, 1, 2].map((at) => neighbour(tiles, at, 'right'))).toEqual([1, 2, 2]);
    expect([0, 1, 2].map((at) => neighbour(tiles, at, 'down'))).toEqual([3, 4, 4]);
    expect([3, 4].map((at) => neighbour(tiles, at, 'up'))).toEqual([0, 2]);
    expect(neighbour(tiles, 4, 'left')).toBe(3);
    expect([tileAt(tiles, 0, 0), tileAt(tiles, 199, 48), tileAt(tiles, 500, 0)]).toEqual([0, 4, null]);
  });
});

describe('the screens that have a tile', () => {
  it.each([
    { first: 0, focused: 4, tiles: 2, screens: 5, begin: 3 },
    { first: 3, focused: 1, tiles: 2, screens: 5, begin: 1 },
    { first: 1, focused: 2, tiles: 2, screens: 5, begin: 1 },
    { first: 3, focused: 4, tiles: 4, screens: 5, begin: 1 },
    { first: 3, focused: 0, tiles: 9, screens: 5, begin: 0 },
  ])('begin with $begin if the focus is on $focused of $screens, with $tiles tiles', ({ begin, ...at }) => {
    expect(firstInSight(at.first, at.focused, at.tiles, at.screens)).toBe(begin);
  });
});
