/**
 * Handles keys. Pure: takes a place and a key, returns the next place and sometimes an effect to carry out.
 *
 * In lists, details and text fields, keys are mapped to actions (actions.ts, keymap.ts). The functions here handle
 * dialogs, which have fixed keys: a line and Enter, or a question and `y`.
 */

import { isRunOver, isTaskOver, type Session } from '../../../protocol/index.js';
import { steerForm } from '../../input/form.js';
import { keyWords, spell } from '../../input/key-names.js';
import type { Key } from '../../input/key-reader.js';
import { EMPTY_LINE, edit, editText, textOf } from '../../input/line-editor.js';
import { steerPalette, wheelStep, whereWords, wordsOf } from '../../input/palette.js';
import { steerWorkForm } from '../../work/form/work-form.js';
import { isWorkList, moveInWork, workIndex } from '../../work/work-acts.js';
import * as workflows from '../../workflow/workflow-acts.js';
import { isOver } from '../../workflow/workflow-model.js';
import { closedWords } from '../items/item-words.js';
import { isAlive, type Model } from '../model.js';
import {
  browse,
  type Effect,
  go,
  type Mode,
  notify,
  type Place,
  renewNotice,
  type Steered,
  type Surroundings,
  stay,
} from '../place.js';
import { sessionRows } from '../session-rows.js';
import { shownItems } from '../shown.js';
import { ACTIONS, type Action, type ActionName, GROUPS, whereIs } from './actions.js';
import { readHelp } from './help-acts.js';
import { backToItem, keepDraft, MUTE_MS, send } from './item-acts.js';
import * as lists from './list-acts.js';
import { tag, unmarked, write } from './session-acts.js';

export function steer(place: Place, key: Key, surroundings: Surroundings): Steered {
  const isClear = place.notice === null && place.muted === null && !place.isUntouched;
  const clear = isClear ? place : { ...place, notice: null, muted: null, isUntouched: false };
  if (key.kind === 'ctrl' && key.letter === 'c') return interrupt(clear, surroundings);
  const ignored = ignoreAnswerKeys(place, key, surroundings.at);
  if (ignored) return stay(ignored);
  const { mode } = clear;
  switch (mode.kind) {
    case 'browse':
    case 'item':
      return key.kind === 'mouse' ? point(clear, key, surroundings) : act(clear, key, surroundings);
    case 'typing':
      return type(clear, mode, key, surroundings);
    case 'declining':
      return decline(clear, mode, key, surroundings);
    case 'filtering':
      return filter(clear, mode, key);
    case 'renaming':
      return rename(clear, mode, key, surroundings);
    case 'tagging':
      return tag(clear, mode, key);
    case 'writing':
      return write(clear, mode, key);
    case 'confirming': {
      const { act, sessionIds } = mode;
      return confirm(isYes(key) ? unmarked(clear) : clear, key, { kind: 'sessions', act, sessionIds });
    }
    case 'cancelling':
      return confirm(clear, key, { kind: 'cancel_workflow', workflowId: mode.workflowId });
    case 'resuming':
      return confirm(clear, key, { kind: 'resume_workflow', workflowId: mode.workflowId, from: mode.stepId });
    case 'cancelling_work':
      return confirm(
        clear,
        key,
        mode.what === 'task'
          ? { kind: 'task', act: 'cancel', taskId: mode.id }
          : { kind: 'run', act: 'cancel', runId: mode.id },
      );
    case 'filling':
      return steerWorkForm(clear, mode, key, surroundings);
    case 'starting':
      return steerForm(clear, mode, key, surroundings);
    case 'palette':
      return steerPalette(clear, mode, key, surroundings);
    case 'help':
      return readHelp(clear, mode, key, surroundings);
  }
}

