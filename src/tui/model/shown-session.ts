/** The session whose screen the pane shows. Pure. */
import type { Session } from '../../protocol/index.js';
import { workSession } from '../work/work-acts.js';
import { shownStepSession } from '../workflow/workflow-acts.js';
import type { Model } from './model.js';
import type { Place } from './place.js';

/** Returns the session that the pane shows: the item's session, or the selected one. */
export function shownSession({ model, place }: { readonly model: Model; readonly place: Place }): Session | null {
  const isView = place.view !== 'lists';
  const itemId = 'itemId' in place.mode ? place.mode.itemId : !isView && place.list === 'inbox' ? place.itemId : null;
  const item = model.items.find((entry) => entry.item.id === itemId)?.item;
  const sessionId =
    item?.session_id ?? (isView ? (shownStepSession(place, model) ?? workSession(place, model)) : place.sessionId);
  return model.sessions.find(({ id }) => id === sessionId) ?? null;
}
