/** The actions on sessions: a part of the table in actions.ts, in the order of help. */

import { type Action, action } from './action.js';
import * as lists from './list-acts.js';
import * as sessions from './session-acts.js';
import * as work from './work-acts.js';

export const SESSION_ACTIONS = [
  action('attach', 'sessions', ['Enter'], {
    hint: 'attach',
    words: 'open it: sit at its terminal; look back at an ended one; fold or open a group',
    act: (ui, context) => sessions.openRow(ui, context) ?? lists.attach(ui, ui.sessionId, context),
  }),
  action('item', 'sessions', ['i'], { hint: 'item', words: 'its oldest open item', act: lists.goToItem }),
  action('look_back', 'screen', ['['], {
    hint: 'look back',
    yields: true,
    words: 'look back at all that its program has printed: scroll, search, copy; so does the wheel on its screen',
    act: sessions.lookBack,
  }),
  action('diff', 'sessions', ['D'], {
    hint: 'diff',
    yields: true,
    words: 'what it has changed in its git repository: files, and the patch in colours',
    act: sessions.showDiff,
  }),
  action('grid', 'lists', ['G'], {
    hint: 'grid',
    yields: true,
    words: 'the screens of those that wait and those you marked, side by side; of all if that is less than two',
    act: sessions.showGrid,
  }),
  action('mark', 'session_list', ['Space'], {
    hint: 'mark',
    yields: true,
    words: 'mark it, or remove the mark: what follows acts on all that are marked; Esc removes the marks',
    act: sessions.mark,
  }),
  action('rename', 'sessions', ['r'], { hint: 'rename', words: 'give it another name', act: sessions.startRename }),
  action('tag', 'sessions', ['T'], {
    hint: 'tags',
    yields: true,
    words: 'change its tags, by which the list is grouped and filtered',
    act: sessions.startTagging,
  }),
  action('send_text', 'sessions', ['S'], {
    hint: 'type',
    yields: true,
    words: 'type a line into it, then Enter, without opening it; into all that are marked',
    act: sessions.startWriting,
  }),
  action('restart_session', 'sessions', ['R'], {
    hint: 'start again',
    yields: true,
    words: 'start its program again; agents continue their conversation. One that runs is ended first, after y',
    act: sessions.actOn('restart'),
  }),
  action('kill', 'sessions', ['K'], { hint: 'kill', words: 'end its program, after y', act: sessions.actOn('kill') }),
  action('remove_session', 'sessions', ['X', 'Delete'], {
    hint: 'remove',
    yields: true,
    words: 'remove an ended session with its journal, after y; for five minutes u brings it back',
    act: sessions.actOn('remove'),
  }),
  action('restore_session', 'sessions', ['u'], {
    hint: 'undo the removal',
    yields: true,
    words: 'bring back the session that was removed last, within five minutes',
    act: (ui) => ({ ui, effect: { kind: 'restore' } }),
  }),
  action('export_session', 'sessions', ['E'], {
    hint: 'export',
    yields: true,
    words: 'export it as a recording, to a file in the folder in which orchd was started',
    act: sessions.actOn('export'),
  }),
  action('session_details', 'sessions', ['d'], {
    hint: 'details',
    yields: true,
    words: 'all that is known of it: state, size, progress, errors, results, its messages in full',
    act: work.showSession,
  }),
  action('sort_sessions', 'session_list', ['s'], {
    hint: 'sort',
    yields: true,
    words: 'another order: those that wait first, by age, by name',
    act: sessions.nextOrder,
  }),
  action('group_sessions', 'session_list', ['v'], {
    hint: 'group',
    yields: true,
    words: 'group them by project, by program or by tag, or not at all',
    act: sessions.nextGrouping,
  }),
  action('fold', 'session_list', ['c'], {
    hint: 'fold',
    yields: true,
    words: 'fold the group, or open it; ended sessions are a group',
    act: sessions.fold,
  }),
] as const satisfies readonly Action[];
