/**
 * Handles keys. Pure: takes the UI state and a key, returns the next state and sometimes an effect to carry out.
 *
 * In lists, details and text fields, keys are mapped to actions (actions.ts, keymap.ts). The functions here handle
 * dialogs, which have fixed keys: a line and Enter, or a question and `y`.
 */

import { isRunOver, isTaskOver, isWorkflowOver, type Session } from '../../protocol/index.js';
import { keyWords, spell } from '../input/key-names.js';
import type { Key } from '../input/key-reader.js';
import { EMPTY_LINE, edit, editText, textOf } from '../input/line-editor.js';
import { closedWords } from '../model/items/item-words.js';
import { entryOfItem, isAlive, type Model } from '../model/model.js';
import { type Action, GROUPS, whereIs } from './action.js';
import { ACTIONS, type ActionName } from './actions.js';
import { handleFormKey } from './forms/form.js';
import { handleWorkFormKey } from './forms/work-form.js';
import { readHelp } from './help-acts.js';
import { backToItem, keepDraft, MUTE_MS, send } from './item-acts.js';
import * as lists from './list-acts.js';
import { handlePaletteKey, wheelStep, whereWords, wordsOf } from './palette.js';
import { tag, unmarked, write } from './session-acts.js';
import { sessionRows } from './session-rows.js';
import { shownItems } from './shown.js';
import {
  browse,
  type Effect,
  go,
  type KeyContext,
  type KeyResult,
  type Mode,
  notify,
  renewNotice,
  stay,
  type UiState,
} from './ui-state.js';
import { isWorkList, moveInWork, workIndex } from './work-acts.js';
import * as workflows from './workflow-acts.js';

export function handleKey(ui: UiState, key: Key, context: KeyContext): KeyResult {
  const isClear = ui.notice === null && ui.muted === null && !ui.isUntouched;
  const clear = isClear ? ui : { ...ui, notice: null, muted: null, isUntouched: false };
  if (key.kind === 'ctrl' && key.letter === 'c') return interrupt(clear, context);
  const ignored = ignoreAnswerKeys(ui, key, context);
  if (ignored) return stay(ignored);
  const { mode } = clear;
  switch (mode.kind) {
    case 'browse':
    case 'item':
      return key.kind === 'mouse' ? point(clear, key, context) : act(clear, key, context);
    case 'typing':
      return type(clear, mode, key, context);
    case 'declining':
      return decline(clear, mode, key, context);
    case 'filtering':
      return filter(clear, mode, key);
    case 'renaming':
      return rename(clear, mode, key, context);
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
      return handleWorkFormKey(clear, mode, key, context);
    case 'starting':
      return handleFormKey(clear, mode, key, context);
    case 'palette':
      return handlePaletteKey(clear, mode, key, context);
    case 'help':
      if (key.kind === 'alt' && !mode.isSearching) return escapeAnd(clear, key.text, context);
      return readHelp(clear, mode, key, context);
  }
}

/** In a dialog or a text field, Ctrl-C has the effect of Escape and keeps the draft. Elsewhere it quits the TUI. */
function interrupt(ui: UiState, context: KeyContext): KeyResult {
  const { mode } = ui;
  const { kind } = mode;
  const isReading = mode.kind === 'help' && !mode.isSearching;
  if (kind === 'browse' || kind === 'item' || isReading) return { ui, effect: { kind: 'quit' } };
  // The keys of the text field can be configured, so the action is found by its name.
  const leave = kind === 'typing' ? ACTIONS.find(({ name }) => name === 'cancel') : undefined;
  return leave ? leave.act(ui, context, null) : handleKey(ui, ESCAPE, context);
}

const ESCAPE: Key = { kind: 'named', name: 'escape' };

function act(ui: UiState, key: Key, context: KeyContext): KeyResult {
  const where = whereIs(ui);
  const name = spell(key);
  const action = where === null || name === null ? null : context.keymap.find(where, name);
  if (action) return action.act(ui, context, key);
  if (key.kind === 'alt') return escapeAnd(ui, key.text, context);
  return name === null ? stay(ui) : stay(sayWhere(ui, name, context));
}

