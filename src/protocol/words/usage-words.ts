/** The usage of an agent in words. Cached input tokens are left out: they are read again with each request. */
import type { RunUsage } from '../generated/types.js';

type Counts = Pick<RunUsage, 'input_tokens' | 'output_tokens' | 'cached_input_tokens' | 'cost_usd'>;

/** Returns the number of tokens without cached ones; null if the agent reports none. */
export function tokensOf({
  input_tokens: input,
  output_tokens: output,
  cached_input_tokens: cached,
}: Counts): number | null {
  if (input === null && output === null) return null;
  return Math.max(0, (input ?? 0) - (cached ?? 0)) + (output ?? 0);
}

/** Returns `$0.42`, and `<$0.01` for less than a cent. */
export const dollarWords = (usd: number): string => (usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`);

/** Returns `950`, `12k`, `3.4M` or `1.2B`. */
export function countWords(count: number): string {
  const [unit, sign] = count < 999_500 ? [1e3, 'k'] : count < 999_500_000 ? [1e6, 'M'] : [1e9, 'B'];
  if (count < 1_000) return String(Math.round(count));
  const scaled = count / unit;
  return `${scaled < 9.95 ? scaled.toFixed(1) : Math.round(scaled)}${sign}`;
}

/** For a column: the cost, else the tokens; '' if the agent reports neither. */
export function costWords(usage: Counts | undefined): string {
  if (usage === undefined) return '';
  if (usage.cost_usd !== null && usage.cost_usd > 0) return dollarWords(usage.cost_usd);
  const tokens = tokensOf(usage);
  return tokens === null ? '' : `${countWords(tokens)} tok`;
}

/** Returns all counts: `$0.42, 12k tokens in (9.0k cached), 3.4k out, 5 turns`; '' if the agent reports nothing. */
export function usageWords(usage: (Counts & Partial<Pick<RunUsage, 'turns'>>) | null): string {
  if (usage === null) return '';
  const {
    input_tokens: input,
    output_tokens: output,
    cached_input_tokens: cached,
    cost_usd: cost,
    turns = null,
  } = usage;
  const kept = cached === null || cached === 0 ? '' : ` (${countWords(cached)} cached)`;
  return [
    ...(cost === null || cost === 0 ? [] : [dollarWords(cost)]),
    ...(input === null ? [] : [`${countWords(input)} tokens in${kept}`]),
    ...(output === null ? [] : [`${countWords(output)}${input === null ? ' tokens' : ''} out`]),
    ...(turns === null ? [] : [`${turns} ${turns === 1 ? 'turn' : 'turns'}`]),
  ].join(', ');
}
