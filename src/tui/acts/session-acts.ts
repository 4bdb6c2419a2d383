/**
 * The actions on sessions: looking back, marking, ending, starting again, removing, exporting; and the order, the
 * groups and the folds of their list. Pure; session-actions.ts assigns the keys.
 *
 * If sessions are marked, an action in the list acts on all of them, otherwise on the selected one.
 */
import { MAX_SCREENS, SESSION_ACTS, type Session, type SessionAct } from '../../protocol/index.js';
import { spell } from '../input/key-names.js';
import type { Key } from '../input/key-reader.js';
import { EMPTY_LINE, edit, lineOf, textOf } from '../input/line-editor.js';
import { entryOfItem, isAlive, type Model, openCounts } from '../model/model.js';
import type { OtherSession } from '../model/other-machines.js';
import { plainLine } from '../paint/text.js';
import { MUTE_MS } from './item-acts.js';
import { move } from './list-acts.js';
import { isGroup, sessionRows } from './session-rows.js';
import { browse, go, type KeyContext, type KeyResult, type Mode, notify, stay, type UiState } from './ui-state.js';

/** Returns the sessions that an action applies to: the marked ones, else the selected one. */
export function targetsOf(ui: UiState, model: Model): readonly Session[] {
  const isMarked = ui.view === 'lists' && ui.marked.size > 0;
  return model.sessions.filter(({ id }) => (isMarked ? ui.marked.has(id) : id === ui.sessionId));
}

/**
 * Shows why an action on a session has no effect.
 *
 * @param command  The command that does it for a session of another machine, with S in the place of the session.
 *   Default: no command does it.
 */
export function nothingHere(ui: UiState, { others }: Model, at: number, command?: string): KeyResult {
  const other = others.find(({ session }) => session.id === ui.sessionId);
  const words = other
    ? wordsThere(other, command)
    : isGroup(ui.sessionId)
      ? 'this is a group: select one of its sessions, or Space marks all of them'
      : 'there is no session to act on';
  return stay(notify(ui, words, at));
}

function wordsThere({ machine, session }: OtherSession, command: string | undefined): string {
  const name = plainLine(`${machine}/${session.name}`);
  if (command === undefined) return `${name} is on another machine, and this works on its own machine only`;
  return `${name} is on another machine: \`${command.replace('S', () => name)}\` does it`;
}

/** Returns the session of the item or of the row that is selected. */
function sessionHere({ mode, view, list, itemId, sessionId }: UiState, model: Model): string | null {
  const id = 'itemId' in mode ? mode.itemId : view === 'lists' && list === 'inbox' ? itemId : null;
  return id === null ? sessionId : (entryOfItem(model, id)?.item.session_id ?? null);
}

export function lookBack(ui: UiState, { model, at }: KeyContext): KeyResult {
  const id = sessionHere(ui, model);
  const session = model.sessions.find((one) => one.id === id);
  if (!session) return nothingHere(ui, model, at, 'orchd capture S --scrollback 1000');
  if (model.connection.kind !== 'connected') return stay(notify(ui, 'the daemon is away', at, true));
  return { ui, effect: { kind: 'look_back', sessionId: session.id } };
}

export function showDiff(ui: UiState, { model, at }: KeyContext): KeyResult {
  const id = sessionHere(ui, model);
  const session = model.sessions.find((one) => one.id === id);
  if (!session) return nothingHere(ui, model, at);
  if (model.connection.kind !== 'connected') return stay(notify(ui, 'the daemon is away', at, true));
  return { ui, effect: { kind: 'diff', sessionId: session.id } };
}

/** Shows the waiting and the marked sessions side by side. If these are fewer than two, shows all sessions. */
export function showGrid(ui: UiState, { model, at }: KeyContext): KeyResult {
  if (model.connection.kind !== 'connected') return stay(notify(ui, 'the daemon is away', at, true));
  const living = model.sessions.filter((session) => isAlive(session) && session.mode !== 'batch');
  const open = openCounts(model.items);
  const wanted = living.filter(({ id }) => ui.marked.has(id) || (open.get(id) ?? 0) > 0);
  const shown = wanted.length > 1 ? wanted : living; // one alone is shown by attaching
  if (shown.length === 0) return stay(notify(ui, 'no session runs', at));
  const sessionIds = shown.slice(0, MAX_SCREENS).map(({ id }) => id);
  return { ui: unmarked(ui), effect: { kind: 'grid', sessionIds } };
}

