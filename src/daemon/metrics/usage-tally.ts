/** Counts the tokens and dollars of all sessions. Reports have totals of a session, so the differences are added. */
import type { MetricFamily, RunUsage } from '../../protocol/index.js';

interface UsageTally {
  /** Sets the usage of a session from before this daemon. */
  begin(sessionId: string, usage: RunUsage): void;
  take(sessionId: string, usage: RunUsage): void;
  families(): MetricFamily[];
}

type Kind = 'input' | 'cached' | 'output';

export function createUsageTally(): UsageTally {
  const known = new Map<string, RunUsage>();
  const tokens: Record<Kind, number> = { input: 0, cached: 0, output: 0 };
  let dollars = 0;
  const counter = (name: string, help: string, samples: MetricFamily['samples']): MetricFamily => ({
    name,
    help,
    type: 'counter',
    samples,
  });
  return {
    begin: (sessionId, usage) => void known.set(sessionId, usage),
    take(sessionId, usage) {
      const before = known.get(sessionId);
      // A correction may lower a total, but a counter never falls.
      const more = (field: keyof RunUsage): number => Math.max(0, (usage[field] ?? 0) - (before?.[field] ?? 0));
      const cached = more('cached_input_tokens');
      tokens.cached += cached;
      tokens.input += Math.max(0, more('input_tokens') - cached);
      tokens.output += more('output_tokens');
      dollars += more('cost_usd');
      known.set(sessionId, usage);
    },
    families: () => [
      counter(
        'orchd_tokens_total',
        'Tokens that agents have reported: read without a cache (input), read from a cache (cached), written (output).',
        Object.entries(tokens).map(([kind, value]) => ({ labels: { kind }, value })),
      ),
      counter('orchd_cost_dollars_total', 'US dollars that agents have reported.', [{ labels: {}, value: dollars }]),
    ],
  };
}
