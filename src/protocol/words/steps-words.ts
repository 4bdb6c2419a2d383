/** Formats how many of an agent's steps are done. Pure. */

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
  if (total === null) return done === null || done === 0 ? '' : `${plural(done)} done`;
  return done === null ? plural(total) : `${done} of ${plural(total)}`;
}

const plural = (count: number): string => `${count} step${count === 1 ? '' : 's'}`;
