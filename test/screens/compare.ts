/** Finds the differences between orchd's screen and tmux's. */
import { type Cell, type Look, shows } from './look.js';

/** The parts of a screen that can differ, and a line that describes the difference. */
export type Part = 'screen' | 'attributes' | 'scrollback' | 'cursor' | 'alternate' | 'title';
export type Differences = Partial<Record<Part, string>>;

export function compare(orchd: Look, tmux: Look): Differences {
  const found: Differences = {};
  for (const [y, theirs] of tmux.screen.entries()) {
    const ours = withoutErased(orchd.screen[y] ?? [], theirs.length);
    if (text(ours) !== text(theirs)) found.screen ??= `row ${y}: ${both(text(ours), text(theirs))}`;
    else if (looks(ours) !== looks(theirs)) found.attributes ??= `row ${y}: ${both(looks(ours), looks(theirs))}`;
  }
  const above = orchd.scrollback.map((cells, y) => text(withoutErased(cells, tmux.scrollback[y]?.length ?? 0)));
  const theirs = tmux.scrollback.map(text);
  if (above.length !== theirs.length || above.some((row, y) => row !== theirs[y]))
    found.scrollback = both(above, theirs);
  if (at(orchd) !== at(tmux)) found.cursor = both(at(orchd), at(tmux));
  if (orchd.isAlternate !== tmux.isAlternate) found.alternate = both(orchd.isAlternate, tmux.isAlternate);
  if (orchd.title !== tmux.title) found.title = both(orchd.title, tmux.title);
  return found;
}

/**
 * tmux's capture ends a row after the last cell that ever had text. Cells after it that were erased with a colour are
 * not included.
 */
function withoutErased(cells: readonly Cell[], length: number): readonly Cell[] {
  let end = cells.length;
  while (
    end > 0 &&
    cells[end - 1]?.chars === ' ' &&
    (!shows(cells[end - 1]) || (end > length && isErased(cells[end - 1])))
  )
    end--;
  return cells.slice(0, end);
}

const isErased = (cell: Cell | undefined): boolean => /^(4[0-7]|10[0-7]|48;\S+)$/.test(cell?.look ?? '');

const both = (orchd: unknown, tmux: unknown): string => `orchd ${JSON.stringify(orchd)}, tmux ${JSON.stringify(tmux)}`;
const text = (cells: readonly Cell[]): string => cells.map((cell) => cell.chars).join('');
const looks = (cells: readonly Cell[]): string => cells.map((cell) => `${cell.chars}{${cell.look}}`).join('');
const at = ({ cursor }: Look): string => `${cursor.y + 1};${cursor.x + 1}${cursor.visible ? '' : ' hidden'}`;
