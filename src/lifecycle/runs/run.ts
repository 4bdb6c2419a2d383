/**
 * The state machine of a run: a pure function of its state and an input.
 *
 *     queued ─turn→ running ─ended→ completed | failed
 *                     │  ▲            a result that does not match: the agent is told in the same conversation, once
 *                     │  ├─turn── queued ←limit_over─ rate_limited ←ended, the account is used up
 *                     │  └─turn── queued ←answered, the last─ running, and asks ←ended with a question (run-asks.ts)
 *                     └─ended→ cancelled, failed         after `cancelled` and `timed_out` have had its program killed
 *
 * A run whose result is a tool call (`output_format: 'call'`) is completed by the end of its program after the call
 * (`submitted`), however the program ends. Without the call, the agent is reminded in the same conversation, twice.
 *
 * An attempt's session gets its id before it is started, and the id is then already in the log. If the daemon dies in
 * between, the next one can find out whether the session was started. No prompt is therefore sent twice.
 *
 * The file is long because every input of a run has its rule here.
 */
import {
  type CompletionReport,
  isRunOver,
  type NewEventOf,
  type Run,
  type RunAttempt,
  type RunError,
  type TaskTool,
} from '../../protocol/index.js';
import { briefly } from '../briefly.js';
import { aggregateOnly, ignore } from '../decided.js';
import { timeOf, timestamp } from '../timestamp.js';
import type {
  AttemptEnd,
  RunAggregate,
  RunDecision,
  RunEffect,
  RunInput,
  RunQuestion,
  Submission,
} from './run-aggregate.js';
import { answerPrompt, questionsAtEnd, unanswered, waitOrGoOn, withAnswer } from './run-asks.js';
import { failedEnvelope, failureIn } from './run-envelope.js';
import { addUsage, conversationOf, costProblem, timeLeft } from './run-usage.js';

/** Number of times that an agent is reminded of the required call. */
const MAX_REMINDERS = 2;
/** Waiting time if the program does not say how long its account is used up. */
export const BLIND_WAIT_MS = 15 * 60_000;
/** Maximum number of such waits in a row. */
export const MAX_BLIND_WAITS = 4;
/** Added to the end of a limit, because the account's clock may differ from ours. */
const LIMIT_SLACK_MS = 5_000;

/** The fields of a run that has not begun. */
export const UNBEGUN = {
  session_id: null,
  agent_session_id: null,
  attempts: [],
  result_text: null,
  result_data: null,
  result_human: null,
  error: null,
  usage: null,
  resumes_at: null,
  started_at: null,
  ended_at: null,
} satisfies Partial<Run>;

/** Creates a run, which waits for a free job slot. */
export function createRun(aggregate: RunAggregate): RunDecision {
  const { id, created_at, blueprint, adapter, prompt, parent_session_id, retry_of } = aggregate.run;
  const about = {
    blueprint,
    adapter,
    prompt: briefly(prompt),
    parent_session_id,
    retry_of,
    ...purposeOf(aggregate.run),
  };
  const event = { event_type: 'run_created' as const, timestamp: created_at, run_id: id, ...about };
  return { aggregate, events: [event], effects: [{ kind: 'queue' }] };
}

/** Returns the effects that must be carried out (again) for a run of a previous daemon. */
export function resumeRun(aggregate: RunAggregate): readonly RunEffect[] {
  const { run } = aggregate;
  if (run.state === 'queued') return [{ kind: 'queue' }];
  if (run.state === 'rate_limited') return [{ kind: 'wait', until: timeOf(run.resumes_at ?? run.created_at) }];
  const attempt = run.attempts.at(-1);
  if (run.state !== 'running' || !attempt) return [];
  if (run.asking) return [{ kind: 'ask', itemIds: run.asking }];
  const begin = { kind: 'begin', resume: conversationOf(run, attempt), timeoutMs: timeLeft(run) } as const;
  return aggregate.ending === null ? [begin] : [begin, killOf(aggregate, attempt.session_id)];
}

/** The phase of a run; its protocol state shows only a part of it. */
type RunPhase = 'queued' | 'working' | 'asking' | 'ending' | 'rate_limited' | 'over';

function phaseOf({ run, ending }: RunAggregate): RunPhase {
  if (isRunOver(run)) return 'over';
  if (run.asking) return 'asking';
  if (ending !== null) return 'ending';
  return run.state === 'running' ? 'working' : run.state === 'queued' ? 'queued' : 'rate_limited';
}

type InputOf<K extends RunInput['kind']> = Extract<RunInput, { kind: K }>;
type Rules = { readonly [K in RunInput['kind']]?: (aggregate: RunAggregate, input: InputOf<K>) => RunDecision };

const LETS_END: Rules = {
  timed_out: (aggregate, { time }) => end(aggregate, timeoutError(aggregate.run), time),
  cancelled: (aggregate, { by, time }) =>
    end(by === undefined ? aggregate : { ...aggregate, endedBy: by }, CANCELLED, time),
};

