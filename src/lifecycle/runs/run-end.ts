/**
 * Decides what the end of an attempt means for its run: a result, a question, a retry, a reminder, a pause until the
 * limit of the account is over, or a failure. Pure.
 */
import type { Run, RunError, TaskTool } from '../../protocol/index.js';
import { briefly } from '../briefly.js';
import { timestamp } from '../timestamp.js';
import type { AttemptEnd, RunAggregate, RunDecision, RunInputOf, RunQuestion, Submission } from './run-aggregate.js';
import { questionsAtEnd, unanswered, waitOrGoOn } from './run-asks.js';
import { failedEnvelope, failureIn } from './run-envelope.js';
import { begin, CANCELLED, endAttempt, endStateOf, over, purposeOf, withResult, withRun } from './run-steps.js';
import { addUsage, costProblem } from './run-usage.js';

/** Number of times that an agent is reminded of the required call. */
const MAX_REMINDERS = 2;
/** Waiting time if the program does not say how long its account is used up. */
export const BLIND_WAIT_MS = 15 * 60_000;
/** Maximum number of such waits in a row. */
export const MAX_BLIND_WAITS = 4;
/** Added to the end of a limit, because the account's clock may differ from ours. */
const LIMIT_SLACK_MS = 5_000;

export function takeEnd(aggregate: RunAggregate, input: RunInputOf<'ended'>): RunDecision {
  const decision = decideEnd(aggregate, input);
  if (!input.end.asked || decision.aggregate.questions || aggregate.run.session_id === null) return decision;
  return { ...decision, effects: [...decision.effects, { kind: 'withdraw', sessionId: aggregate.run.session_id }] };
}

function decideEnd(aggregate: RunAggregate, { end: ended, nextSessionId, time }: RunInputOf<'ended'>): RunDecision {
  const { text, usage, exitCode, error, limit, verdict } = ended;
  const fields = {
    // If the account's limit was reached, the text is an error message.
    text: limit === null ? text : null,
    usage,
    exit_code: exitCode,
    error: error?.message ?? null,
    verdict: verdict && { ok: verdict.ok, errors: verdict.ok ? [] : [...verdict.errors] },
    ...failedEnvelope(verdict),
  };
  const concluded = endAttempt(aggregate, time, fields);
  const run = {
    agent_session_id: ended.agentSessionId ?? aggregate.run.agent_session_id,
    usage: addUsage(aggregate.run.usage, usage),
  };
  const done: RunDecision = { ...concluded, aggregate: withRun(concluded.aggregate, run) };
  if (hasDecided(aggregate)) return bySubmission(done, aggregate.submission, time);
  if (aggregate.ending !== null) return over(done, endStateOf(aggregate.ending), aggregate.ending, time);
  if (limit !== null) return holdBack(done, limit.resetsAt, error?.message ?? 'the usage limit is reached', time);
  const questions = questionsAtEnd(aggregate.run, ended);
  if (questions) return ask(done, questions, time);
  if (aggregate.run.tool !== undefined) return remind(done, aggregate.run.tool, error, nextSessionId, time);
  if (error !== null) return over(done, 'failed', error, time);
  return finish(done, ended, nextSessionId, time);
}

/** Handles a program that could not be started. If the run was being ended, that reason has priority. */
export function takeFailedStart(aggregate: RunAggregate, { error, time }: RunInputOf<'not_started'>): RunDecision {
  const concluded = endAttempt(aggregate, time, { error: error.message });
  if (hasDecided(aggregate)) return bySubmission(concluded, aggregate.submission, time);
  const why = aggregate.ending ?? error;
  return over(concluded, endStateOf(why), why, time);
}

/** Finishes the attempt by the agent's output. */
function finish(
  done: RunDecision,
  { text, verdict, hasLeft }: AttemptEnd,
  nextSessionId: string,
  time: number,
): RunDecision {
  const { run } = done.aggregate;
  if (verdict === null) {
    if (text === null) return over(done, 'failed', EMPTY, time);
    return over(withResult(done, { result_text: text }), 'completed', null, time);
  }
  if (verdict.ok) {
    const { value, human } = verdict;
    const result =
      run.output_format === 'envelope' ? { result_data: value, result_human: human } : { result_data: value };
    const failure = run.output_format === 'envelope' ? failureIn(value) : null;
    return failure ? over(done, 'failed', failure, time) : over(withResult(done, result), 'completed', null, time);
  }
  const hasRetried = run.attempts.some(({ reason }) => reason === 'retry');
  const invalid = (message: string): RunError => ({
    error: 'OutputSchemaValidationError',
    message,
    errors: [...verdict.errors],
  });
  if (hasRetried) return over(done, 'failed', invalid('Output validation failed after 1 retry'), time);
  if (done.aggregate.interactive && hasLeft) {
    const why = 'Output validation failed, and the program ended before it could be told';
    return over(done, 'failed', invalid(why), time);
  }
  const cost = costProblem(run, 'its result does not fit');
  if (cost) return over(done, 'failed', cost, time);
  if (run.agent_session_id === null && run.adapter !== 'shell' && !done.aggregate.interactive) {
    const why = 'Output validation failed, and there is no conversation in which the agent could be told';
    return over(done, 'failed', invalid(why), time);
  }
  const next = begin(done.aggregate, { reason: 'retry', prompt: verdict.prompt, sessionId: nextSessionId, time });
  return { ...next, events: [...done.events, ...next.events] };
}

