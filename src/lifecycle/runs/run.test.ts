import { describe, expect, expectTypeOf, it, test } from 'vitest';
import {
  runAggregate as aggregate,
  ended,
  LIMITED as limited,
  NOW,
  OWING,
  RUN_INPUTS,
  RUN_STATES,
  SUBMITTED,
  TURN as turn,
  UNFIT as wrong,
} from '../../../test/harness/lifecycle-samples.js';
import { playerOf } from '../../../test/harness/play.js';
import type { RunState } from '../../protocol/index.js';
import {
  BLIND_WAIT_MS,
  createRun,
  decideRun,
  MAX_BLIND_WAITS,
  ownUsage,
  type RunDecision,
  type RunInput,
  resumeRun,
} from '../index.js';

const play = playerOf(decideRun);
const types = ({ events }: RunDecision): string[] => events.map(({ event_type }) => event_type);

test('a run is created, waits in the queue, starts a conversation and completes with its text', () => {
  expect(createRun(aggregate())).toMatchObject({
    effects: [{ kind: 'queue' }],
    events: [{ event_type: 'run_created' }],
  });
  const begun = play(aggregate(), turn);
  expect(begun.effects).toEqual([{ kind: 'begin', resume: null, timeoutMs: null }]);
  expect(begun.aggregate.run).toMatchObject({ state: 'running', session_id: 'ses_1' });
  const done = play(aggregate(), turn, ended({}));
  expect(done.aggregate.run).toMatchObject({
    state: 'completed',
    result_text: 'Done.',
    result_data: null,
    error: null,
  });
  expect(types(done)).toEqual(['run_attempt_started', 'run_attempt_ended', 'result']);
  expect(done.events.at(-1)).toMatchObject({ status: 'completed', session_id: 'ses_1', result_text: 'Done.' });
});

test('an interactive run continues in its session, even if the id of the conversation is unknown', () => {
  const unknown = { agentSessionId: null };
  const interactive = { keep: false };
  const schema = aggregate({ output_schema: {}, output_format: 'json' });
  expect(play(schema, turn, ended({ ...unknown, verdict: wrong })).aggregate.run.state).toBe('failed');
  const retried = play({ ...schema, interactive }, turn, ended({ ...unknown, verdict: wrong }));
  expect(retried.aggregate.run.attempts).toMatchObject([{}, { reason: 'retry', prompt: 'Again' }]);
  const left = play({ ...schema, interactive }, turn, ended({ ...unknown, verdict: wrong, hasLeft: true }));
  expect(left.aggregate.run).toMatchObject({ attempts: [{}], state: 'failed', error: { errors: wrong.errors } });
  const reminded = play({ ...OWING, interactive }, turn, ended(unknown));
  expect(reminded.aggregate.run.attempts).toMatchObject([{}, { reason: 'reminder' }]);
});

test('retries once in the same conversation if the text does not fit the schema, and then fails', () => {
  const schema = aggregate({ output_schema: {}, output_format: 'json' });
  const retried = play(schema, turn, ended({ verdict: wrong }));
  expect(retried.effects).toEqual([{ kind: 'begin', resume: 'abc', timeoutMs: null }]);
  expect(retried.aggregate.run.attempts).toMatchObject([
    { number: 1, reason: 'start', text: 'Done.', verdict: { ok: false, errors: wrong.errors } },
    { number: 2, reason: 'retry', session_id: 'ses_next', prompt: 'Again', ended_at: null },
  ]);
  const right = play(
    schema,
    turn,
    ended({ verdict: wrong }),
    ended({ verdict: { ok: true, value: { a: 1 }, human: null } }),
  );
  expect(right.aggregate.run).toMatchObject({ state: 'completed', result_data: { a: 1 }, result_text: null });
  const failed = play(schema, turn, ended({ verdict: wrong }), ended({ verdict: wrong }));
  expect(failed.aggregate.run).toMatchObject({
    state: 'failed',
    result_text: null,
    result_data: null,
    error: {
      error: 'OutputSchemaValidationError',
      message: 'Output validation failed after 1 retry',
      errors: [{ path: '$.a', message: "'a' is a required property" }],
    },
  });
  expect(failed.effects).toEqual([]);
});