/** Shows where a key works that has no meaning in the present view. */
function sayWhere(ui: UiState, key: string, { keymap, at }: KeyContext): UiState {
  const all = (ACTIONS as readonly Action[]).filter(
    ({ name, group }) =>
      group !== 'typing' && name !== 'choose_letter' && keymap.keysOf(name as ActionName).includes(key),
  );
  // A key may have several actions. The message names an action of the lists rather than one of an open item.
  const found = all.find(({ group }) => group !== 'item') ?? all[0];
  if (!found) return notify(ui, `${keyWords(key)} has no meaning here; ${keymap.keyOf('help')} lists the keys`, at);
  const { where } = GROUPS[found.group];
  return notify(ui, `${keyWords(key)} (${wordsOf(found)}) works in ${whereWords(where)}`, at);
}

/**
 * Handles Alt with a character that has no meaning. Terminals send it as Escape followed by the character. Over a slow
 * connection, a typed Escape and a typed character may look the same.
 */
function escapeAnd(ui: UiState, text: string, context: KeyContext): KeyResult {
  const left = handleKey(ui, ESCAPE, context);
  if (left.effect !== null) return left;
  return handleKey(left.ui, { kind: 'char', text }, context);
}

/**
 * Ignores the keys that an answer would have taken if there were an item to answer, including the final Enter. Returns
 * null if the key is a command.
 */
function ignoreAnswerKeys(ui: UiState, key: Key, { at, keymap }: KeyContext): UiState | null {
  const { muted } = ui;
  if (muted === null || at >= muted.until) return null;
  const name = spell(key);
  const isNewline = name !== null && keymap.find('typing', name)?.name === 'newline';
  if (muted.hasText && name === 'Enter') return { ...ui, muted: null };
  if (!isNewline && edit(EMPTY_LINE, key) === null) return null;
  return { ...ui, muted: { until: at + MUTE_MS, hasText: true }, notice: renewNotice(ui, at) };
}

// ── the model changed ───────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Updates the UI state after a change of the model: replaces selected entries that are gone, and closes dialogs whose
 * item, session or other subject is gone or closed.
 */
export function settle(before: UiState, model: Model, at: number): UiState {
  const ui = stopDialog(stopTyping(before, model, at), model, at);
  const items = shownItems(model, ui);
  const sessions = sessionRows(model, ui);
  const itemIndex = indexOf(
    items.map(({ item }) => item.id),
    ui.itemId,
    ui.itemIndex,
  );
  // Until the first key, the first row is selected, also after the order has changed.
  const sessionIndex = ui.isUntouched
    ? 0
    : indexOf(
        sessions.map(({ id }) => id),
        ui.sessionId,
        ui.sessionIndex,
      );
  const itemId = items[itemIndex]?.item.id ?? null;
  const sessionId = sessions[sessionIndex]?.id ?? null;
  const first = items.length > 0 || sessions.length === 0 ? 'inbox' : 'sessions';
  const focus = ui.isUntouched ? first : ui.focus;
  const list = ui.isUntouched ? first : ui.list;
  const marked = stillThere(ui.marked, model);
  const isSame =
    marked === ui.marked &&
    focus === ui.focus &&
    itemId === ui.itemId &&
    sessionId === ui.sessionId &&
    itemIndex === ui.itemIndex &&
    sessionIndex === ui.sessionIndex;
  return isSame ? ui : { ...ui, focus, list, itemId, sessionId, itemIndex, sessionIndex, marked };
}

/** Returns the marks without those of removed sessions. */
function stillThere(marked: ReadonlySet<string>, { sessions }: Model): ReadonlySet<string> {
  if (marked.size === 0) return marked;
  const kept = sessions.filter(({ id }) => marked.has(id)).map(({ id }) => id);
  return kept.length === marked.size ? marked : new Set(kept);
}

