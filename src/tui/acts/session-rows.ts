/**
 * The rows of the list of sessions: sessions in order, and the headers of groups. Pure.
 *
 * In:   the model, and how the person wants the list: filter, order, groups, folded groups.
 * Out:  rows. A header can be selected like a session; its id is not the id of a session.
 * Ended sessions are a group of their own at the end, folded except for the newest. A session that is selected is shown
 * even if its group is folded, for example after a jump from the inbox. Each other machine has a group for its
 * sessions.
 */
import type { Session } from '../../protocol/index.js';
import { isAlive, type Model, openCounts } from '../model/model.js';
import type { OtherSession } from '../model/other-machines.js';
import { shownOthers, shownSessions } from './shown.js';
import type { SessionOrder, UiState } from './ui-state.js';

export type SessionRow =
  | { readonly kind: 'session'; readonly id: string; readonly session: Session }
  | {
      readonly kind: 'group';
      readonly id: string;
      readonly title: string;
      /** Ids of the group's sessions, shown or hidden. */
      readonly members: readonly string[];
      /** Number of hidden sessions. */
      readonly hidden: number;
      /** Number of open items of the group's sessions. */
      readonly open: number;
      readonly isFolded: boolean;
      /** Number of sessions of another machine. They are no members: no action takes them. */
      readonly there?: number;
    };

const GROUP = 'group:';
/** The id of the header of the ended sessions. */
export const ENDED_GROUP = `${GROUP}ended`;
/** Number of ended sessions that are shown while the others are folded. */
const SHOWN_ENDED = 3;

export const isGroup = (id: string | null): boolean => id?.startsWith(GROUP) === true;

type Seen = Pick<UiState, 'filters' | 'order' | 'grouping' | 'folds' | 'sessionId'>;
type Known = Pick<Model, 'sessions' | 'items' | 'changed' | 'others'>;

export function sessionRows(model: Known, ui: Seen): readonly SessionRow[] {
  const known = rowsBySessions.get(model.sessions);
  if (known && isSame(known, model, ui)) return known.rows;
  const rows = makeRows(model, ui);
  rowsBySessions.set(model.sessions, {
    ...pick(ui),
    items: model.items,
    changed: model.changed,
    others: model.others,
    rows,
  });
  return rows;
}

type Cached = Seen & Pick<Model, 'items' | 'changed' | 'others'> & { readonly rows: readonly SessionRow[] };
const rowsBySessions = new WeakMap<readonly Session[], Cached>();
const pick = ({ filters, order, grouping, folds, sessionId }: Seen): Seen => ({
  filters,
  order,
  grouping,
  folds,
  sessionId,
});
const isSame = (known: Cached, model: Known, ui: Seen): boolean =>
  known.items === model.items &&
  known.changed === model.changed &&
  known.others === model.others &&
  known.filters === ui.filters &&
  known.order === ui.order &&
  known.grouping === ui.grouping &&
  known.folds === ui.folds &&
  known.sessionId === ui.sessionId;

function makeRows(model: Known, ui: Seen): SessionRow[] {
  const { grouping, filters } = ui;
  const open = openCounts(model.items);
  const sessions = shownSessions(model, ui);
  const living = inOrder(sessions.filter(isAlive), ui.order, model, open);
  const ended = sessions.filter((session) => !isAlive(session));
  const groups = new Map<string, Session[]>();
  for (const session of grouping === 'none' ? [] : living) {
    const key = groupOf(session, grouping);
    groups.set(key, [...(groups.get(key) ?? []), session]);
  }
  const rowsOf = (all: readonly Session[]): SessionRow[] => all.map((session) => sessionRow(session));
  const titleOf = grouping === 'project' ? projectTitles([...groups.keys()]) : (key: string) => key;
  const grouped = [...groups].flatMap(([key, members]): SessionRow[] => {
    const id = `${GROUP}${grouping}:${key}`;
    const isFolded = ui.folds.has(id);
    const shown = isFolded ? members.filter((one) => one.id === ui.sessionId) : members;
    const hidden = members.length - shown.length;
    const waiting = members.reduce((sum, one) => sum + (open.get(one.id) ?? 0), 0);
    return [
      { kind: 'group', id, title: titleOf(key), members: idsOf(members), hidden, open: waiting, isFolded },
      ...rowsOf(shown),
    ];
  });
  return [
    ...(grouping === 'none' ? rowsOf(living) : grouped),
    ...otherRows(model, ui, open),
    ...endedRows(ended, ui, filters.sessions !== ''),
  ];
}

