/** The session whose screen the pane shows. Pure. */
import type { Session } from '../../protocol/index.js';
import type { UiState } from '../acts/ui-state.js';
import { workSession } from '../acts/work-acts.js';
import { shownStepSession } from '../acts/workflow-acts.js';
import { entryOfItem, type Model } from '../model/model.js';

/** Returns the session that the pane shows: the item's session, or the selected one. */
export function shownSession({ model, ui }: { readonly model: Model; readonly ui: UiState }): Session | null {
  const isView = ui.view !== 'lists';
  const itemId = 'itemId' in ui.mode ? ui.mode.itemId : !isView && ui.list === 'inbox' ? ui.itemId : null;
  const item = entryOfItem(model, itemId)?.item;
  const sessionId =
    item?.session_id ?? (isView ? (shownStepSession(ui, model) ?? workSession(ui, model)) : ui.sessionId);
  return model.sessions.find(({ id }) => id === sessionId) ?? null;
}
