/** The steps that the rules of a run are made of: an attempt begins, an attempt ends, the run is over. Pure. */
import type { Run, RunAttempt, RunError } from '../../protocol/index.js';
import { aggregateOnly } from '../decided.js';
import { timestamp } from '../timestamp.js';
import type { RunAggregate, RunDecision } from './run-aggregate.js';
import { conversationOf, timeLeft } from './run-usage.js';

interface Beginning {
  readonly reason: RunAttempt['reason'];
  readonly prompt: string;
  readonly sessionId: string;
  readonly time: number;
}

export function begin(aggregate: RunAggregate, { reason, prompt, sessionId, time }: Beginning): RunDecision {
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

export function endAttempt(aggregate: RunAggregate, time: number, fields: Partial<RunAttempt>): RunDecision {
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

export const CANCELLED: RunError = { error: 'RunCancelled', message: 'it was cancelled' };
export const endStateOf = ({ error }: RunError): 'cancelled' | 'failed' =>
  error === CANCELLED.error ? 'cancelled' : 'failed';

export function withResult(done: RunDecision, result: Partial<Run>): RunDecision {
  return { ...done, aggregate: withRun(done.aggregate, result) };
}

export function over(
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
export const purposeOf = ({ task_id, workflow_id }: Run) => ({
  ...(task_id !== undefined && { task_id }),
  ...(workflow_id !== undefined && { workflow_id }),
});

export const withRun = (aggregate: RunAggregate, changes: Partial<Run>): RunAggregate => ({
  ...aggregate,
  run: { ...aggregate.run, ...changes },
});
