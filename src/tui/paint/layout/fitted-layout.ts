/** The layout for the lists as long as they are, and for the screen that is shown. Pure. */
import { sessionRows } from '../../model/session-rows.js';
import { shownSession } from '../../model/shown-session.js';
import type { State } from '../../model/store.js';
import { fitted, type Layout, layoutOf } from './layout.js';

/** Rows of the words in an empty list of sessions. */
const EMPTY_ROWS = 4;

export function layoutFor({ size, model, place }: Pick<State, 'size' | 'model' | 'place'>): Layout {
  const layout = layoutOf(size);
  if (layout.kind === 'tiny' || layout.kind === 'single') return layout;
  // A filter does not change the places, which would move at every typed letter.
  const rows = place.filters.sessions === '' ? sessionRows(model, place).length : model.sessions.length;
  const session = place.pane === 'screen' ? shownSession({ model, place }) : null;
  return fitted(layout, {
    inbox: Math.max(1, model.items.length),
    sessions: rows === 0 ? EMPTY_ROWS : rows,
    screen: session?.size.rows ?? null,
  });
}