function stopTyping(ui: UiState, model: Model, at: number): UiState {
  const { mode } = ui;
  if (mode.kind !== 'typing' && mode.kind !== 'declining') return ui;
  const entry = entryOfItem(model, mode.itemId);
  if (entry?.item.state === 'open') return ui;
  const how = entry ? closedWords(entry) : 'the item was withdrawn';
  const muted = { until: at + MUTE_MS, hasText: true };
  const kept = mode.kind === 'typing' ? keepDraft(ui, mode.itemId, textOf(mode.line)) : ui;
  return notify({ ...backToItem(kept, mode.itemId, at), muted }, how, at, true);
}

function stopDialog(ui: UiState, { sessions, workflows: known, work }: Model, at: number): UiState {
  const { mode } = ui;
  if (mode.kind === 'cancelling_work') {
    const task = mode.what === 'task' ? [work.task, ...work.tasks].find((one) => one?.id === mode.id) : null;
    const run = mode.what === 'run' ? [work.run, ...work.runs].find((one) => one?.id === mode.id) : null;
    const isGoingOn = (task && !isTaskOver(task)) || (run && !isRunOver(run));
    return isGoingOn ? ui : notify(browse(ui), `the ${mode.what} is over`, at, true);
  }
  if (mode.kind === 'cancelling') {
    const run = known.find(({ id }) => id === mode.workflowId);
    return run && !isWorkflowOver(run) ? ui : notify(browse(ui), 'the workflow is over', at, true);
  }
  if (mode.kind === 'resuming') {
    const run = known.find(({ id }) => id === mode.workflowId);
    return run && workflows.mayResume(run) ? ui : notify(browse(ui), 'the workflow goes on already', at, true);
  }
  if (mode.kind !== 'renaming' && mode.kind !== 'confirming' && mode.kind !== 'tagging' && mode.kind !== 'writing')
    return ui;
  const ids = mode.kind === 'renaming' ? [mode.sessionId] : mode.sessionIds;
  const mustLive = mode.kind === 'writing' || (mode.kind === 'confirming' && mode.act === 'kill');
  const fits = (session: Session): boolean => !mustLive || isAlive(session);
  const isThere = sessions.some((session) => ids.includes(session.id) && fits(session));
  const muted = { until: at + MUTE_MS, hasText: true };
  return isThere ? ui : notify({ ...browse(ui), muted }, 'the session has ended', at, true);
}

function indexOf(ids: readonly string[], id: string | null, before: number): number {
  const found = id === null ? -1 : ids.indexOf(id);
  return found >= 0 ? found : Math.max(0, Math.min(before, ids.length - 1));
}

// ── the mouse ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** A click selects; a second click opens. The wheel scrolls the region below the pointer. */
function point(ui: UiState, key: Extract<Key, { kind: 'mouse' }>, context: KeyContext): KeyResult {
  const target = context.targetAt(key.x, key.y);
  if (target === null) return stay(ui);
  if (target.kind === 'item') {
    return key.what === 'click' ? stay(ui) : actBy(ui, key.what === 'wheelup' ? 'PageUp' : 'PageDown', context);
  }
  if (target.kind === 'screen') {
    // As in other terminals, turning the wheel upwards opens the scrollback.
    const { sessionId } = target;
    return key.what === 'wheelup' && sessionId !== null && context.model.connection.kind === 'connected'
      ? { ui, effect: { kind: 'look_back', sessionId } }
      : stay(ui);
  }
  if (target.kind === 'table') return pointAtTable(browse(ui), key, target.index, context);
  if (ui.mode.kind === 'item') return target.kind === 'list' ? pointAt(browse(ui), key, target, context) : stay(ui);
  return target.kind === 'list' ? pointAt(ui, key, target, context) : stay(ui);
}

