/** A session's screen, live, cut to the pane: its left, and the rows where things happen. */
import { type Session, STATE_LOOKS } from '../../protocol/index.js';
import { cropRow, firstRow } from '../ansi-row.js';
import type { Area } from '../layout.js';
import { isAlive } from '../model.js';
import type { Paint } from '../paint.js';
import { box, centred } from '../rows.js';
import { Rows } from '../rows-view.js';
import { plainLine } from '../text.js';
import type { ScreenView } from '../watch-session.js';

export interface ScreenPaneProps {
  readonly paint: Paint;
  readonly area: Area;
  readonly session: Session | null;
  readonly view: ScreenView | null;
}

export function ScreenPane({ paint, area, session, view }: ScreenPaneProps) {
  const { width, height } = area;
  const inner = { columns: width - 2, rows: height - 2 };
  if (!session) {
    const rows = centred(paint, ['No session is selected.'], inner.columns, inner.rows);
    return <Rows rows={box(paint, rows, { width, height, title: 'Screen' })} />;
  }
  const { mark } = STATE_LOOKS[session.state];
  const title = `${mark} ${plainLine(session.name)}`;
  if (view?.sessionId !== session.id || view.size === null) {
    const words = view?.sessionId === session.id && view.problem !== null ? view.problem : '…';
    const rows = centred(paint, [words], inner.columns, inner.rows);
    return <Rows rows={box(paint, rows, { width, height, title })} />;
  }
  const { size, cursor } = view;
  const hasCursor = cursor.visible && isAlive(session);
  const first = firstRow(view.rows, { y: cursor.y, visible: hasCursor }, inner.rows);
  const rows = view.rows.slice(first, first + inner.rows).map((row, i) =>
    cropRow(row, {
      columns: inner.columns,
      cursorX: hasCursor && first + i === cursor.y ? cursor.x : undefined,
      hasColour: paint.hasColour,
    }),
  );
  const hidden = [
    first > 0 ? `${first} rows above` : '',
    size.cols > inner.columns ? `${size.cols - inner.columns} columns to the right` : '',
  ].filter(Boolean);
  const foot = hidden.length > 0 ? `not shown: ${hidden.join(', ')}` : '';
  const what = plainLine(view.title);
  const note = `${what === '' ? '' : `${what} · `}${size.cols}x${size.rows}`;
  return <Rows rows={box(paint, rows, { width, height, title, note, foot })} />;
}
