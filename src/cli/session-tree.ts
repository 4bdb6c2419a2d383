/** Sessions below those that started them, in the order of their starts. Pure. */
import type { Session } from '../protocol/index.js';

export interface Branch {
  readonly session: Session;
  /** What leads to it: '' at the root. */
  readonly lead: string;
}

/** One whose parent is not among them stands at the root. */
export function sessionTree(sessions: readonly Session[]): Branch[] {
  const below = new Map<string | null, Session[]>(sessions.map(({ id }) => [id, []]));
  const roots: Session[] = [];
  for (const session of sessions) (below.get(session.parent_session_id) ?? roots).push(session);
  const branches = (children: readonly Session[], before: string): Branch[] =>
    children.flatMap((session, at) => {
      const isLast = at === children.length - 1;
      const grandchildren = branches(below.get(session.id) ?? [], `${before}${isLast ? '  ' : '│ '}`);
      return [{ session, lead: `${before}${isLast ? '└ ' : '├ '}` }, ...grandchildren];
    });
  return roots.flatMap((session) => [{ session, lead: '' }, ...branches(below.get(session.id) ?? [], '')]);
}
