/** Divides the terminal among the screens of the grid. Pure. */
import { MAX_SCREENS, type Size } from '../../protocol/index.js';
import type { Area } from './layout.js';

/** The area of one session: its title is in the first row, its screen in the others. */
export interface Tile extends Area {
  readonly x: number;
  readonly y: number;
}

/** Minimum size of a screen that can still be read. The height includes the title. */
export const MIN_SCREEN = { width: 20, height: 4 } as const;
/** The preferred size: most screens fit into it without empty space. The height includes the title. */
const IDEAL = { width: 80, height: 25 } as const;

/**
 * Returns the tiles of `count` screens, row by row, with a column between neighbours. The screens of the last row may
 * be wider.
 *
 * @param size The terminal without its status row.
 * @returns Fewer tiles if the terminal is too small for all; at least one.
 */
export function gridTiles(count: number, size: Size): readonly Tile[] {
  for (let shown = Math.min(count, MAX_SCREENS); shown > 1; shown--) {
    const fitting = bestColumns(shown, size);
    if (fitting !== null) return tilesOf(shown, fitting, size);
  }
  return [{ x: 0, y: 0, width: size.cols, height: size.rows }];
}

/**
 * Returns the number of columns whose cells come closest to IDEAL; null if every number would make them smaller than
 * MIN_SCREEN.
 */
function bestColumns(count: number, { cols, rows }: Size): number | null {
  let best: { readonly columns: number; readonly score: number } | null = null;
  for (let columns = 1; columns <= count; columns++) {
    const width = Math.floor((cols - (columns - 1)) / columns);
    const height = Math.floor(rows / Math.ceil(count / columns));
    if (width < MIN_SCREEN.width || height < MIN_SCREEN.height) continue;
    const score = Math.min(1, width / IDEAL.width) * Math.min(1, height / IDEAL.height);
    if (best === null || score > best.score) best = { columns, score };
  }
  return best?.columns ?? null;
}

function tilesOf(count: number, columns: number, { cols, rows }: Size): Tile[] {
  const lines = Math.ceil(count / columns);
  return Array.from({ length: count }, (_, at): Tile => {
    const line = Math.floor(at / columns);
    const inLine = line === lines - 1 ? count - columns * (lines - 1) : columns;
    const [x, width] = part(at % columns, inLine, cols + 1);
    const [y, height] = part(line, lines, rows);
    return { x, y, width: width - 1, height };
  });
}

/** Returns the beginning and the length of one of `count` parts of a length. */
function part(at: number, count: number, length: number): readonly [from: number, length: number] {
  const from = Math.floor((at * length) / count);
  return [from, Math.floor(((at + 1) * length) / count) - from];
}

/**
 * Returns the number of the first screen that has a tile, if there are fewer tiles than screens. The screens move by
 * as few as needed for the focused one to have a tile, and no tile stays empty.
 */
export function firstInSight(first: number, focused: number, tiles: number, screens: number): number {
  const moved = Math.max(Math.min(first, focused), focused - tiles + 1);
  return Math.max(0, Math.min(moved, screens - tiles));
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * Returns the index of the neighbour in a direction: the nearest cell on that side that overlaps the middle of this
 * one. Returns `at` if there is none.
 */
export function neighbour(tiles: readonly Tile[], at: number, direction: Direction): number {
  const here = tiles[at];
  if (!here) return at;
  const isAcross = direction === 'left' || direction === 'right';
  const sign = direction === 'right' || direction === 'down' ? 1 : -1;
  const [along, across] = isAcross ? (['x', 'y'] as const) : (['y', 'x'] as const);
  const middle = here[across] + (isAcross ? here.height : here.width) / 2;
  const beside = tiles
    .map((tile, index) => ({ tile, index, way: (tile[along] - here[along]) * sign }))
    .filter(({ way }) => way > 0)
    .map((one) => {
      const from = one.tile[across];
      const to = from + (isAcross ? one.tile.height : one.tile.width);
      return { ...one, off: middle < from ? from - middle : middle > to ? middle - to : 0 };
    });
  // The middle may be in the border column between two cells.
  const [nearest] = beside.filter(({ off }) => off <= 1).sort((a, b) => a.way - b.way || a.off - b.off);
  return nearest?.index ?? at;
}

/** Returns the index of the screen at a cell of the terminal; null for none. */
export function tileAt(tiles: readonly Tile[], x: number, y: number): number | null {
  const found = tiles.findIndex(
    (tile) => x >= tile.x && x < tile.x + tile.width && y >= tile.y && y < tile.y + tile.height,
  );
  return found < 0 ? null : found;
}
