/** The sessions that a person can go to from an attached session. Pure. */
import type { Session } from '../../protocol/index.js';
import { isAlive, type Model, openItems } from '../model/model.js';

/** Returns the sessions that can be attached to, in the order of `next` and `previous`. */
export const attachable = ({ sessions }: Model): readonly Session[] => sessions.filter(isAlive);

/** Returns the session `step` places after this one, wrapping around at the end. */
export function sessionBeside(model: Model, id: string, step: number): string | null {
  const living = attachable(model);
  const at = living.findIndex((session) => session.id === id);
  return living.at((at + step) % living.length)?.id ?? null;
}

/** True if this process runs in session `own`, and `own` is session `id` or was started from it. */
export function isInside({ sessions }: Model, own: string | undefined, id: string): boolean {
  let at = own;
  for (let steps = sessions.length; at && steps > 0 && at !== id; steps--)
    at = sessions.find((session) => session.id === at)?.parent_session_id ?? undefined;
  return at === id;
}

/** Returns the next session with an open item. Sessions are ordered by their oldest open item. */
export function nextWaiting(model: Model, id: string): string | null {
  const living = new Set(attachable(model).map((session) => session.id));
  const waiting = [...new Set(openItems(model).map((item) => item.session_id))].filter((one) => living.has(one));
  return waiting[(waiting.indexOf(id) + 1) % waiting.length] ?? null;
}
