/** Arranges sessions as a tree: each below the session that started it, in the order of their starts. Pure. */
import type { Session } from '../../protocol/index.js';

interface Branch {
  readonly session: Session;
  /** The prefix with the tree's lines; '' at the root. */
  readonly lead: string;
}

/** Returns the sessions in tree order. A session whose parent is not listed is a root. */
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
