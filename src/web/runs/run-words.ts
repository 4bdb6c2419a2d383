/** Words for runs and their attempts. */
import { type Badge, RUN_BADGES, type Run, type RunAttempt, type RunSummary, spanWords } from '../../protocol/index.js';
import { line } from '../parts/words.js';

interface StateWords {
  readonly badge: Badge;
  readonly word: string;
}

const ASKS: StateWords = { badge: { mark: '?', style: 'yellow' }, word: 'asks you' };

export function runState({ state, asking }: Pick<Run, 'state' | 'asking'>): StateWords {
  if (asking !== undefined) return ASKS;
  return { badge: RUN_BADGES[state], word: state.replace('_', ' ') };
}

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

/** Returns the time between two moments, for example `400ms`, `4.2s`, `12m`. */
export function durationWords(from: string, to: string): string {
  const ms = Math.max(0, Date.parse(to) - Date.parse(from));
  if (ms < 1000) return `${ms}ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)}s` : spanWords(ms / 1000);
}

/** Returns, for example, `100 tokens in, 10 out, $0.01`; '' if the program reports nothing. */
export function usageWords(usage: Run['usage']): string {
  if (!usage) return '';
  const { input_tokens, output_tokens, cached_input_tokens, cost_usd, turns } = usage;
  const number = (value: number): string => value.toLocaleString('en');
  return [
    input_tokens === null ? '' : `${number(input_tokens)} tokens in`,
    cached_input_tokens ? `${number(cached_input_tokens)} of them cached` : '',
    output_tokens === null ? '' : `${number(output_tokens)} out`,
    turns === null ? '' : `${number(turns)} turn${turns === 1 ? '' : 's'}`,
    cost_usd === null ? '' : `$${cost_usd.toFixed(cost_usd < 1 ? 4 : 2)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
