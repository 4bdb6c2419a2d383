/**
 * The rows of the list of sessions. Pure.
 *
 * In:   all sessions, and how the person wants the list.
 * Out:  headers of groups and sessions: those that wait first, then the newest.
 */
import { isAlive, type Session, shownState } from '../../protocol/index.js';
import { inOrder } from '../browser/in-order.js';

export const SHOWN = ['running', 'ended', 'all'] as const;
export const GROUPINGS = ['none', 'project', 'program', 'state', 'machine'] as const;
export type Shown = (typeof SHOWN)[number];
export type Grouping = (typeof GROUPINGS)[number];

interface Wanted {
  readonly shown: Shown;
  readonly grouping: Grouping;
  /** Words that must all occur. */
  readonly filter: string;
  /** The ids of sessions that are listed first, in this order, whether they still fit or not. Default: none. */
  readonly held?: readonly string[];
}

export type SessionRow =
  | { readonly kind: 'group'; readonly title: string; readonly count: number }
  | { readonly kind: 'session'; readonly session: Session };

export function sessionsShown(sessions: readonly Session[], wanted: Omit<Wanted, 'grouping'>): readonly Session[] {
  const { shown, filter, held = [] } = wanted;
  const isHeld: ReadonlySet<string> = new Set(held);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const isWanted = (session: Session): boolean => {
    if (shown !== 'all' && isAlive(session) !== (shown === 'running')) return false;
    const text = textOf(session);
    return words.every((word) => text.includes(word));
  };
  const found = sessions.filter((session) => isHeld.has(session.id) || isWanted(session)).sort(byAttention);
  return inOrder(found, ({ id }) => id, held);
}

/** Returns the rows of the list, with a header for each group if the list is grouped. */
export function sessionRows(sessions: readonly Session[], wanted: Wanted): SessionRow[] {
  const all = sessionsShown(sessions, wanted);
  const { grouping } = wanted;
  if (grouping === 'none') return all.map((session) => ({ kind: 'session', session }));
  const groups = new Map<string, Session[]>();
  for (const session of all) {
    const title = groupOf(session, grouping);
    groups.set(title, [...(groups.get(title) ?? []), session]);
  }
  return [...groups].flatMap(([title, members]): SessionRow[] => [
    { kind: 'group', title, count: members.length },
    ...members.map((session): SessionRow => ({ kind: 'session', session })),
  ]);
}

const textOf = (session: Session): string => {
  const { name, adapter, command, current_step, cwd, id, tags = [] } = session;
  return `${name} ${shownState(session).word} ${adapter} ${command.join(' ').slice(0, 1000)} ${current_step ?? ''} ${cwd} ${id} ${tags.join(' ')}`.toLowerCase();
};

function groupOf(session: Session, grouping: Exclude<Grouping, 'none'>): string {
  if (grouping === 'project') return session.project ?? session.cwd;
  if (grouping === 'machine') return machineOf(session) ?? 'This machine';
  if (grouping === 'state') return shownState(session).word;
  return session.adapter === 'shell' ? programOf(session) : session.adapter;
}

/** Returns the machine of a session; null for this machine. The id of a session of `build` is `build/ses_…`. */
export const machineOf = ({ id }: Pick<Session, 'id'>): string | null =>
  id.includes('/') ? id.slice(0, id.indexOf('/')) : null;

/** The name of the program, without its folder. */
export const programOf = ({ command }: Pick<Session, 'command'>): string =>
  (command[0] ?? '').slice(0, 300).replace(/^.*\//, '');

function byAttention(a: Session, b: Session): number {
  const [openA, openB] = [a.open_items > 0 ? 1 : 0, b.open_items > 0 ? 1 : 0];
  if (openA !== openB) return openB - openA;
  const [aliveA, aliveB] = [isAlive(a) ? 1 : 0, isAlive(b) ? 1 : 0];
  if (aliveA !== aliveB) return aliveB - aliveA;
  const key = ({ ended_at, created_at }: Session): string => ended_at ?? created_at;
  return key(b) < key(a) ? -1 : key(b) > key(a) ? 1 : 0;
}