test('fails without retry if the conversation is unknown, but starts a plain program again', () => {
  const schema = { output_schema: {}, output_format: 'json' } as const;
  const lost = play(aggregate(schema), turn, ended({ verdict: wrong, agentSessionId: null }));
  expect(lost.aggregate.run).toMatchObject({ state: 'failed', error: { error: 'OutputSchemaValidationError' } });
  const plain = play(aggregate({ ...schema, adapter: 'shell' }), turn, ended({ verdict: wrong, agentSessionId: null }));
  expect(plain.effects).toEqual([{ kind: 'begin', resume: null, timeoutMs: null }]);
});

test('completes with both parts of an envelope, or fails with the error in it', () => {
  const envelope = aggregate({ output_format: 'envelope' });
  const value = { status: 'partial', issues: [] };
  const partial = play(envelope, turn, ended({ verdict: { ok: true, value, human: '## Done' } }));
  expect(partial.aggregate.run).toMatchObject({ state: 'completed', result_data: value, result_human: '## Done' });
  expect(partial.events.at(-1)).toMatchObject({ result_human: '## Done', result_text: null });
  const error = { type: 'DependencyError', message: "Package 'bcrypt' not found", resolution: 'npm install bcrypt' };
  const own = play(envelope, turn, ended({ verdict: { ok: true, value: { status: 'failed', error }, human: '' } }));
  expect(own.aggregate.run).toMatchObject({
    state: 'failed',
    result_data: null,
    error: { error: 'AgentFailed', ...error },
  });
});

test('fails with the reason if the agent says nothing or fails', () => {
  expect(play(aggregate(), turn, ended({ text: null })).aggregate.run.error).toMatchObject({
    error: 'EmptyResultError',
  });
  const error = { error: 'AgentError', message: 'no credit' };
  const failed = play(aggregate(), turn, ended({ error, exitCode: 1 }));
  expect(failed.aggregate.run).toMatchObject({
    state: 'failed',
    error,
    attempts: [{ exit_code: 1, error: 'no credit' }],
  });
  const missing = play(aggregate(), turn, { kind: 'not_started', error, time: NOW });
  expect(missing.aggregate.run).toMatchObject({ state: 'failed', error });
});

test('is cancelled, not failed, if it was cancelled before its program failed to start', () => {
  const error = { error: 'AgentStartError', message: 'no' };
  const both = play(aggregate(), turn, { kind: 'cancelled', time: NOW }, { kind: 'not_started', error, time: NOW });
  expect(both.aggregate.run).toMatchObject({
    state: 'cancelled',
    error: { error: 'RunCancelled' },
    attempts: [{ error: 'no' }],
  });
});

describe('a run whose account is rate limited', () => {
  const resetsAt = NOW + 3_600_000;

  it('waits until the limit is over, and then starts again with the same prompt', () => {
    const held = play(aggregate(), turn, ended({ ...limited, limit: { resetsAt } }));
    expect(held.aggregate.run).toMatchObject({
      state: 'rate_limited',
      attempts: [{ text: null, error: 'limit reached' }],
    });
    expect(held.effects).toMatchObject([{ kind: 'wait' }]);
    expect(Date.parse(held.aggregate.run.resumes_at ?? '')).toBeGreaterThan(resetsAt);
    const over = play(held.aggregate, { kind: 'limit_over', time: resetsAt });
    expect(over).toMatchObject({
      effects: [{ kind: 'queue' }],
      aggregate: { run: { state: 'queued', resumes_at: null } },
    });
    const again = play(over.aggregate, { ...turn, sessionId: 'ses_2', time: resetsAt });
    expect(again.effects).toMatchObject([{ kind: 'begin', resume: null }]);
    expect(again.aggregate.run.attempts[1]).toMatchObject({
      reason: 'limit_over',
      prompt: 'Summarize',
      session_id: 'ses_2',
    });
  });

  it('resumes the conversation if a retry was rate limited', () => {
    const schema = aggregate({ output_schema: {}, output_format: 'json' });
    const held = play(schema, turn, ended({ verdict: wrong }), ended({ ...limited, limit: { resetsAt } }));
    const again = play(held.aggregate, { kind: 'limit_over', time: resetsAt }, { ...turn, time: resetsAt });
    expect(again.effects).toMatchObject([{ kind: 'begin', resume: 'abc' }]);
    expect(again.aggregate.run.attempts.at(-1)).toMatchObject({ prompt: 'Again', reason: 'limit_over' });
    expect(play(again.aggregate, ended({ verdict: wrong })).aggregate.run.state).toBe('failed');
  });

  it('fails after MAX_BLIND_WAITS waits without a known reset time', () => {
    let now = aggregate();
    for (let waits = 0; waits <= MAX_BLIND_WAITS; waits++) {
      const held = play(now, turn, ended({ ...limited, limit: { resetsAt: null } }, NOW));
      if (waits === MAX_BLIND_WAITS)
        expect(held.aggregate.run).toMatchObject({ state: 'failed', error: { error: 'RateLimitError' } });
      else expect(held.effects).toEqual([{ kind: 'wait', until: NOW + BLIND_WAIT_MS }]);
      now = play(held.aggregate, { kind: 'limit_over', time: NOW }).aggregate;
    }
  });
});

