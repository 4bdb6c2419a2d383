/** Formats how many of an agent's steps are done. Pure. */
import type { Session } from '../generated/types.js';
import { counted } from '../text/index.js';

/** Returns `3 of 4 steps`, `3 steps done` or `4 steps`; '' if the message contains neither number. */
export function stepsWords({
  totalSteps,
  completedSteps,
}: {
  readonly totalSteps?: unknown;
  readonly completedSteps?: unknown;
}): string {
  const done = Array.isArray(completedSteps) ? completedSteps.length : null;
  const total = typeof totalSteps === 'number' ? totalSteps : null;
  if (total === null) return done === null || done === 0 ? '' : `${steps(done)} done`;
  return done === null ? steps(total) : `${done} of ${steps(total)}`;
}

const steps = (count: number): string => counted(count, 'step');

/** Returns the steps of a session in the form that `stepsWords` takes. */
export const stepsOfSession = ({ total_steps, completed_steps }: Pick<Session, 'total_steps' | 'completed_steps'>) => ({
  totalSteps: total_steps ?? undefined,
  completedSteps: completed_steps?.length === 0 && total_steps == null ? undefined : completed_steps,
});