/** In a dialog or a text field, Ctrl-C has the effect of Escape and keeps the draft. Elsewhere it quits the TUI. */
function interrupt(place: Place, surroundings: Surroundings): Steered {
  const { mode } = place;
  const { kind } = mode;
  const isReading = mode.kind === 'help' && !mode.isSearching;
  if (kind === 'browse' || kind === 'item' || isReading) return { place, effect: { kind: 'quit' } };
  // The keys of the text field can be configured, so the action is found by its name.
  const leave = kind === 'typing' ? ACTIONS.find(({ name }) => name === 'cancel') : undefined;
  return leave ? leave.act(place, surroundings, null) : steer(place, ESCAPE, surroundings);
}

const ESCAPE: Key = { kind: 'named', name: 'escape' };

function act(place: Place, key: Key, surroundings: Surroundings): Steered {
  const where = whereIs(place);
  const name = spell(key);
  const action = where === null || name === null ? null : surroundings.keymap.find(where, name);
  if (action) return action.act(place, surroundings, key);
  if (key.kind === 'alt') return escapeAnd(place, key.text, surroundings);
  return name === null ? stay(place) : stay(sayWhere(place, name, surroundings));
}

/** Shows where a key works that has no meaning in the present place. */
function sayWhere(place: Place, key: string, { keymap, at }: Surroundings): Place {
  const all = (ACTIONS as readonly Action[]).filter(
    ({ name, group }) =>
      group !== 'typing' && name !== 'choose_letter' && keymap.keysOf(name as ActionName).includes(key),
  );
  // A key may have several actions. The message names an action of the lists rather than one of an open item.
  const found = all.find(({ group }) => group !== 'item') ?? all[0];
  if (!found) return notify(place, `${keyWords(key)} has no meaning here; ${keymap.keyOf('help')} lists the keys`, at);
  const { where } = GROUPS[found.group];
  return notify(place, `${keyWords(key)} (${wordsOf(found)}) works in ${whereWords(where)}`, at);
}

/**
 * Handles Alt with a character that has no meaning. Terminals send it as Escape followed by the character. Over a slow
 * connection, a typed Escape and a typed character may look the same.
 */
function escapeAnd(place: Place, text: string, surroundings: Surroundings): Steered {
  const left = act(place, ESCAPE, surroundings);
  if (left.effect !== null) return left;
  return steer(left.place, { kind: 'char', text }, surroundings);
}

/**
 * Ignores the keys that an answer would have taken if there were an item to answer, including the final Enter. Returns
 * null if the key is a command.
 */
function ignoreAnswerKeys(place: Place, key: Key, at: number): Place | null {
  const { muted } = place;
  if (muted === null || at >= muted.until) return null;
  if (muted.hasText && key.kind === 'named' && key.name === 'enter') return { ...place, muted: null };
  if (edit(EMPTY_LINE, key) === null) return null;
  return { ...place, muted: { until: at + MUTE_MS, hasText: true }, notice: renewNotice(place, at) };
}

// ── the model changed ───────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Updates the place after a change of the model: replaces selected entries that are gone, and closes dialogs whose
 * item, session or other subject is gone or closed.
 */
export function settle(before: Place, model: Model, at: number): Place {
  const place = stopDialog(stopTyping(before, model, at), model, at);
  const items = shownItems(model, place);
  const sessions = sessionRows(model, place);
  const itemIndex = indexOf(
    items.map(({ item }) => item.id),
    place.itemId,
    place.itemIndex,
  );
  // Until the first key, the first row is selected, also after the order has changed.
  const sessionIndex = place.isUntouched
    ? 0
    : indexOf(
        sessions.map(({ id }) => id),
        place.sessionId,
        place.sessionIndex,
      );
  const itemId = items[itemIndex]?.item.id ?? null;
  const sessionId = sessions[sessionIndex]?.id ?? null;
  const first = items.length > 0 || sessions.length === 0 ? 'inbox' : 'sessions';
  const focus = place.isUntouched ? first : place.focus;
  const list = place.isUntouched ? first : place.list;
  const marked = stillThere(place.marked, model);
  const isSame =
    marked === place.marked &&
    focus === place.focus &&
    itemId === place.itemId &&
    sessionId === place.sessionId &&
    itemIndex === place.itemIndex &&
    sessionIndex === place.sessionIndex;
  return isSame ? place : { ...place, focus, list, itemId, sessionId, itemIndex, sessionIndex, marked };
}

