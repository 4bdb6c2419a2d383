/**
 * Renders a session's screen as the rows of its pane. Pure.
 *
 * Most rows of a screen that changes ten times a second stay the same, so the latest cropped rows are cached.
 */
import { type Session, shownState } from '../../protocol/index.js';
import { isAlive } from '../model/model.js';
import type { ScreenView } from '../model/watch-session.js';
import { cropRow, firstRow } from '../paint/ansi-row.js';
import type { Area } from '../paint/layout.js';
import type { Paint } from '../paint/paint.js';
import { box, centred } from '../paint/rows.js';
import { plainLine } from '../paint/text.js';

export function screenRows(paint: Paint, area: Area, session: Session | null, view: ScreenView | null): string[] {
  const { width, height } = area;
  const inner = { columns: width - 2, rows: height - 2 };
  if (!session) {
    const rows = centred(paint, ['No session is selected.'], inner.columns, inner.rows);
    return box(paint, rows, { width, height, title: 'Screen' });
  }
  const { mark } = shownState(session);
  const title = `${mark} ${plainLine(session.name)}`;
  if (view?.sessionId !== session.id || view.size === null) {
    const words = view?.sessionId === session.id && view.problem !== null ? view.problem : '…';
    return box(paint, centred(paint, [words], inner.columns, inner.rows), { width, height, title });
  }
  const { size, cursor } = view;
  const hasCursor = cursor.visible && isAlive(session);
  const first = firstRow(view.rows, { y: cursor.y, visible: hasCursor }, inner.rows);
  const rows = view.rows
    .slice(first, first + inner.rows)
    .map((row, i) => cropped(row, inner.columns, hasCursor && first + i === cursor.y ? cursor.x : undefined, paint));
  const hidden = [
    first > 0 ? `${first} rows above` : '',
    size.cols > inner.columns ? `${size.cols - inner.columns} columns to the right` : '',
  ].filter(Boolean);
  const foot = hidden.length > 0 ? `not shown: ${hidden.join(', ')}` : '';
  const what = plainLine(view.title);
  const batch = session.mode === 'batch' ? 'batch · ' : '';
  const note = `${batch}${what === '' ? '' : `${what} · `}${size.cols}x${size.rows}`;
  return box(paint, rows, { width, height, title, note, foot });
}

const known = new Map<string, string>();
const MAX_KNOWN = 500;

function cropped(row: string, columns: number, cursorX: number | undefined, { hasColour }: Paint): string {
  const key = `${columns} ${cursorX} ${hasColour} ${row}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= MAX_KNOWN) known.clear();
  const made = cropRow(row, { columns, cursorX, hasColour });
  known.set(key, made);
  return made;
}
