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
 */
import { type CompletionReport, isRunOver, type NewEventOf, type Run, type RunError } from '../../protocol/index.js';
import { briefly } from '../briefly.js';
import { aggregateOnly, ignore } from '../decided.js';
import { timeOf, timestamp } from '../timestamp.js';
import type { RunAggregate, RunDecision, RunEffect, RunInput, RunInputOf } from './run-aggregate.js';
import { answerPrompt, waitOrGoOn, withAnswer } from './run-asks.js';
import { takeEnd, takeFailedStart } from './run-end.js';
import { begin, CANCELLED, endStateOf, over, purposeOf, withRun } from './run-steps.js';
import { conversationOf, timeLeft } from './run-usage.js';

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

type Rules = { readonly [K in RunInput['kind']]?: (aggregate: RunAggregate, input: RunInputOf<K>) => RunDecision };

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

function takeTurn({ questions, ...aggregate }: RunAggregate, { sessionId, time }: RunInputOf<'turn'>): RunDecision {
  const last = aggregate.run.attempts.at(-1);
  if (questions)
    return begin(aggregate, { reason: 'answer', prompt: answerPrompt(aggregate.run, questions), sessionId, time });
  return last === undefined
    ? begin(aggregate, { reason: 'start', prompt: aggregate.run.prompt, sessionId, time })
    : begin(aggregate, { reason: 'limit_over', prompt: last.prompt, sessionId, time });
}

function takeAnswer(aggregate: RunAggregate, { itemId, answer }: RunInputOf<'answered'>): RunDecision {
  const { questions = [], run } = aggregate;
  if (!run.asking?.includes(itemId)) return ignore(aggregate, `it does not wait for an answer to ${itemId}`);
  return waitOrGoOn(aggregate, withAnswer(questions, itemId, answer));
}

function cancelAsking(aggregate: RunAggregate, { time }: RunInputOf<'cancelled'>): RunDecision {
  const { session_id: sessionId } = aggregate.run;
  if (sessionId === null) return ignore(aggregate, 'it asks without a session');
  return {
    ...over(aggregateOnly(aggregate), 'cancelled', CANCELLED, time),
    effects: [{ kind: 'withdraw', sessionId }],
  };
}

function submit(aggregate: RunAggregate, { callId, data, time }: RunInputOf<'submitted'>): RunDecision {
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

/** True if its agent is working and has not made the required call. */
export const takesCalls = ({ run, ending }: RunAggregate): boolean =>
  run.state === 'running' && !run.asking && run.tool !== undefined && ending === null;

function queueAgain(aggregate: RunAggregate): RunDecision {
  return {
    aggregate: withRun(aggregate, { state: 'queued', resumes_at: null }),
    events: [],
    effects: [{ kind: 'queue' }],
  };
}

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