describe('cancelling a run or exceeding its timeout', () => {
  it('kills the program, and ends the run once the program is gone', () => {
    const killed = play(aggregate(), turn, { kind: 'cancelled', time: NOW });
    expect(killed.effects).toEqual([{ kind: 'kill', sessionId: 'ses_1' }]);
    expect(killed.aggregate.run.state).toBe('running');
    expect(play(killed.aggregate, { kind: 'cancelled', time: NOW }).effects).toEqual([]);
    const gone = play(killed.aggregate, ended({ text: 'too late', exitCode: null }));
    expect(gone.aggregate.run).toMatchObject({
      state: 'cancelled',
      result_text: null,
      error: { error: 'RunCancelled' },
    });
    expect(gone.aggregate.run.attempts).toMatchObject([{ text: 'too late' }]);
  });

  it('ends a waiting run at once', () => {
    expect(play(aggregate(), { kind: 'cancelled', time: NOW }).aggregate.run).toMatchObject({ state: 'cancelled' });
    const held = play(aggregate(), turn, ended({ ...limited, limit: { resetsAt: null } }), {
      kind: 'cancelled',
      time: NOW,
    });
    expect(held.aggregate.run).toMatchObject({ state: 'cancelled', resumes_at: null });
    expect(held.events.at(-1)).toMatchObject({ event_type: 'result', status: 'cancelled' });
  });

  it('fails the run with RunTimeoutError when the timeout is exceeded', () => {
    const late = play(aggregate({ limits: { timeout: 5 } }), turn, { kind: 'timed_out', time: NOW }, ended({}));
    expect(late.aggregate.run).toMatchObject({
      state: 'failed',
      error: { error: 'RunTimeoutError', message: 'it took longer than 5 s' },
    });
  });
});

test('adds up time, tokens and cost of all attempts for its limits', () => {
  const usage = { input_tokens: 100, output_tokens: 10, cached_input_tokens: null, cost_usd: 0.5, turns: 1 };
  const limits = { timeout: 60, max_cost: 2 };
  const schema = aggregate({ output_schema: {}, output_format: 'json', limits });
  expect(play(schema, turn).effects).toMatchObject([{ timeoutMs: 60_000 }]);
  const retry = play(schema, turn, ended({ verdict: wrong, usage }, NOW + 45_000));
  expect(retry.effects).toMatchObject([{ timeoutMs: 15_000 }]);
  const done = play(retry.aggregate, ended({ usage }));
  expect(done.aggregate.run.usage).toEqual({ ...usage, input_tokens: 200, output_tokens: 20, cost_usd: 1, turns: 2 });
  const dear = play(schema, turn, ended({ verdict: wrong, usage: { ...usage, cost_usd: 3 } }));
  expect(dear.aggregate.run).toMatchObject({ state: 'failed', error: { error: 'CostLimitError' } });
});

