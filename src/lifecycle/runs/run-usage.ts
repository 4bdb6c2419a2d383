/** Values derived from a run: the conversation that an attempt resumes, and the time and money used so far. Pure. */
import type { Run, RunAttempt, RunError, RunUsage } from '../../protocol/index.js';
import { timeOf } from '../timestamp.js';

/**
 * Returns the agent's id of the conversation that an attempt resumes. A retry, a reminder and an answer resume one. A
 * prompt that the account's limit rejected never became part of a conversation.
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
 * Returns the usage of the last attempt alone, for programs that report totals of the conversation.
 *
 * @param total The totals that the last attempt reported.
 */
export function ownUsage(run: Run, total: RunUsage): RunUsage {
  const isFresh = run.attempts.map((attempt) => conversationOf(run, attempt) === null);
  const before = run.attempts.slice(Math.max(0, isFresh.lastIndexOf(true)), -1);
  const less = (field: keyof RunUsage): number | null => {
    const [all, earlier] = [total[field], before.reduce((sum, { usage }) => sum + (usage?.[field] ?? 0), 0)];
    return all === null ? null : Math.max(0, all - earlier);
  };
  return {
    input_tokens: less('input_tokens'),
    output_tokens: less('output_tokens'),
    turns: less('turns'),
    cached_input_tokens: less('cached_input_tokens'),
    cost_usd: less('cost_usd'),
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

/** Returns the milliseconds left of the run's time limit while it runs. */
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
