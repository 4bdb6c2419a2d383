/**
 * Compares the usage of a session with the tokens that the model server has counted, and with their price.
 *
 * The program's own requests, for example for titles, are in the records of some programs only. So both sums are right.
 */
import { GENERIC } from '../../src/session/adapters/index.js';
import { PRICES } from './agents.js';
import type { Hosted, Problem } from './host-agent.js';
import { CACHED_TOKENS, PROMPT_TOKENS, type Reply, tokens } from './model/conversation.js';

export async function usageProblems(hosted: Hosted): Promise<Problem[]> {
  const { id, agent, hostedAs, server, call } = hosted;
  if (hostedAs === GENERIC.name) return [];
  const { usage } = await call('session.show', { session: id });
  const replies = server.exchanges.map(({ reply }) => reply);
  const { namesDollars = false } = agent;
  const right = [replies, [...replies, ...server.sideReplies]].map((all) => wordsOf(countOf(all, namesDollars)));
  const told = usage ? wordsOf(usage) : 'nothing';
  return right.includes(told) ? [] : [{ what: `usage: ${told}, and not ${right.join(' or ')}`, screen: '' }];
}

interface Count {
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cached_input_tokens: number | null;
  readonly cost_usd: number | null;
  readonly turns: number | null;
}

function countOf(replies: readonly Reply[], namesDollars: boolean): Count {
  const [input, cached] = [replies.length * PROMPT_TOKENS, replies.length * CACHED_TOKENS];
  const output = replies.reduce((sum, { text }) => sum + tokens(text), 0);
  const dollars = ((input - cached) * PRICES.input + cached * PRICES.cached + output * PRICES.output) / 1e6;
  return {
    input_tokens: input,
    output_tokens: output,
    cached_input_tokens: cached,
    cost_usd: namesDollars ? dollars : null,
    turns: replies.length,
  };
}

function wordsOf({ input_tokens, output_tokens, cached_input_tokens, cost_usd, turns }: Count): string {
  const dollars = cost_usd === null ? 'no dollars' : `$${cost_usd.toFixed(6)}`;
  return `${input_tokens} in, ${cached_input_tokens} cached, ${output_tokens} out, ${dollars}, ${turns} requests`;
}
