/** Renders one screen of the grid: its title, and the part of the screen that fits. Pure. */
import { type Session, shownState } from '../../protocol/index.js';
import { isAlive } from '../model/model.js';
import type { ScreenView } from '../model/watch-session.js';
import { cropRow, firstRow } from '../paint/ansi-row.js';
import type { Tile } from '../paint/grid-layout.js';
import type { Paint } from '../paint/paint.js';
import { centred } from '../paint/rows.js';
import { cut, fill, plainLine, widthOf } from '../paint/text.js';

interface GridCell {
  /** The number of the cell, from 1. */
  readonly number: number;
  readonly name: string;
  /** Undefined until the list of sessions has it, and after the session was removed. */
  readonly session: Session | undefined;
  readonly isRemoved: boolean;
  readonly view: ScreenView | null;
  /** Number of the session's open items. */
  readonly open: number;
  readonly isFocused: boolean;
  readonly isMarked: boolean;
  /** True if typed keys go to this session. */
  readonly isTyped: boolean;
}

interface Drawn {
  readonly rows: readonly string[];
  /** Position of the cursor within the cell; null if it is hidden or outside. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

export function drawCell(paint: Paint, { width, height }: Tile, cell: GridCell): Drawn {
  const title = titleRow(paint, cell, width);
  const inner = height - 1;
  const { view, session, isRemoved } = cell;
  if (!view?.size) {
    const words = view?.problem ?? (isRemoved ? 'The session was removed.' : '…');
    return { rows: [title, ...centred(paint, [words], width, inner)], cursor: null };
  }
  const hasCursor = view.cursor.visible && session !== undefined && isAlive(session);
  const first = firstRow(view.rows, { y: view.cursor.y, visible: hasCursor }, inner);
  const rows = Array.from({ length: inner }, (_, y) =>
    cropRow(view.rows[first + y] ?? '', { columns: width, hasColour: paint.hasColour }),
  );
  const { x, y } = { x: view.cursor.x, y: view.cursor.y - first };
  const isInSight = hasCursor && x < width && y >= 0 && y < inner;
  return { rows: [title, ...rows], cursor: isInSight ? { x, y: y + 1 } : null };
}

/** Returns `▸ 1 ? build · 1 open ────`. */
function titleRow(paint: Paint, cell: GridCell, width: number): string {
  const { number, session, isRemoved, open, isFocused, isMarked, isTyped } = cell;
  const state = session ? shownState(session) : null;
  const name = isRemoved ? 'removed' : `${state?.mark ?? '…'} ${plainLine(session?.name ?? cell.name)}`;
  const facts = [
    session && !isAlive(session) ? (state?.words ?? '') : '',
    open > 0 ? `${open} open` : '',
    isMarked ? 'marked' : '',
  ].filter(Boolean);
  const head = `${isFocused ? '▸' : ' '}${isTyped ? '»' : ' '}${number} ${[name, ...facts].join(' · ')} `;
  const text = widthOf(head) >= width ? fill(cut(head, width), width) : head + '─'.repeat(width - widthOf(head));
  if (isFocused) return paint(['bold', 'inverse'], text);
  return paint(open > 0 ? 'yellow' : 'dim', text);
}