const actBy = (ui: UiState, key: 'PageUp' | 'PageDown', context: KeyContext): KeyResult =>
  act(ui, { kind: 'named', name: key === 'PageUp' ? 'pageup' : 'pagedown' }, context);

function pointAt(
  ui: UiState,
  { what }: Extract<Key, { kind: 'mouse' }>,
  { list, index }: { readonly list: UiState['focus']; readonly index: number | null },
  context: KeyContext,
): KeyResult {
  const { model } = context;
  const there = lists.focusOn(ui, list);
  if (what !== 'click') return stay(lists.move(there, wheelStep(what), model));
  if (index === null || list === 'feed') return stay(there);
  const isAgain = ui.focus === list && index === (list === 'inbox' ? ui.itemIndex : ui.sessionIndex);
  if (isAgain) return act(there, { kind: 'named', name: 'enter' }, context);
  return stay(lists.move(there, index - (list === 'inbox' ? there.itemIndex : there.sessionIndex), model));
}

function pointAtTable(
  ui: UiState,
  { what }: Extract<Key, { kind: 'mouse' }>,
  index: number | null,
  context: KeyContext,
): KeyResult {
  const { model } = context;
  const isWork = isWorkList(ui.view);
  const move = isWork ? moveInWork : workflows.moveInView;
  if (what !== 'click') return stay(move(ui, wheelStep(what), model));
  if (index === null) return stay(ui);
  const selected = isWork
    ? workIndex(ui, model)
    : ui.view === 'workflow'
      ? workflows.stepIndex(ui, model)
      : workflows.workflowIndex(ui, model);
  if (index === selected) return act(ui, { kind: 'named', name: 'enter' }, context);
  return stay(move(ui, index - selected, model));
}

// ── dialogs ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function type(ui: UiState, mode: Extract<Mode, { kind: 'typing' }>, key: Key, context: KeyContext): KeyResult {
  const name = spell(key);
  const action = name === null ? null : context.keymap.find('typing', name);
  if (action) return action.act(ui, context, key);
  const line = editText(mode.line, key);
  return line ? go(ui, { ...mode, line }) : stay(ui);
}

function decline(ui: UiState, mode: Extract<Mode, { kind: 'declining' }>, key: Key, { at }: KeyContext): KeyResult {
  return isYes(key) ? send(ui, mode.itemId, { decline: true }, at) : stay(backToItem(ui, mode.itemId, at));
}

const isYes = (key: Key): boolean => key.kind === 'char' && key.text === 'y';

/** The list is filtered at every key. Enter keeps the filter, Escape removes it. */
function filter(ui: UiState, mode: Extract<Mode, { kind: 'filtering' }>, key: Key): KeyResult {
  const put = (text: string): UiState => ({
    ...ui,
    filters: { ...ui.filters, [mode.list]: text },
    ...(mode.list === 'feed' && { feedSeq: null }),
  });
  switch (spell(key)) {
    case 'Escape':
      return stay(browse(put('')));
    case 'Enter':
      return stay(browse(put(textOf(mode.line).trim())));
    default: {
      const line = edit(mode.line, key);
      return line === null ? stay(ui) : go(put(textOf(line)), { ...mode, line });
    }
  }
}

function rename(ui: UiState, mode: Extract<Mode, { kind: 'renaming' }>, key: Key, { at }: KeyContext): KeyResult {
  switch (spell(key)) {
    case 'Escape':
      return stay(browse(ui));
    case 'Enter': {
      const name = textOf(mode.line).trim();
      if (name === '') return stay(notify(ui, 'a session needs a name', at, true));
      return { ui: browse(ui), effect: { kind: 'rename', request: { session: mode.sessionId, name } } };
    }
    default: {
      const line = edit(mode.line, key);
      return line === null ? stay(ui) : go(ui, { ...mode, line });
    }
  }
}

/** `y` runs the effect; every other key cancels. */
const confirm = (ui: UiState, key: Key, effect: Effect): KeyResult => ({
  ui: browse(ui),
  effect: isYes(key) ? effect : null,
});
