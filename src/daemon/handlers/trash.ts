/** Operations on the trash, which has the sessions that were removed and may still be restored. */
import type { Trash } from '../disk/index.js';
import type { Handlers } from './handler.js';

export interface TrashPorts {
  readonly trash: Trash;
}

export const trashHandlers = ({ trash }: TrashPorts) =>
  ({
    'trash.list': async () => trash.list(),
    'trash.restore': async ({ removed }) => trash.restore(removed),
    'trash.delete': async ({ removed }) => trash.erase(removed),
  }) satisfies Partial<Handlers>;