/** The inputs that change a run, by its phase. Every other input changes nothing. */
const RULES: Readonly<Record<RunPhase, Rules>> = {
  queued: { ...LETS_END, turn: takeTurn, not_started: takeFailedStart },
  // Answers to the agent's questions are evaluated when its program has ended.
  working: { ...LETS_END, ended: takeEnd, not_started: takeFailedStart, submitted: submit },
  asking: { answered: takeAnswer, cancelled: cancelAsking },
  ending: { ended: takeEnd, not_started: takeFailedStart },
  rate_limited: { ...LETS_END, limit_over: queueAgain, not_started: takeFailedStart },
  over: {},
};

/** Decides the consequences of one input for a run. Returns the same aggregate if the input changes nothing. */
export function decideRun(aggregate: RunAggregate, input: RunInput): RunDecision {
  const rule = RULES[phaseOf(aggregate)][input.kind] as
    | ((aggregate: RunAggregate, input: RunInput) => RunDecision)
    | undefined;
  if (!rule) return ignore(aggregate, `a run that is ${phaseOf(aggregate)} takes no '${input.kind}'`);
  return rule(aggregate, input); // a rule is called with its own kind of input only
}

// ── attempts ────────────────────────────────────────────────────────────────────────────────────────────────────────

function takeTurn({ questions, ...aggregate }: RunAggregate, { sessionId, time }: InputOf<'turn'>): RunDecision {
  const last = aggregate.run.attempts.at(-1);
  if (questions)
    return begin(aggregate, { reason: 'answer', prompt: answerPrompt(aggregate.run, questions), sessionId, time });
  return last === undefined
    ? begin(aggregate, { reason: 'start', prompt: aggregate.run.prompt, sessionId, time })
    : begin(aggregate, { reason: 'limit_over', prompt: last.prompt, sessionId, time });
}

interface Beginning {
  readonly reason: RunAttempt['reason'];
  readonly prompt: string;
  readonly sessionId: string;
  readonly time: number;
}

function begin(aggregate: RunAggregate, { reason, prompt, sessionId, time }: Beginning): RunDecision {
  const { run } = aggregate;
  const number = run.attempts.length + 1;
  const attempt: RunAttempt = {
    number,
    reason,
    session_id: sessionId,
    prompt,
    started_at: timestamp(time),
    ended_at: null,
    exit_code: null,
    text: null,
    verdict: null,
    error: null,
    usage: null,
  };
  const begun = withRun(aggregate, {
    state: 'running',
    session_id: sessionId,
    attempts: [...run.attempts, attempt],
    started_at: run.started_at ?? timestamp(time),
  });
  const event = { event_type: 'run_attempt_started' as const, timestamp: timestamp(time), session_id: sessionId };
  return {
    aggregate: begun,
    events: [{ ...event, run_id: run.id, number, reason }],
    effects: [{ kind: 'begin', resume: conversationOf(begun.run, attempt), timeoutMs: timeLeft(run) }],
  };
}

function takeEnd(aggregate: RunAggregate, input: InputOf<'ended'>): RunDecision {
  const decision = decideEnd(aggregate, input);
  if (!input.end.asked || decision.aggregate.questions || aggregate.run.session_id === null) return decision;
  return { ...decision, effects: [...decision.effects, { kind: 'withdraw', sessionId: aggregate.run.session_id }] };
}