/** Returns the marks without those of removed sessions. */
function stillThere(marked: ReadonlySet<string>, { sessions }: Model): ReadonlySet<string> {
  if (marked.size === 0) return marked;
  const kept = sessions.filter(({ id }) => marked.has(id)).map(({ id }) => id);
  return kept.length === marked.size ? marked : new Set(kept);
}

function stopTyping(place: Place, { items }: Model, at: number): Place {
  const { mode } = place;
  if (mode.kind !== 'typing' && mode.kind !== 'declining') return place;
  const entry = items.find(({ item }) => item.id === mode.itemId);
  if (entry?.item.state === 'open') return place;
  const how = entry ? closedWords(entry) : 'the item was withdrawn';
  const muted = { until: at + MUTE_MS, hasText: true };
  const kept = mode.kind === 'typing' ? keepDraft(place, mode.itemId, textOf(mode.line)) : place;
  return notify({ ...backToItem(kept, mode.itemId, at), muted }, how, at, true);
}

function stopDialog(place: Place, { sessions, workflows: known, work }: Model, at: number): Place {
  const { mode } = place;
  if (mode.kind === 'cancelling_work') {
    const task = mode.what === 'task' ? [work.task, ...work.tasks].find((one) => one?.id === mode.id) : null;
    const run = mode.what === 'run' ? [work.run, ...work.runs].find((one) => one?.id === mode.id) : null;
    const isGoingOn = (task && !isTaskOver(task)) || (run && !isRunOver(run));
    return isGoingOn ? place : notify(browse(place), `the ${mode.what} is over`, at, true);
  }
  if (mode.kind === 'cancelling') {
    const run = known.find(({ id }) => id === mode.workflowId);
    return run && !isOver(run) ? place : notify(browse(place), 'the workflow is over', at, true);
  }
  if (mode.kind === 'resuming') {
    const run = known.find(({ id }) => id === mode.workflowId);
    return run && workflows.mayResume(run) ? place : notify(browse(place), 'the workflow goes on already', at, true);
  }
  if (mode.kind !== 'renaming' && mode.kind !== 'confirming' && mode.kind !== 'tagging' && mode.kind !== 'writing')
    return place;
  const ids = mode.kind === 'renaming' ? [mode.sessionId] : mode.sessionIds;
  const mustLive = mode.kind === 'writing' || (mode.kind === 'confirming' && mode.act === 'kill');
  const fits = (session: Session): boolean => !mustLive || isAlive(session);
  const isThere = sessions.some((session) => ids.includes(session.id) && fits(session));
  const muted = { until: at + MUTE_MS, hasText: true };
  return isThere ? place : notify({ ...browse(place), muted }, 'the session has ended', at, true);
}

function indexOf(ids: readonly string[], id: string | null, before: number): number {
  const found = id === null ? -1 : ids.indexOf(id);
  return found >= 0 ? found : Math.max(0, Math.min(before, ids.length - 1));
}

// ── the mouse ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** A click selects; a second click opens. The wheel scrolls the region below the pointer. */
function point(place: Place, key: Extract<Key, { kind: 'mouse' }>, surroundings: Surroundings): Steered {
  const target = surroundings.targetAt(key.x, key.y);
  if (target === null) return stay(place);
  if (target.kind === 'item') {
    return key.what === 'click'
      ? stay(place)
      : actBy(place, key.what === 'wheelup' ? 'PageUp' : 'PageDown', surroundings);
  }
  if (target.kind === 'screen') {
    // As in other terminals, turning the wheel upwards opens the scrollback.
    const { sessionId } = target;
    return key.what === 'wheelup' && sessionId !== null && surroundings.model.connection.kind === 'connected'
      ? { place, effect: { kind: 'look_back', sessionId } }
      : stay(place);
  }
  if (target.kind === 'table') return pointAtTable(browse(place), key, target.index, surroundings);
  if (place.mode.kind === 'item')
    return target.kind === 'list' ? pointAt(browse(place), key, target, surroundings) : stay(place);
  return target.kind === 'list' ? pointAt(place, key, target, surroundings) : stay(place);
}

