/** The limits of a run or a task as words. */
import type { Run } from '../../protocol/index.js';

/** Returns '' if there are none. */
export const limitWords = ({ timeout, max_turns, max_cost }: Run['limits']): string =>
  [
    timeout === undefined ? '' : `${timeout} s`,
    max_turns === undefined ? '' : `${max_turns} turns`,
    max_cost === undefined ? '' : `$${max_cost}`,
  ]
    .filter(Boolean)
    .join(', ');
