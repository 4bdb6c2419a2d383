/** The labels that a person gives a session: its name and its tags. Pure. */
import type { Draft } from './draft.js';

export function rename(draft: Draft, name: string, time: number): void {
  draft.emit('session_renamed', time, { name, previous: draft.session.name });
  draft.session = { ...draft.session, name };
  draft.changeItems(
    () => true,
    (entry) => ({ ...entry, item: { ...entry.item, session_name: name } }),
  );
}

export function takeTags(draft: Draft, wanted: readonly string[], time: number): void {
  const tags = [...new Set(wanted)].sort();
  const { tags: before = [], ...session } = draft.session;
  if (tags.join('\n') === before.join('\n')) {
    draft.because('the session has these tags already');
    return;
  }
  draft.session = tags.length === 0 ? session : { ...session, tags };
  draft.emit('session_tagged', time, { tags });
}