/** Returns the living sessions of the other machines, each below the name of its machine. */
function otherRows(model: Known, ui: Seen, open: ReadonlyMap<string, number>): SessionRow[] {
  const machines = new Map<string, OtherSession[]>();
  for (const other of shownOthers(model, ui)) {
    machines.set(other.machine, [...(machines.get(other.machine) ?? []), other]);
  }
  return [...machines].flatMap(([machine, others]): SessionRow[] => {
    const id = `${GROUP}machine:${machine}`;
    const isFolded = ui.folds.has(id);
    const shown = isFolded ? others.filter(({ session }) => session.id === ui.sessionId) : others;
    const waiting = others.reduce((sum, { session }) => sum + (open.get(session.id) ?? 0), 0);
    const away = others[0]?.away ?? '';
    const title = away === '' ? `on ${machine}` : `on ${machine}, ${away}`;
    const hidden = others.length - shown.length;
    return [
      { kind: 'group', id, title, members: [], hidden, open: waiting, isFolded, there: others.length },
      ...shown.map(({ session }) => sessionRow(session)),
    ];
  });
}

const rowOfSession = new WeakMap<Session, SessionRow>();
function sessionRow(session: Session): SessionRow {
  const known = rowOfSession.get(session);
  if (known) return known;
  const row: SessionRow = { kind: 'session', id: session.id, session };
  rowOfSession.set(session, row);
  return row;
}

/** Returns the newest ended sessions, and a header for the others. With a filter, returns all matches. */
function endedRows(ended: readonly Session[], { folds, sessionId }: Seen, isFiltered: boolean): SessionRow[] {
  if (isFiltered || ended.length <= SHOWN_ENDED) return ended.map(sessionRow);
  // In this group, folding is inverted: an entry means that the person has unfolded it.
  const isFolded = !folds.has(ENDED_GROUP);
  const shown = isFolded ? ended.filter((one, i) => i < SHOWN_ENDED || one.id === sessionId) : ended;
  const hidden = ended.length - shown.length;
  const head: SessionRow = {
    kind: 'group',
    id: ENDED_GROUP,
    title: isFolded ? 'more ended' : 'all ended shown',
    members: idsOf(ended),
    hidden,
    open: 0,
    isFolded,
  };
  return [...shown.map(sessionRow), head];
}

const idsOf = (sessions: readonly Session[]): readonly string[] => sessions.map(({ id }) => id);

const NO_TAG = 'without a tag';

function groupOf(session: Session, grouping: UiState['grouping']): string {
  if (grouping === 'program') return session.adapter;
  if (grouping === 'tag') return session.tags?.[0] ?? NO_TAG;
  return session.project ?? session.cwd;
}

/** Returns the last parts of paths: one part, or two for paths that end alike. */
function projectTitles(paths: readonly string[]): (path: string) => string {
  const end = (path: string, parts: number): string => path.split('/').slice(-parts).join('/') || path;
  const isShared = (path: string): boolean => paths.some((other) => other !== path && end(other, 1) === end(path, 1));
  return (path) => end(path, isShared(path) ? 2 : 1);
}

function inOrder(
  sessions: readonly Session[],
  order: SessionOrder,
  { changed }: Known,
  open: ReadonlyMap<string, number>,
): readonly Session[] {
  if (order === 'age') return sessions;
  if (order === 'name') return [...sessions].sort((a, b) => a.name.localeCompare(b.name));
  const rank = (session: Session): number =>
    (open.get(session.id) ?? 0) > 0 || session.state === 'waiting' || session.state === 'blocked' ? 0 : 1;
  const time = (session: Session): string => changed.get(session.id) ?? session.created_at;
  return [...sessions].sort((a, b) => rank(a) - rank(b) || time(b).localeCompare(time(a)));
}
