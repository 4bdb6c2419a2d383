/** The actions on sessions: a part of the table in actions.ts, in the order of help. */
import * as work from '../work/work-acts.js';
import type { Action } from './actions.js';
import * as lists from './list-acts.js';
import * as sessions from './session-acts.js';

export const SESSION_ACTIONS = [
  {
    ...{ name: 'attach', group: 'sessions', keys: ['Enter'], hint: 'attach' },
    words: 'open it: sit at its terminal; look back at an ended one; fold or open a group',
    act: (place, surroundings) =>
      sessions.openRow(place, surroundings) ?? lists.attach(place, place.sessionId, surroundings),
  },
  {
    ...{ name: 'item', group: 'sessions', keys: ['i'], hint: 'item', words: 'its oldest open item' },
    act: lists.goToItem,
  },
  {
    ...{ name: 'look_back', group: 'screen', keys: ['['], hint: 'look back', yields: true },
    words: 'look back at all that its program has printed: scroll, search, copy; so does the wheel on its screen',
    act: sessions.lookBack,
  },
  {
    ...{ name: 'diff', group: 'sessions', keys: ['D'], hint: 'diff', yields: true },
    words: 'what it has changed in its git repository: files, and the patch in colours',
    act: sessions.showDiff,
  },
  {
    ...{ name: 'grid', group: 'lists', keys: ['G'], hint: 'grid', yields: true },
    words: 'the screens of those that wait and those you marked, side by side; of all if that is less than two',
    act: sessions.showGrid,
  },
  {
    ...{ name: 'mark', group: 'session_list', keys: ['Space'], hint: 'mark', yields: true },
    words: 'mark it, or remove the mark: what follows acts on all that are marked; Esc removes the marks',
    act: sessions.mark,
  },
  {
    ...{ name: 'rename', group: 'sessions', keys: ['r'], hint: 'rename', words: 'give it another name' },
    act: sessions.startRename,
  },
  {
    ...{ name: 'tag', group: 'sessions', keys: ['T'], hint: 'tags', yields: true },
    words: 'change its tags, by which the list is grouped and filtered',
    act: sessions.startTagging,
  },
  {
    ...{ name: 'send_text', group: 'sessions', keys: ['S'], hint: 'type', yields: true },
    words: 'type a line into it, then Enter, without opening it; into all that are marked',
    act: sessions.startWriting,
  },
  {
    ...{ name: 'restart_session', group: 'sessions', keys: ['R'], hint: 'start again', yields: true },
    words: 'start its program again; agents continue their conversation. One that runs is ended first, after y',
    act: sessions.actOn('restart'),
  },
  {
    ...{ name: 'kill', group: 'sessions', keys: ['K'], hint: 'kill', words: 'end its program, after y' },
    act: sessions.actOn('kill'),
  },
  {
    ...{ name: 'remove_session', group: 'sessions', keys: ['X', 'Delete'], hint: 'remove', yields: true },
    words: 'remove an ended session with its journal, after y; for five minutes u brings it back',
    act: sessions.actOn('remove'),
  },
  {
    ...{ name: 'restore_session', group: 'sessions', keys: ['u'], hint: 'undo the removal', yields: true },
    words: 'bring back the session that was removed last, within five minutes',
    act: (place) => ({ place, effect: { kind: 'restore' } }),
  },
  {
    ...{ name: 'export_session', group: 'sessions', keys: ['E'], hint: 'export', yields: true },
    words: 'export it as a recording, to a file in the folder in which orchd was started',
    act: sessions.actOn('export'),
  },
  {
    ...{ name: 'session_details', group: 'sessions', keys: ['d'], hint: 'details', yields: true },
    words: 'all that is known of it: state, size, progress, errors, results, its messages in full',
    act: work.showSession,
  },
  {
    ...{ name: 'sort_sessions', group: 'session_list', keys: ['s'], hint: 'sort', yields: true },
    words: 'another order: those that wait first, by age, by name',
    act: sessions.nextOrder,
  },
  {
    ...{ name: 'group_sessions', group: 'session_list', keys: ['v'], hint: 'group', yields: true },
    words: 'group them by project, by program or by tag, or not at all',
    act: sessions.nextGrouping,
  },
  {
    ...{ name: 'fold', group: 'session_list', keys: ['c'], hint: 'fold', yields: true },
    words: 'fold the group, or open it; ended sessions are a group',
    act: sessions.fold,
  },
] as const satisfies readonly Action[];
