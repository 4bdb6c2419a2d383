/**
 * The actions on sessions: looking back, marking, ending, starting again, removing, exporting; and the order, the
 * groups and the folds of their list. Pure; session-actions.ts assigns the keys.
 *
 * If sessions are marked, an action in the list acts on all of them, otherwise on the selected one.
 */
import type { Session } from '../../protocol/index.js';
import { plainLine } from '../paint/text.js';
import { move } from './list-acts.js';
import { isAlive, type Model } from './model.js';
import { go, notify, type Place, type SessionAct, type Steered, type Surroundings, stay } from './place.js';
import { isGroup, sessionRows } from './session-rows.js';

/** Returns the sessions that an action applies to: the marked ones, else the selected one. */
export function targetsOf(place: Place, model: Model): readonly Session[] {
  const isMarked = place.view === 'lists' && place.marked.size > 0;
  return model.sessions.filter(({ id }) => (isMarked ? place.marked.has(id) : id === place.sessionId));
}

/** Returns the session of the item or of the row that is selected. */
export function sessionHere({ mode, view, list, itemId, sessionId }: Place, { items }: Model): string | null {
  const id = 'itemId' in mode ? mode.itemId : view === 'lists' && list === 'inbox' ? itemId : null;
  return id === null ? sessionId : (items.find(({ item }) => item.id === id)?.item.session_id ?? null);
}

export function lookBack(place: Place, { model, at }: Surroundings): Steered {
  const id = sessionHere(place, model);
  const session = model.sessions.find((one) => one.id === id);
  if (!session) return stay(place);
  if (model.connection.kind !== 'connected') return stay(notify(place, 'the daemon is away', at, true));
  return { place, effect: { kind: 'look_back', sessionId: session.id } };
}

// ── marks ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Marks the selected session, or removes its mark, and moves down. A header marks its whole group, also if folded. */
export function mark(place: Place, { model }: Surroundings): Steered {
  const row = sessionRows(model, place).find(({ id }) => id === place.sessionId);
  if (!row) return stay(place);
  const ids = row.kind === 'session' ? [row.id] : row.members;
  const isOn = ids.every((id) => place.marked.has(id));
  const marked = new Set(place.marked);
  for (const id of ids) {
    if (isOn) marked.delete(id);
    else marked.add(id);
  }
  return stay(move({ ...place, marked }, 1, model));
}

// ── acts ────────────────────────────────────────────────────────────────────────────────────────────────────────────

interface ActWords {
  /** True for sessions that the act can be applied to. */
  readonly fits: (session: Session) => boolean;
  /** Follows the names of sessions to which the act cannot be applied. */
  readonly unfit: string;
  /** True if the person confirms the act with `y`. */
  readonly asks: (sessions: readonly Session[]) => boolean;
}

const ACTS: Readonly<Record<SessionAct, ActWords>> = {
  kill: { fits: isAlive, unfit: 'has ended already', asks: () => true },
  restart: {
    fits: ({ mode, imported }) => mode !== 'batch' && imported !== true,
    unfit: 'cannot be started again',
    asks: (sessions) => sessions.some(isAlive),
  },
  remove: { fits: (session) => !isAlive(session), unfit: 'is running; K ends it first', asks: () => true },
  export: { fits: () => true, unfit: '', asks: () => false },
};

/** Applies an act to the sessions that it fits, after `y` if it ends or removes something. */
export const actOn =
  (act: SessionAct) =>
  (place: Place, { model, at }: Surroundings): Steered => {
    const all = targetsOf(place, model);
    const [first] = all;
    if (!first) return stay(place);
    const { fits, unfit, asks } = ACTS[act];
    const fitting = all.filter(fits);
    if (fitting.length === 0) {
      const who = all.length === 1 ? plainLine(first.name) : `each of the ${all.length}`;
      return stay(notify(place, `${who} ${unfit}`, at));
    }
    const sessionIds = fitting.map(({ id }) => id);
    if (asks(fitting)) return go(place, { kind: 'confirming', act, sessionIds });
    return { place: unmarked(place), effect: { kind: 'sessions', act, sessionIds } };
  };

export const unmarked = (place: Place): Place => (place.marked.size === 0 ? place : { ...place, marked: new Set() });

// ── the list ────────────────────────────────────────────────────────────────────────────────────────────────────────

const ORDERS = ['attention', 'age', 'name'] as const;
const ORDER_WORDS = {
  attention: 'those that wait first, then the latest change',
  age: 'the oldest first',
  name: 'by name',
} as const;
const GROUPINGS = ['none', 'project', 'program'] as const;
const GROUPING_WORDS = { none: 'no groups', project: 'grouped by project', program: 'grouped by program' } as const;

const after = <T>(all: readonly [T, ...T[]], one: T): T => all[(all.indexOf(one) + 1) % all.length] ?? all[0];

export function nextOrder(place: Place, { at }: Surroundings): Steered {
  const order = after<(typeof ORDERS)[number]>(ORDERS, place.order);
  return stay(notify({ ...place, order }, `sessions: ${ORDER_WORDS[order]}`, at));
}

export function nextGrouping(place: Place, { at }: Surroundings): Steered {
  const grouping = after<(typeof GROUPINGS)[number]>(GROUPINGS, place.grouping);
  return stay(notify({ ...place, grouping }, `sessions: ${GROUPING_WORDS[grouping]}`, at));
}

/** Folds the selected group or the group of the selected session, or opens it. */
export function fold(place: Place, { model }: Surroundings): Steered {
  const rows = sessionRows(model, place);
  const at = rows.findIndex(({ id }) => id === place.sessionId);
  const row = rows[at];
  const isEnded = row?.kind === 'session' && !isAlive(row.session);
  // The header of the ended sessions is below them, every other one above its group.
  const head =
    row?.kind === 'group' ? row : isEnded ? rows.at(-1) : rows.findLast(({ kind }, i) => i < at && kind === 'group');
  if (head?.kind !== 'group') return stay(place);
  const folds = new Set(place.folds);
  if (!folds.delete(head.id)) folds.add(head.id);
  return stay({ ...place, folds, sessionId: head.id });
}

/** Enter on a row: a header is folded or opened; a session that has ended is looked back at. */
export function openRow(place: Place, surroundings: Surroundings): Steered | null {
  if (isGroup(place.sessionId)) return fold(place, surroundings);
  const session = surroundings.model.sessions.find(({ id }) => id === place.sessionId);
  return session && !isAlive(session) ? lookBack(place, surroundings) : null;
}