// ── marks ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Marks the selected session, or removes its mark, and moves down. On a header, it marks the whole group, even if it is
 * folded.
 */
export function mark(ui: UiState, { model }: KeyContext): KeyResult {
  const row = sessionRows(model, ui).find(({ id }) => id === ui.sessionId);
  if (!row) return stay(ui);
  const ids = row.kind === 'session' ? [row.id] : row.members;
  const isOn = ids.every((id) => ui.marked.has(id));
  const marked = new Set(ui.marked);
  for (const id of ids) {
    if (isOn) marked.delete(id);
    else marked.add(id);
  }
  return stay(move({ ...ui, marked }, 1, model));
}

// ── acts ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The commands for a session of another machine. */
const THERE: Partial<Readonly<Record<SessionAct, string>>> = { kill: 'orchd kill S', remove: 'orchd rm S' };

/** For an act that is not possible now: names the key to press first. */
const FIRST: Partial<Readonly<Record<SessionAct, string>>> = { remove: '; K ends it first' };

/**
 * Applies an action to the sessions that allow it. If the action ends or removes something, the person must confirm
 * with `y`.
 */
export const actOn =
  (act: SessionAct) =>
  (ui: UiState, { model, at }: KeyContext): KeyResult => {
    const all = targetsOf(ui, model);
    const [first] = all;
    if (!first) return nothingHere(ui, model, at, THERE[act]);
    const { fits, unfit, asks } = SESSION_ACTS[act];
    const fitting = all.filter(fits);
    if (fitting.length === 0) {
      const who = all.length === 1 ? plainLine(first.name) : `each of the ${all.length}`;
      return stay(notify(ui, `${who} ${unfit}${FIRST[act] ?? ''}`, at));
    }
    const sessionIds = fitting.map(({ id }) => id);
    if (asks(fitting)) return go(ui, { kind: 'confirming', act, sessionIds });
    const told = act === 'export' ? notify(ui, 'exporting …', at) : ui; // writing a long journal takes seconds
    return { ui: unmarked(told), effect: { kind: 'sessions', act, sessionIds } };
  };

export const unmarked = (ui: UiState): UiState => (ui.marked.size === 0 ? ui : { ...ui, marked: new Set() });

/** Starts typing a name. Several marked sessions cannot have the same one. */
export function startRename(ui: UiState, { model, at }: KeyContext): KeyResult {
  const [session, ...more] = targetsOf(ui, model);
  if (!session) return nothingHere(ui, model, at, 'orchd rename S NAME');
  if (more.length > 0) {
    const words = `${more.length + 1} sessions are marked, and a name is for one: Esc removes the marks`;
    return stay(notify(ui, words, at));
  }
  return go(ui, { kind: 'renaming', sessionId: session.id, line: lineOf(plainLine(session.name)) });
}

/** Starts typing a line for the living sessions among the targets. */
export function startWriting(ui: UiState, { model, at }: KeyContext): KeyResult {
  const all = targetsOf(ui, model);
  const [first] = all;
  // The letters that follow are a text for the session, and no keys.
  const refused = (to: UiState): KeyResult => stay({ ...to, muted: { until: at + MUTE_MS, hasText: false } });
  if (!first) return refused(nothingHere(ui, model, at, 'orchd send S TEXT').ui);
  const sessionIds = all.filter((one) => isAlive(one) && one.mode !== 'batch').map(({ id }) => id);
  if (sessionIds.length > 0) return go(ui, { kind: 'writing', sessionIds, line: EMPTY_LINE });
  const who = all.length === 1 ? plainLine(first.name) : `each of the ${all.length}`;
  return refused(notify(ui, `${who} takes no input`, at));
}

/** Handles keys while a line for sessions is typed. Enter sends it. */
export function write(ui: UiState, mode: Extract<Mode, { kind: 'writing' }>, key: Key): KeyResult {
  const { sessionIds, line } = mode;
  switch (spell(key)) {
    case 'Escape':
      return stay(browse(ui));
    case 'Enter':
      return { ui: unmarked(browse(ui)), effect: { kind: 'send', sessionIds, text: textOf(line) } };
    default: {
      const next = edit(line, key);
      return next === null ? stay(ui) : go(ui, { ...mode, line: next });
    }
  }
}