/** Waits for the answers, without a program. Answers given while the program still ran are kept. */
function ask(done: RunDecision, questions: readonly RunQuestion[], time: number): RunDecision {
  const { run } = done.aggregate;
  const cost = costProblem(run, 'it ended with a question');
  if (cost) return over(done, 'failed', cost, time);
  if (run.agent_session_id === null && run.adapter !== 'shell')
    return over(done, 'failed', unanswerable(questions), time);
  const itemIds = unanswered(questions);
  const asking = waitOrGoOn(done.aggregate, questions);
  if (itemIds.length === 0 || run.session_id === null) return { ...asking, events: done.events };
  const about = { timestamp: timestamp(time), session_id: run.session_id, run_id: run.id };
  const event = { event_type: 'run_asking' as const, ...about, item_ids: itemIds, ...purposeOf(run) };
  return { ...asking, events: [...done.events, event] };
}

const unanswerable = ([first]: readonly RunQuestion[]): RunError => ({
  error: 'UnansweredQuestionError',
  message:
    `the agent ended with a question (${briefly(first?.question ?? '')}), and there is no conversation in ` +
    'which it could be answered',
});

/** True if the required call was made. It counts however the program ends, unless the run is being cancelled. */
const hasDecided = (aggregate: RunAggregate): aggregate is RunAggregate & { readonly submission: Submission } =>
  aggregate.submission !== undefined && aggregate.ending?.error !== CANCELLED.error;

const bySubmission = (done: RunDecision, { data }: Submission, time: number): RunDecision =>
  over(withResult(done, { result_data: data as Run['result_data'] }), 'completed', null, time);

/** Returns the prompt for an agent that ended without the call. */
export const reminderOf = (tool: TaskTool): string =>
  `You must call the ${tool} tool before finishing. Please call it now.`;

/** Reminds the agent. How the program ended does not matter, because its output is not the result. */
function remind(
  done: RunDecision,
  tool: TaskTool,
  error: RunError | null,
  nextSessionId: string,
  time: number,
): RunDecision {
  const { run } = done.aggregate;
  const reminders = run.attempts.filter(({ reason }) => reason === 'reminder').length;
  const why = error === null ? '' : `: ${error.message}`;
  const missing = (words: string): RunDecision =>
    over(
      done,
      'failed',
      { error: 'MissingToolCallError', message: `the agent never called ${tool}${words}${why}` },
      time,
    );
  if (reminders >= MAX_REMINDERS) return missing(`, not after ${MAX_REMINDERS} reminders either`);
  if ((run.agent_session_id === null && !done.aggregate.interactive) || error?.error === 'ConversationLostError')
    return missing(', and there is no conversation in which it could be reminded');
  const cost = costProblem(run, `it has not called ${tool}`);
  if (cost) return over(done, 'failed', cost, time);
  const next = begin(done.aggregate, { reason: 'reminder', prompt: reminderOf(tool), sessionId: nextSessionId, time });
  return { ...next, events: [...done.events, ...next.events] };
}

function holdBack(done: RunDecision, resetsAt: number | null, message: string, time: number): RunDecision {
  const { aggregate } = done;
  const blindWaits = resetsAt === null ? aggregate.blindWaits + 1 : 0;
  if (blindWaits > MAX_BLIND_WAITS) return over(done, 'failed', { error: 'RateLimitError', message }, time);
  const until = Math.max(time, resetsAt === null ? time + BLIND_WAIT_MS : resetsAt + LIMIT_SLACK_MS);
  const event = { event_type: 'run_rate_limited' as const, timestamp: timestamp(time), run_id: aggregate.run.id };
  return {
    aggregate: { ...withRun(aggregate, { state: 'rate_limited', resumes_at: timestamp(until) }), blindWaits },
    events: [...done.events, { ...event, resumes_at: timestamp(until), message }],
    effects: [{ kind: 'wait', until }],
  };
}
const EMPTY: RunError = { error: 'EmptyResultError', message: 'the agent ended without a word' };
