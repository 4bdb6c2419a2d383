/** The layout for the lists as long as they are, and for the screen that is shown. Pure. */
import { sessionRows } from '../acts/session-rows.js';
import { fitted, type Layout, layoutOf } from '../paint/layout.js';
import { shownSession } from './shown-session.js';
import type { State } from './store.js';

/** Rows of the words in an empty list of sessions. */
const EMPTY_ROWS = 4;

export function layoutFor({ size, model, ui }: Pick<State, 'size' | 'model' | 'ui'>): Layout {
  const layout = layoutOf(size);
  if (layout.kind === 'tiny' || layout.kind === 'single') return layout;
  // All sessions are counted while a filter is typed, so that the areas do not move at every letter.
  const rows = ui.filters.sessions === '' ? sessionRows(model, ui).length : model.sessions.length;
  const session = ui.pane === 'screen' ? shownSession({ model, ui }) : null;
  return fitted(layout, {
    inbox: Math.max(1, model.items.length),
    sessions: rows === 0 ? EMPTY_ROWS : rows,
    screen: session?.size.rows ?? null,
  });
}