function decideEnd(aggregate: RunAggregate, { end: ended, nextSessionId, time }: InputOf<'ended'>): RunDecision {
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
function takeFailedStart(aggregate: RunAggregate, { error, time }: InputOf<'not_started'>): RunDecision {
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

// ── questions ───────────────────────────────────────────────────────────────────────────────────────────────────────

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

function takeAnswer(aggregate: RunAggregate, { itemId, answer }: InputOf<'answered'>): RunDecision {
  const { questions = [], run } = aggregate;
  if (!run.asking?.includes(itemId)) return ignore(aggregate, `it does not wait for an answer to ${itemId}`);
  return waitOrGoOn(aggregate, withAnswer(questions, itemId, answer));
}

function cancelAsking(aggregate: RunAggregate, { time }: InputOf<'cancelled'>): RunDecision {
  const { session_id: sessionId } = aggregate.run;
  if (sessionId === null) return ignore(aggregate, 'it asks without a session');
  return {
    ...over(aggregateOnly(aggregate), 'cancelled', CANCELLED, time),
    effects: [{ kind: 'withdraw', sessionId }],
  };
}

const unanswerable = ([first]: readonly RunQuestion[]): RunError => ({
  error: 'UnansweredQuestionError',
  message:
    `the agent ended with a question (${briefly(first?.question ?? '')}), and there is no conversation in ` +
    'which it could be answered',
});

// ── tool calls ──────────────────────────────────────────────────────────────────────────────────────────────────────

function submit(aggregate: RunAggregate, { callId, data, time }: InputOf<'submitted'>): RunDecision {
  const { run, submission } = aggregate;
  if (submission) return ignore(aggregate, `the call ${submission.callId} counts already`);
  if (!takesCalls(aggregate) || !run.tool || run.session_id === null || !run.task_id)
    return ignore(aggregate, 'it does not have to call a tool');
  const at = timestamp(time);
  const about = { timestamp: at, task_id: run.task_id, run_id: run.id, session_id: run.session_id };
  const event: NewEventOf =
    run.tool === 'planner-output'
      ? { event_type: 'planner_output_submitted', ...about, output: data }
      : // its schema was checked
        { event_type: 'completion_report_submitted', ...about, report: data as unknown as CompletionReport };
  return {
    aggregate: { ...aggregate, submission: { callId, data, sessionId: run.session_id, at } },
    events: [event],
    effects: [],
  };
}

/** True if the required call was made. It counts however the program ends, unless the run is being cancelled. */
const hasDecided = (aggregate: RunAggregate): aggregate is RunAggregate & { readonly submission: Submission } =>
  aggregate.submission !== undefined && aggregate.ending?.error !== CANCELLED.error;

const bySubmission = (done: RunDecision, { data }: Submission, time: number): RunDecision =>
  over(withResult(done, { result_data: data as Run['result_data'] }), 'completed', null, time);

/** True if its agent is working and has not made the required call. */
export const takesCalls = ({ run, ending }: RunAggregate): boolean =>
  run.state === 'running' && !run.asking && run.tool !== undefined && ending === null;

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

function endAttempt(aggregate: RunAggregate, time: number, fields: Partial<RunAttempt>): RunDecision {
  const { run } = aggregate;
  const last = run.attempts.at(-1);
  if (!last) return aggregateOnly(aggregate);
  const attempt: RunAttempt = { ...last, ...fields, ended_at: timestamp(time) };
  const { session_id, number, exit_code, verdict, error, usage } = attempt;
  const event = { event_type: 'run_attempt_ended' as const, timestamp: timestamp(time), session_id };
  return {
    aggregate: withRun(aggregate, { attempts: [...run.attempts.slice(0, -1), attempt] }),
    events: [{ ...event, run_id: run.id, number, exit_code, verdict, error, usage }],
    effects: [],
  };
}

// ── limits ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function queueAgain(aggregate: RunAggregate): RunDecision {
  return {
    aggregate: withRun(aggregate, { state: 'queued', resumes_at: null }),
    events: [],
    effects: [{ kind: 'queue' }],
  };
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

// ── the end ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const CANCELLED: RunError = { error: 'RunCancelled', message: 'it was cancelled' };
const endStateOf = ({ error }: RunError): 'cancelled' | 'failed' =>
  error === CANCELLED.error ? 'cancelled' : 'failed';
const EMPTY: RunError = { error: 'EmptyResultError', message: 'the agent ended without a word' };
const timeoutError = ({ limits }: Run): RunError => ({
  error: 'RunTimeoutError',
  message: `it took longer than ${limits.timeout ?? 0} s`,
});

/** Ends the run: immediately if no program runs, otherwise after its program has ended. */
function end(aggregate: RunAggregate, error: RunError, time: number): RunDecision {
  const { run } = aggregate;
  if (run.state !== 'running' || run.session_id === null) {
    return over(aggregateOnly(aggregate), endStateOf(error), error, time);
  }
  return {
    aggregate: { ...aggregate, ending: error },
    events: [],
    effects: [killOf(aggregate, run.session_id)],
  };
}

const killOf = ({ endedBy }: RunAggregate, sessionId: string): RunEffect => ({
  kind: 'kill',
  sessionId,
  ...(endedBy !== undefined && { by: endedBy }),
});

function withResult(done: RunDecision, result: Partial<Run>): RunDecision {
  return { ...done, aggregate: withRun(done.aggregate, result) };
}

function over(
  done: RunDecision,
  state: 'completed' | 'failed' | 'cancelled',
  error: RunError | null,
  time: number,
): RunDecision {
  const { questions: _asked, ...rest } = done.aggregate;
  const { asking: _asking, ...run } = rest.run;
  const aggregate = withRun({ ...rest, run }, { state, error, ended_at: timestamp(time), resumes_at: null });
  const { id, session_id, result_text, result_data, result_human } = aggregate.run;
  const event = {
    event_type: 'result' as const,
    timestamp: timestamp(time),
    ...(session_id !== null && { session_id }),
    run_id: id,
    status: state,
    result_text,
    result_data,
    ...purposeOf(aggregate.run),
    ...(result_human !== null && { result_human }),
    error,
  };
  return { aggregate, events: [...done.events, event], effects: [] };
}

/** Returns the task or the workflow that the run belongs to. */
const purposeOf = ({ task_id, workflow_id }: Run) => ({
  ...(task_id !== undefined && { task_id }),
  ...(workflow_id !== undefined && { workflow_id }),
});

const withRun = (aggregate: RunAggregate, changes: Partial<Run>): RunAggregate => ({
  ...aggregate,
  run: { ...aggregate.run, ...changes },
});