test('ownUsage subtracts earlier attempts if a program reports totals of its conversation', () => {
  const usage = (tokens: number, cost_usd: number) => ({
    input_tokens: tokens,
    output_tokens: tokens,
    cached_input_tokens: null,
    cost_usd,
    turns: null,
  });
  const schema = aggregate({ output_schema: {}, output_format: 'json' });
  const retry = play(schema, turn, ended({ verdict: wrong, usage: usage(100, 0.5) }));
  expect(ownUsage(retry.aggregate.run, usage(250, 0.75))).toEqual(usage(150, 0.25));
  expect(ownUsage(play(schema, turn).aggregate.run, usage(100, 0.5))).toEqual(usage(100, 0.5));
  const held = play(schema, turn, ended({ ...limited, usage: usage(30, 0), limit: { resetsAt: NOW } }));
  const again = play(held.aggregate, { kind: 'limit_over', time: NOW }, turn);
  expect(ownUsage(again.aggregate.run, usage(100, 0.5))).toEqual(usage(100, 0.5));
});

test('the next daemon resumes a run in its state, and kills one that is being ended', () => {
  expect(resumeRun(aggregate())).toEqual([{ kind: 'queue' }]);
  const running = play(aggregate(), turn).aggregate;
  expect(resumeRun(running)).toEqual([{ kind: 'begin', resume: null, timeoutMs: null }]);
  const ending = play(running, { kind: 'cancelled', time: NOW }).aggregate;
  expect(resumeRun(ending)).toMatchObject([{ kind: 'begin' }, { kind: 'kill', sessionId: 'ses_1' }]);
  const retrying = play(
    aggregate({ output_schema: {}, output_format: 'json' }),
    turn,
    ended({ verdict: wrong }),
  ).aggregate;
  expect(resumeRun(retrying)).toMatchObject([{ kind: 'begin', resume: 'abc' }]);
  const held = play(aggregate(), turn, ended({ ...limited, limit: { resetsAt: NOW + 5 } })).aggregate;
  expect(resumeRun(held)).toMatchObject([{ kind: 'wait' }]);
  expect(resumeRun(play(running, ended({})).aggregate)).toEqual([]);
});

/** The state after each input. Inputs that are not listed change nothing. */
const BECOMES: Readonly<Record<keyof typeof RUN_STATES, Partial<Record<keyof typeof RUN_INPUTS, RunState>>>> = {
  queued: { turn: 'running', not_started: 'failed', timed_out: 'failed', cancelled: 'cancelled' },
  running: {
    'ended, and its text fits': 'completed',
    'ended with an error': 'failed',
    'ended, and the account is used up': 'rate_limited',
    not_started: 'failed',
  },
  'running, and asks': { 'answered, the last': 'queued', cancelled: 'cancelled' },
  'running, and owes a call': { 'ended, and the account is used up': 'rate_limited', not_started: 'failed' },
  'running, and has made its call': {
    'ended, and its text fits': 'completed',
    'ended, and its text does not fit': 'completed',
    'ended with an error': 'completed',
    'ended, and the account is used up': 'completed',
    'ended with a question': 'completed',
    not_started: 'completed',
  },
  'running, and is being ended': {
    'ended, and its text fits': 'cancelled',
    'ended, and its text does not fit': 'cancelled',
    'ended with an error': 'cancelled',
    'ended, and the account is used up': 'cancelled',
    'ended with a question': 'cancelled',
    not_started: 'cancelled',
  },
  rate_limited: { limit_over: 'queued', not_started: 'failed', timed_out: 'failed', cancelled: 'cancelled' },
  completed: {},
  failed: {},
  cancelled: {},
};

test('each kind of input is among those that are tried', () => {
  type Tried = (typeof RUN_INPUTS)[keyof typeof RUN_INPUTS]['kind'];
  expectTypeOf<Exclude<RunInput['kind'], Tried>>().toBeNever(); // otherwise the compiler names the missing kinds
});