/** Starts typing the tags of a session. For several marked sessions, these are the tags that all of them have. */
export function startTagging(ui: UiState, { model, at }: KeyContext): KeyResult {
  const all = targetsOf(ui, model);
  const [first] = all;
  if (!first) return nothingHere(ui, model, at, 'orchd tag S TAG');
  const before = (first.tags ?? []).filter((tag) => all.every(({ tags }) => tags?.includes(tag)));
  const line = lineOf(before.length === 0 ? '' : `${before.join(' ')} `);
  return go(ui, { kind: 'tagging', sessionIds: all.map(({ id }) => id), before, line });
}

/** Handles keys while tags are typed. Enter applies the added and removed tags. */
export function tag(ui: UiState, mode: Extract<Mode, { kind: 'tagging' }>, key: Key): KeyResult {
  switch (spell(key)) {
    case 'Escape':
      return stay(browse(ui));
    case 'Enter': {
      const after = textOf(mode.line)
        .split(/[\s,]+/)
        .filter(Boolean);
      const add = after.filter((one) => !mode.before.includes(one));
      const remove = mode.before.filter((one) => !after.includes(one));
      const { sessionIds } = mode;
      if (add.length + remove.length === 0) return stay(browse(ui));
      return { ui: unmarked(browse(ui)), effect: { kind: 'tag', sessionIds, add, remove } };
    }
    default: {
      const line = edit(mode.line, key);
      return line === null ? stay(ui) : go(ui, { ...mode, line });
    }
  }
}

// ── the list ────────────────────────────────────────────────────────────────────────────────────────────────────────

const ORDERS = ['attention', 'age', 'name'] as const;
const ORDER_WORDS = {
  attention: 'those that wait first, then the latest change',
  age: 'the oldest first',
  name: 'by name',
} as const;
const GROUPINGS = ['none', 'project', 'program', 'tag'] as const;
const GROUPING_WORDS = {
  none: 'no groups',
  project: 'grouped by project',
  program: 'grouped by program',
  tag: 'grouped by their first tag',
} as const;

const after = <T>(all: readonly [T, ...T[]], one: T): T => all[(all.indexOf(one) + 1) % all.length] ?? all[0];

export function nextOrder(ui: UiState, { at }: KeyContext): KeyResult {
  const order = after<(typeof ORDERS)[number]>(ORDERS, ui.order);
  return stay(notify({ ...ui, order }, `sessions: ${ORDER_WORDS[order]}`, at));
}

export function nextGrouping(ui: UiState, { at }: KeyContext): KeyResult {
  const grouping = after<(typeof GROUPINGS)[number]>(GROUPINGS, ui.grouping);
  return stay(notify({ ...ui, grouping }, `sessions: ${GROUPING_WORDS[grouping]}`, at));
}

/** Folds or unfolds the selected group, or the group of the selected session. */
export function fold(ui: UiState, { model }: KeyContext): KeyResult {
  const rows = sessionRows(model, ui);
  const at = rows.findIndex(({ id }) => id === ui.sessionId);
  const row = rows[at];
  const isEnded = row?.kind === 'session' && !isAlive(row.session);
  // The header of the ended sessions is below them; every other header is above its group.
  const head =
    row?.kind === 'group' ? row : isEnded ? rows.at(-1) : rows.findLast(({ kind }, i) => i < at && kind === 'group');
  if (head?.kind !== 'group') return stay(ui);
  const folds = new Set(ui.folds);
  if (!folds.delete(head.id)) folds.add(head.id);
  return stay({ ...ui, folds, sessionId: head.id });
}

/** Handles Enter on a row. A header is folded or unfolded. For an ended session, its last screen is shown. */
export function openRow(ui: UiState, context: KeyContext): KeyResult | null {
  if (isGroup(ui.sessionId)) return fold(ui, context);
  const session = context.model.sessions.find(({ id }) => id === ui.sessionId);
  return session && !isAlive(session) ? lookBack(ui, context) : null;
}
