/** Where a person who sits at a session can go from there. Pure. */
import type { Session } from '../protocol/index.js';
import { isAlive, type Model, openItems } from './model.js';

/** Sessions that can be attached to, in the order of `next` and `previous`. */
export const attachable = ({ sessions }: Model): readonly Session[] => sessions.filter(isAlive);

/** The one so many places on, around the end. */
export function sessionBeside(model: Model, id: string, step: number): string | null {
  const living = attachable(model);
  const at = living.findIndex((session) => session.id === id);
  return living.at((at + step) % living.length)?.id ?? null;
}

/** Whether who was started in session `own` is inside of that session: there, or in one that it started. */
export function isInside({ sessions }: Model, own: string | undefined, id: string): boolean {
  let at = own;
  for (let steps = sessions.length; at && steps > 0 && at !== id; steps--)
    at = sessions.find((session) => session.id === at)?.parent_session_id ?? undefined;
  return at === id;
}

/** Of those that wait, the longest waiting first, the one behind this. */
export function nextWaiting(model: Model, id: string): string | null {
  const living = new Set(attachable(model).map((session) => session.id));
  const waiting = [...new Set(openItems(model).map((item) => item.session_id))].filter((one) => living.has(one));
  return waiting[(waiting.indexOf(id) + 1) % waiting.length] ?? null;
}