describe.each(Object.keys(RUN_STATES) as (keyof typeof RUN_STATES)[])('a run in state %s', (state) => {
  it.each(Object.keys(RUN_INPUTS) as (keyof typeof RUN_INPUTS)[])(
    'changes on `%s` as the table says, and reports its result once',
    (kind) => {
      const before = RUN_STATES[state];
      const { aggregate: after, events, effects, ignored } = decideRun(before, RUN_INPUTS[kind]);
      expect(after.run.state).toBe(BECOMES[state][kind] ?? before.run.state);
      const hasEnded = after.run.ended_at !== null && before.run.ended_at === null;
      expect(events.filter(({ event_type }) => event_type === 'result')).toHaveLength(hasEnded ? 1 : 0);
      if (before.run.ended_at !== null) expect(ignored).toBeDefined();
      // An input changes the aggregate, or it says why it changes nothing.
      expect(after === before).toBe(ignored !== undefined);
      if (ignored !== undefined) expect([events, effects]).toEqual([[], []]);
    },
  );
});

describe('a run that must call the completion-report tool', () => {
  const REMINDER = 'You must call the completion-report tool before finishing. Please call it now.';

  it('completes with the call, however its program ends, unless it is cancelled', () => {
    for (const end of [{}, { text: null, exitCode: null, error: { error: 'AgentError', message: 'SIGKILL' } }]) {
      const done = play(OWING, turn, SUBMITTED, ended(end));
      expect(done.aggregate.run).toMatchObject({ state: 'completed', result_data: { summary: 'Done' }, error: null });
      expect(types(done)).toEqual([
        'run_attempt_started',
        'completion_report_submitted',
        'run_attempt_ended',
        'result',
      ]);
    }
    const late = play(OWING, turn, SUBMITTED, { kind: 'timed_out', time: NOW }, ended({ text: null }));
    expect(late.aggregate.run.state).toBe('completed');
    const cancelled = play(OWING, turn, SUBMITTED, { kind: 'cancelled', time: NOW }, ended({ text: null }));
    expect(cancelled.aggregate.run).toMatchObject({ state: 'cancelled', result_data: null });
  });

  it('is reminded twice in the same conversation, and then fails and names the tool', () => {
    const once = play(OWING, turn, ended({ text: null }));
    expect(once.effects).toEqual([{ kind: 'begin', resume: 'abc', timeoutMs: null }]);
    expect(once.aggregate.run.attempts.at(-1)).toMatchObject({ reason: 'reminder', prompt: REMINDER });
    const twice = play(once.aggregate, ended({ error: { error: 'AgentError', message: 'exit code 1' }, exitCode: 1 }));
    expect(twice.effects).toMatchObject([{ kind: 'begin', resume: 'abc' }]);
    const never = play(twice.aggregate, ended({ error: { error: 'AgentError', message: 'exit code 1' }, exitCode: 1 }));
    expect(never.aggregate.run).toMatchObject({
      state: 'failed',
      error: {
        error: 'MissingToolCallError',
        message: 'the agent never called completion-report, not after 2 reminders either: exit code 1',
      },
    });
    const after = play(twice.aggregate, SUBMITTED, ended({}));
    expect(after.aggregate.run.state).toBe('completed');
  });

  it('resumes its conversation with the reminder after a rate limit', () => {
    const held = play(OWING, turn, ended({ text: null }), ended({ ...limited, limit: { resetsAt: NOW } })).aggregate;
    const again = play(held, { kind: 'limit_over', time: NOW }, turn);
    expect(again.effects).toMatchObject([{ kind: 'begin', resume: 'abc' }]);
    expect(again.aggregate.run.attempts.at(-1)).toMatchObject({ reason: 'limit_over', prompt: REMINDER });
  });

  it('fails at once if there is no conversation or it is lost', () => {
    const none = play(OWING, turn, ended({ agentSessionId: null }));
    expect(none.aggregate.run.error?.message).toMatch(/and there is no conversation in which it could be reminded$/);
    const lost = play(OWING, turn, ended({ error: { error: 'ConversationLostError', message: 'gone' } }));
    expect(lost.aggregate.run.state).toBe('failed');
  });

  it('accepts only the first call', () => {
    const { aggregate: first } = play(OWING, turn, SUBMITTED);
    const second = decideRun(first, { ...SUBMITTED, callId: 'c2', data: { summary: 'Other' } });
    expect([second.aggregate, second.events]).toEqual([first, []]);
  });
});