const actBy = (place: Place, key: 'PageUp' | 'PageDown', surroundings: Surroundings): Steered =>
  act(place, { kind: 'named', name: key === 'PageUp' ? 'pageup' : 'pagedown' }, surroundings);

function pointAt(
  place: Place,
  { what }: Extract<Key, { kind: 'mouse' }>,
  { list, index }: { readonly list: Place['focus']; readonly index: number | null },
  surroundings: Surroundings,
): Steered {
  const { model } = surroundings;
  const there = lists.focusOn(place, list);
  if (what !== 'click') return stay(lists.move(there, wheelStep(what), model));
  if (index === null || list === 'feed') return stay(there);
  const isAgain = place.focus === list && index === (list === 'inbox' ? place.itemIndex : place.sessionIndex);
  if (isAgain) return act(there, { kind: 'named', name: 'enter' }, surroundings);
  return stay(lists.move(there, index - (list === 'inbox' ? there.itemIndex : there.sessionIndex), model));
}

function pointAtTable(
  place: Place,
  { what }: Extract<Key, { kind: 'mouse' }>,
  index: number | null,
  surroundings: Surroundings,
): Steered {
  const { model } = surroundings;
  const isWork = isWorkList(place.view);
  const move = isWork ? moveInWork : workflows.moveInView;
  if (what !== 'click') return stay(move(place, wheelStep(what), model));
  if (index === null) return stay(place);
  const selected = isWork
    ? workIndex(place, model)
    : place.view === 'workflow'
      ? workflows.stepIndex(place, model)
      : workflows.workflowIndex(place, model);
  if (index === selected) return act(place, { kind: 'named', name: 'enter' }, surroundings);
  return stay(move(place, index - selected, model));
}

// ── dialogs ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function type(place: Place, mode: Extract<Mode, { kind: 'typing' }>, key: Key, surroundings: Surroundings): Steered {
  const name = spell(key);
  const action = name === null ? null : surroundings.keymap.find('typing', name);
  if (action) return action.act(place, surroundings, key);
  const line = editText(mode.line, key);
  return line ? go(place, { ...mode, line }) : stay(place);
}

function decline(place: Place, mode: Extract<Mode, { kind: 'declining' }>, key: Key, { at }: Surroundings): Steered {
  return isYes(key) ? send(place, mode.itemId, { decline: true }, at) : stay(backToItem(place, mode.itemId, at));
}

const isYes = (key: Key): boolean => key.kind === 'char' && key.text === 'y';

/** The list is filtered at every key. Enter keeps the filter, Escape removes it. */
function filter(place: Place, mode: Extract<Mode, { kind: 'filtering' }>, key: Key): Steered {
  const put = (text: string): Place => ({
    ...place,
    filters: { ...place.filters, [mode.list]: text },
    ...(mode.list === 'feed' && { feedSeq: null }),
  });
  switch (spell(key)) {
    case 'Escape':
      return stay(browse(put('')));
    case 'Enter':
      return stay(browse(put(textOf(mode.line).trim())));
    default: {
      const line = edit(mode.line, key);
      return line === null ? stay(place) : go(put(textOf(line)), { ...mode, line });
    }
  }
}

function rename(place: Place, mode: Extract<Mode, { kind: 'renaming' }>, key: Key, { at }: Surroundings): Steered {
  switch (spell(key)) {
    case 'Escape':
      return stay(browse(place));
    case 'Enter': {
      const name = textOf(mode.line).trim();
      if (name === '') return stay(notify(place, 'a session needs a name', at, true));
      return { place: browse(place), effect: { kind: 'rename', request: { session: mode.sessionId, name } } };
    }
    default: {
      const line = edit(mode.line, key);
      return line === null ? stay(place) : go(place, { ...mode, line });
    }
  }
}

/** `y` runs the effect; every other key cancels. */
const confirm = (place: Place, key: Key, effect: Effect): Steered => ({
  place: browse(place),
  effect: isYes(key) ? effect : null,
});
