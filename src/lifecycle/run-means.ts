/**
 * What a run may look up in itself: the conversation that an attempt goes on with, and what it has used of its time and
 * money. Pure.
 */
import type { Run, RunAttempt, RunError, RunUsage } from '../protocol/index.js';
import { timeOf } from './timestamp.js';

/**
 * The agent's id of the conversation that an attempt goes on with: a retry, a reminder and an answer do; what the
 * account did not allow was never said.
 */
export function conversationOf({ attempts, agent_session_id }: Run, { number, reason }: RunAttempt): string | null {
  if (reason === 'start') return null;
  const goesOn = attempts.some(
    (attempt) =>
      (attempt.number < number && attempt.text !== null) ||
      (attempt.number <= number && (attempt.reason === 'reminder' || attempt.reason === 'answer')),
  );
  return goesOn ? agent_session_id : null;
}

/**
 * What an attempt alone has used, where its program tells the totals of the conversation.
 *
 * @param total  Told by the last attempt.
 */
export function ownUsage(run: Run, total: RunUsage): RunUsage {
  const isFresh = run.attempts.map((attempt) => conversationOf(run, attempt) === null);
  const before = run.attempts.slice(Math.max(0, isFresh.lastIndexOf(true)), -1);
  const less = (field: keyof RunUsage): number | null => {
    const [all, told] = [total[field], before.reduce((sum, { usage }) => sum + (usage?.[field] ?? 0), 0)];
    return all === null ? null : Math.max(0, all - told);
  };
  return {
    ...{ input_tokens: less('input_tokens'), output_tokens: less('output_tokens'), turns: less('turns') },
    ...{ cached_input_tokens: less('cached_input_tokens'), cost_usd: less('cost_usd') },
  };
}

export function addUsage(before: RunUsage | null, more: RunUsage | null): RunUsage | null {
  if (before === null || more === null) return more ?? before;
  const add = (a: number | null, b: number | null): number | null => (a === null || b === null ? (a ?? b) : a + b);
  return {
    input_tokens: add(before.input_tokens, more.input_tokens),
    output_tokens: add(before.output_tokens, more.output_tokens),
    cached_input_tokens: add(before.cached_input_tokens, more.cached_input_tokens),
    cost_usd: add(before.cost_usd, more.cost_usd),
    turns: add(before.turns, more.turns),
  };
}

/** Of its time, while it runs. */
export function timeLeft({ limits, attempts }: Run): number | null {
  if (limits.timeout === undefined) return null;
  const spent = attempts.reduce((sum, { started_at, ended_at }) => {
    return ended_at === null ? sum : sum + timeOf(ended_at) - timeOf(started_at);
  }, 0);
  return Math.max(0, limits.timeout * 1000 - spent);
}

export function costProblem({ limits, usage }: Run, why: string): RunError | null {
  const cost = usage?.cost_usd ?? null;
  if (limits.max_cost === undefined || cost === null || cost < limits.max_cost) return null;
  const message = `${why}, and another attempt is not made: it has cost $${cost}, and may cost $${limits.max_cost}`;
  return { error: 'CostLimitError', message };
}
