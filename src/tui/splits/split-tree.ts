/**
 * The tree of a split terminal: which screens stand side by side and one above the other, and their shares. Pure.
 *
 * The parts of a node have shares in whole percent that add up to 100. A leaf is called by a name: that of a session in
 * a layout file, its id in the grid.
 */
import type { Size } from '../../protocol/index.js';
import { type Direction, MIN_SCREEN, type Tile } from '../paint/grid-layout.js';
import type { Area } from '../paint/layout.js';

/** `|` puts the parts side by side, `-` one above the other. */
export type SplitWay = '|' | '-';

export type SplitNode = { readonly kind: 'leaf'; readonly name: string } | SplitParts;
interface SplitParts {
  readonly kind: 'parts';
  readonly way: SplitWay;
  readonly parts: readonly SplitPart[];
}
export interface SplitPart {
  readonly share: number;
  readonly node: SplitNode;
}

/** A part that would be smaller is not made. */
const MIN_SHARE = 5;
const RESIZE_STEP = 5;

/** Returns a leaf with this name. */
export const leaf = (name: string): SplitNode => ({ kind: 'leaf', name });

/** Returns the shares of `count` equal parts: 34, 33, 33. */
export function evenShares(count: number): readonly number[] {
  const least = Math.floor(100 / count);
  return Array.from({ length: count }, (_, at) => (at < 100 - least * count ? least + 1 : least));
}

/** Returns a node with equal parts; the node itself if there is only one. */
export function evenParts(way: SplitWay, nodes: readonly SplitNode[]): SplitNode {
  const [only] = nodes;
  if (nodes.length === 1 && only) return only;
  const shares = evenShares(nodes.length);
  return { kind: 'parts', way, parts: nodes.map((node, at) => ({ share: shares[at] ?? 0, node })) };
}

/** Returns the names in the order of reading: left before right, upper before lower. */
export function leavesOf(node: SplitNode): readonly string[] {
  return node.kind === 'leaf' ? [node.name] : node.parts.flatMap((part) => leavesOf(part.node));
}

/** Returns the tree with other names; a leaf without one is taken out. Null if none is left. */
export function renameLeaves(node: SplitNode, nameOf: (name: string) => string | null): SplitNode | null {
  let tree: SplitNode | null = node;
  for (const name of leavesOf(node)) if (nameOf(name) === null && tree) tree = removeLeaf(tree, name);
  return tree && mapLeaves(tree, (name) => leaf(nameOf(name) ?? name));
}

/** Splits the tile of a leaf in two equal parts; the new leaf is to the right of it, or below. */
export function splitLeaf(node: SplitNode, name: string, way: SplitWay, added: string): SplitNode {
  if (node.kind === 'leaf') return node.name === name ? evenParts(way, [node, leaf(added)]) : node;
  const parts = node.parts.flatMap((part): readonly SplitPart[] => {
    const isHere = part.node.kind === 'leaf' && part.node.name === name && node.way === way;
    if (!isHere) return [{ ...part, node: splitLeaf(part.node, name, way, added) }];
    const half = Math.floor(part.share / 2);
    return [
      { share: part.share - half, node: part.node },
      { share: half, node: leaf(added) },
    ];
  });
  return { ...node, parts };
}

/** Takes a leaf out; the part beside it gets its room. Null if it was the last one. */
export function removeLeaf(node: SplitNode, name: string): SplitNode | null {
  if (node.kind === 'leaf') return node.name === name ? null : node;
  const kept: SplitPart[] = [];
  let free = 0;
  for (const part of node.parts) {
    const rest = removeLeaf(part.node, name);
    if (rest === null) free += part.share;
    else kept.push({ share: part.share, node: rest });
  }
  const gone = node.parts.findIndex((part) => removeLeaf(part.node, name) === null);
  const heir = Math.max(0, gone - 1);
  const parts = kept.map((part, at) => (at === heir ? { ...part, share: part.share + free } : part));
  const [only] = parts;
  if (!only) return null;
  return parts.length === 1 ? only.node : { ...node, parts };
}

/**
 * Moves the edge of a leaf: its right (lower) one, or the other one if that is the edge of the terminal.
 * @returns The same node if there is no edge to move, or no room.
 */
export function moveEdge(node: SplitNode, name: string, direction: Direction): SplitNode {
  const isAcross = direction === 'left' || direction === 'right';
  const step = direction === 'right' || direction === 'down' ? RESIZE_STEP : -RESIZE_STEP;
  if (node.kind === 'leaf') return node;
  const at = node.parts.findIndex((part) => leavesOf(part.node).includes(name));
  const here = node.parts[at];
  if (!here) return node;
  const inner = moveEdge(here.node, name, direction);
  if (inner !== here.node) return { ...node, parts: node.parts.with(at, { ...here, node: inner }) };
  if ((node.way === '|') !== isAcross) return node;
  const first = Math.min(at, node.parts.length - 2);
  const [before, after] = [node.parts[first], node.parts[first + 1]];
  if (!before || !after) return node;
  const shares = [before.share + step, after.share - step] as const;
  if (Math.min(...shares) < MIN_SHARE) return node;
  const parts = node.parts.with(first, { ...before, share: shares[0] }).with(first + 1, { ...after, share: shares[1] });
  return { ...node, parts };
}

/**
 * Returns the tiles of the leaves in the order of reading, with a column between neighbours.
 *
 * @param size The terminal without its status row.
 * @returns Null if a tile would be too small to show a screen.
 */
export function splitTiles(node: SplitNode, { cols, rows }: Size): readonly Tile[] | null {
  const tiles = placesIn(node, { x: 0, y: 0, width: cols, height: rows });
  const isSmall = ({ width, height }: Tile): boolean => width < MIN_SCREEN.width || height < MIN_SCREEN.height;
  return tiles.length > 1 && tiles.some(isSmall) ? null : tiles;
}

function placesIn(node: SplitNode, area: Area & Tile): Tile[] {
  if (node.kind === 'leaf') return [area];
  const isAcross = node.way === '|';
  const gaps = isAcross ? node.parts.length - 1 : 0;
  const room = (isAcross ? area.width : area.height) - gaps;
  let [share, from] = [0, 0];
  return node.parts.flatMap((part, at) => {
    share += part.share;
    const to = Math.round((room * share) / 100);
    const [start, length] = [from + (isAcross ? at : 0), to - from];
    from = to;
    const inner = isAcross
      ? { ...area, x: area.x + start, width: length }
      : { ...area, y: area.y + start, height: length };
    return placesIn(part.node, inner);
  });
}

function mapLeaves(node: SplitNode, change: (name: string) => SplitNode): SplitNode {
  if (node.kind === 'leaf') return change(node.name);
  return { ...node, parts: node.parts.map((part) => ({ ...part, node: mapLeaves(part.node, change) })) };
}

/** Returns the tree of an even grid, whose tiles are given in the order of reading. */
export function treeOfGrid(names: readonly string[], tiles: readonly Tile[]): SplitNode {
  const lines = [...new Set(tiles.map(({ y }) => y))];
  return evenParts(
    '-',
    lines.map((line) =>
      evenParts(
        '|',
        names.filter((_, at) => tiles[at]?.y === line).map((name) => leaf(name)),
      ),
    ),
  );
}
