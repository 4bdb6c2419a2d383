/** Words for runs and their attempts. */
import type { Run, RunAttempt, RunSummary } from '../../protocol/index.js';
import { line } from '../text/label-text.js';

/** Returns the agent of a run: its blueprint, otherwise its program. */
export const runAgent = ({ blueprint, adapter }: Pick<RunSummary, 'blueprint' | 'adapter'>): string =>
  line(blueprint ?? adapter, 80);

const REASONS: Readonly<Record<RunAttempt['reason'], string>> = {
  start: 'first prompt',
  retry: 'its result did not fit',
  reminder: 'it owes a tool call',
  answer: 'its question was answered',
  limit_over: 'its account may be used again',
};

export const reasonWords = ({ reason }: Pick<RunAttempt, 'reason'>): string => REASONS[reason];

/** Returns '' if there are none. */
export const limitWords = ({ timeout, max_turns, max_cost }: Run['limits']): string =>
  [
    timeout === undefined ? '' : `${timeout} s`,
    max_turns === undefined ? '' : `${max_turns} turns`,
    max_cost === undefined ? '' : `$${max_cost}`,
  ]
    .filter(Boolean)
    .join(', ');
