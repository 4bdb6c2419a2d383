import { describe, expect, it, test } from 'vitest';
import type { Run, RunState } from '../protocol/index.js';
import {
  type AttemptEnd,
  BLIND_WAIT_MS,
  createRun,
  decideRun,
  MAX_BLIND_WAITS,
  ownUsage,
  type RunBook,
  type RunDecision,
  type RunInput,
  resumeRun,
} from './index.js';

const NOW = Date.UTC(2026, 0, 1);
const RUN: Run = {
  ...{ id: 'run_1', state: 'queued', blueprint: null, project: null, adapter: 'claude', model: null },
  ...{ prompt: 'Summarize', input: null, system: null, output_schema: null, output_format: 'text', limits: {} },
  ...{ cwd: '/', parent_session_id: null, retry_of: null, session_id: null, agent_session_id: null, attempts: [] },
  ...{ result_text: null, result_data: null, result_human: null, error: null, usage: null, resumes_at: null },
  ...{ created_at: '2026-01-01T00:00:00.000Z', started_at: null, ended_at: null },
};
const book = (changes: Partial<Run> = {}): RunBook => ({
  ...{ run: { ...RUN, ...changes }, args: [], umask: 0o022, ending: null, blindWaits: 0 },
});
const END: AttemptEnd = {
  ...{ exitCode: 0, text: 'Done.', agentSessionId: 'abc', usage: null, error: null, limit: null, verdict: null },
};
const ended = (end: Partial<AttemptEnd>, time = NOW + 1000): RunInput => ({
  ...{ kind: 'ended', end: { ...END, ...end }, nextSessionId: 'ses_next', time },
});
const turn: RunInput = { kind: 'turn', sessionId: 'ses_1', time: NOW };
const wrong = { ok: false, errors: [{ path: '$.a', message: "'a' is a required property" }], prompt: 'Again' } as const;
const limited = { text: null, error: { error: 'AgentError', message: 'limit reached' } };

/** What all of it comes to, one after the other. */
function play(start: RunBook, ...inputs: readonly RunInput[]): RunDecision {
  let decision: RunDecision = { book: start, events: [], effects: [] };
  for (const input of inputs) {
    const next = decideRun(decision.book, input);
    decision = { ...next, events: [...decision.events, ...next.events] };
  }
  return decision;
}
const types = ({ events }: RunDecision): string[] => events.map(({ event_type }) => event_type);

test('a run is created, waits for its turn, begins a conversation of its own and completes with its text', () => {
  expect(createRun(book())).toMatchObject({ effects: [{ kind: 'queue' }], events: [{ event_type: 'run_created' }] });
  const begun = play(book(), turn);
  expect(begun.effects).toEqual([{ kind: 'begin', resume: null, timeoutMs: null }]);
  expect(begun.book.run).toMatchObject({ state: 'running', session_id: 'ses_1' });
  const done = play(book(), turn, ended({}));
  expect(done.book.run).toMatchObject({ state: 'completed', result_text: 'Done.', result_data: null, error: null });
  expect(types(done)).toEqual(['run_attempt_started', 'run_attempt_ended', 'result']);
  expect(done.events.at(-1)).toMatchObject({ status: 'completed', session_id: 'ses_1', result_text: 'Done.' });
});

test('a text that does not fit is told so once, in the same conversation', () => {
  const schema = book({ output_schema: {}, output_format: 'json' });
  const told = play(schema, turn, ended({ verdict: wrong }));
  expect(told.effects).toEqual([{ kind: 'begin', resume: 'abc', timeoutMs: null }]);
  expect(told.book.run.attempts).toMatchObject([
    { number: 1, reason: 'start', text: 'Done.', verdict: { ok: false, errors: wrong.errors } },
    { number: 2, reason: 'retry', session_id: 'ses_next', prompt: 'Again', ended_at: null },
  ]);
  const right = play(
    schema,
    turn,
    ended({ verdict: wrong }),
    ended({ verdict: { ok: true, value: { a: 1 }, human: null } }),
  );
  expect(right.book.run).toMatchObject({ state: 'completed', result_data: { a: 1 }, result_text: null });
  const failed = play(schema, turn, ended({ verdict: wrong }), ended({ verdict: wrong }));
  expect(failed.book.run).toMatchObject({
    ...{ state: 'failed', result_text: null, result_data: null },
    error: {
      ...{ error: 'OutputSchemaValidationError', message: 'Output validation failed after 1 retry' },
      errors: [{ path: '$.a', message: "'a' is a required property" }],
    },
  });
  expect(failed.effects).toEqual([]);
});

test('an agent whose conversation is not known cannot be told, and a plain program is started again', () => {
  const schema = { output_schema: {}, output_format: 'json' } as const;
  const lost = play(book(schema), turn, ended({ verdict: wrong, agentSessionId: null }));
  expect(lost.book.run).toMatchObject({ state: 'failed', error: { error: 'OutputSchemaValidationError' } });
  const plain = play(book({ ...schema, adapter: 'shell' }), turn, ended({ verdict: wrong, agentSessionId: null }));
  expect(plain.effects).toEqual([{ kind: 'begin', resume: null, timeoutMs: null }]);
});

test('an envelope completes with both of its parts, or fails with its own error', () => {
  const envelope = book({ output_format: 'envelope' });
  const value = { status: 'partial', issues: [] };
  const partial = play(envelope, turn, ended({ verdict: { ok: true, value, human: '## Done' } }));
  expect(partial.book.run).toMatchObject({ state: 'completed', result_data: value, result_human: '## Done' });
  expect(partial.events.at(-1)).toMatchObject({ result_human: '## Done', result_text: null });
  const error = { type: 'DependencyError', message: "Package 'bcrypt' not found", resolution: 'npm install bcrypt' };
  const own = play(envelope, turn, ended({ verdict: { ok: true, value: { status: 'failed', error }, human: '' } }));
  expect(own.book.run).toMatchObject({ state: 'failed', result_data: null, error: { error: 'AgentFailed', ...error } });
});

test('an agent that says nothing, or fails, fails the run with the reason, whatever its text', () => {
  expect(play(book(), turn, ended({ text: null })).book.run.error).toMatchObject({ error: 'EmptyResultError' });
  const error = { error: 'AgentError', message: 'no credit' };
  const failed = play(book(), turn, ended({ error, exitCode: 1 }));
  expect(failed.book.run).toMatchObject({ state: 'failed', error, attempts: [{ exit_code: 1, error: 'no credit' }] });
  const missing = play(book(), turn, { kind: 'not_started', error, time: NOW });
  expect(missing.book.run).toMatchObject({ state: 'failed', error });
});

test('a run that was cancelled while its program could not be started is cancelled', () => {
  const error = { error: 'AgentStartError', message: 'no' };
  const both = play(book(), turn, { kind: 'cancelled', time: NOW }, { kind: 'not_started', error, time: NOW });
  expect(both.book.run).toMatchObject({
    state: 'cancelled',
    error: { error: 'RunCancelled' },
    attempts: [{ error: 'no' }],
  });
});

describe('an account that is used up', () => {
  const resetsAt = NOW + 3_600_000;

  it('holds the run back until it may go on, and then asks the same again from the beginning', () => {
    const held = play(book(), turn, ended({ ...limited, limit: { resetsAt } }));
    expect(held.book.run).toMatchObject({ state: 'rate_limited', attempts: [{ text: null, error: 'limit reached' }] });
    expect(held.effects).toMatchObject([{ kind: 'wait' }]);
    expect(Date.parse(held.book.run.resumes_at ?? '')).toBeGreaterThan(resetsAt);
    const over = play(held.book, { kind: 'limit_over', time: resetsAt });
    expect(over).toMatchObject({ effects: [{ kind: 'queue' }], book: { run: { state: 'queued', resumes_at: null } } });
    const again = play(over.book, { ...turn, sessionId: 'ses_2', time: resetsAt });
    expect(again.effects).toMatchObject([{ kind: 'begin', resume: null }]);
    expect(again.book.run.attempts[1]).toMatchObject({
      reason: 'limit_over',
      prompt: 'Summarize',
      session_id: 'ses_2',
    });
  });

  it('goes on with the conversation where the retry was held back', () => {
    const schema = book({ output_schema: {}, output_format: 'json' });
    const held = play(schema, turn, ended({ verdict: wrong }), ended({ ...limited, limit: { resetsAt } }));
    const again = play(held.book, { kind: 'limit_over', time: resetsAt }, { ...turn, time: resetsAt });
    expect(again.effects).toMatchObject([{ kind: 'begin', resume: 'abc' }]);
    expect(again.book.run.attempts.at(-1)).toMatchObject({ prompt: 'Again', reason: 'limit_over' });
    expect(play(again.book, ended({ verdict: wrong })).book.run.state).toBe('failed');
  });

  it('is not waited for for ever where nobody knows until when', () => {
    let now = book();
    for (let waits = 0; waits <= MAX_BLIND_WAITS; waits++) {
      const held = play(now, turn, ended({ ...limited, limit: { resetsAt: null } }, NOW));
      if (waits === MAX_BLIND_WAITS)
        expect(held.book.run).toMatchObject({ state: 'failed', error: { error: 'RateLimitError' } });
      else expect(held.effects).toEqual([{ kind: 'wait', until: NOW + BLIND_WAIT_MS }]);
      now = play(held.book, { kind: 'limit_over', time: NOW }).book;
    }
  });
});

describe('an end from outside', () => {
  it('kills what runs, and is told when that is gone', () => {
    const killed = play(book(), turn, { kind: 'cancelled', time: NOW });
    expect(killed.effects).toEqual([{ kind: 'kill', sessionId: 'ses_1' }]);
    expect(killed.book.run.state).toBe('running');
    expect(play(killed.book, { kind: 'cancelled', time: NOW }).effects).toEqual([]);
    const gone = play(killed.book, ended({ text: 'too late', exitCode: null }));
    expect(gone.book.run).toMatchObject({ state: 'cancelled', result_text: null, error: { error: 'RunCancelled' } });
    expect(gone.book.run.attempts).toMatchObject([{ text: 'too late' }]);
  });

  it('of a run that waits is told at once', () => {
    expect(play(book(), { kind: 'cancelled', time: NOW }).book.run).toMatchObject({ state: 'cancelled' });
    const held = play(book(), turn, ended({ ...limited, limit: { resetsAt: null } }), { kind: 'cancelled', time: NOW });
    expect(held.book.run).toMatchObject({ state: 'cancelled', resumes_at: null });
    expect(held.events.at(-1)).toMatchObject({ event_type: 'result', status: 'cancelled' });
  });

  it('by its time fails it', () => {
    const late = play(book({ limits: { timeout: 5 } }), turn, { kind: 'timed_out', time: NOW }, ended({}));
    expect(late.book.run).toMatchObject({
      ...{ state: 'failed', error: { error: 'RunTimeoutError', message: 'it took longer than 5 s' } },
    });
  });
});

test('time counts while it runs, of all attempts together, and so do tokens and money', () => {
  const usage = { input_tokens: 100, output_tokens: 10, cached_input_tokens: null, cost_usd: 0.5, turns: 1 };
  const limits = { timeout: 60, max_cost: 2 };
  const schema = book({ output_schema: {}, output_format: 'json', limits });
  expect(play(schema, turn).effects).toMatchObject([{ timeoutMs: 60_000 }]);
  const retry = play(schema, turn, ended({ verdict: wrong, usage }, NOW + 45_000));
  expect(retry.effects).toMatchObject([{ timeoutMs: 15_000 }]);
  const done = play(retry.book, ended({ usage }));
  expect(done.book.run.usage).toEqual({ ...usage, input_tokens: 200, output_tokens: 20, cost_usd: 1, turns: 2 });
  const dear = play(schema, turn, ended({ verdict: wrong, usage: { ...usage, cost_usd: 3 } }));
  expect(dear.book.run).toMatchObject({ state: 'failed', error: { error: 'CostLimitError' } });
});

test('a program that tells the totals of its conversation is not counted twice', () => {
  const usage = (tokens: number, cost_usd: number) => ({
    ...{ input_tokens: tokens, output_tokens: tokens, cached_input_tokens: null, cost_usd, turns: null },
  });
  const schema = book({ output_schema: {}, output_format: 'json' });
  const retry = play(schema, turn, ended({ verdict: wrong, usage: usage(100, 0.5) }));
  expect(ownUsage(retry.book.run, usage(250, 0.75))).toEqual(usage(150, 0.25));
  expect(ownUsage(play(schema, turn).book.run, usage(100, 0.5))).toEqual(usage(100, 0.5));
  const held = play(schema, turn, ended({ ...limited, usage: usage(30, 0), limit: { resetsAt: NOW } }));
  const again = play(held.book, { kind: 'limit_over', time: NOW }, turn);
  expect(ownUsage(again.book.run, usage(100, 0.5))).toEqual(usage(100, 0.5));
});

test('what a daemon left is taken up where it stood, and what is being ended still is', () => {
  expect(resumeRun(book())).toEqual([{ kind: 'queue' }]);
  const running = play(book(), turn).book;
  expect(resumeRun(running)).toEqual([{ kind: 'begin', resume: null, timeoutMs: null }]);
  const ending = play(running, { kind: 'cancelled', time: NOW }).book;
  expect(resumeRun(ending)).toMatchObject([{ kind: 'begin' }, { kind: 'kill', sessionId: 'ses_1' }]);
  const retrying = play(book({ output_schema: {}, output_format: 'json' }), turn, ended({ verdict: wrong })).book;
  expect(resumeRun(retrying)).toMatchObject([{ kind: 'begin', resume: 'abc' }]);
  const held = play(book(), turn, ended({ ...limited, limit: { resetsAt: NOW + 5 } })).book;
  expect(resumeRun(held)).toMatchObject([{ kind: 'wait' }]);
  expect(resumeRun(play(running, ended({})).book)).toEqual([]);
});

const STATES: Readonly<Record<RunState, RunBook>> = {
  queued: book(),
  running: play(book(), turn).book,
  rate_limited: play(book(), turn, ended({ ...limited, limit: { resetsAt: NOW } })).book,
  completed: play(book(), turn, ended({})).book,
  failed: play(book(), turn, ended({ text: null })).book,
  cancelled: play(book(), { kind: 'cancelled', time: NOW }).book,
};
const INPUTS: Readonly<Record<RunInput['kind'], RunInput>> = {
  turn,
  ended: ended({}),
  not_started: { kind: 'not_started', error: { error: 'AgentStartError', message: 'no' }, time: NOW },
  submitted: { kind: 'submitted', callId: 'c', data: { summary: 'x' }, time: NOW },
  limit_over: { kind: 'limit_over', time: NOW },
  timed_out: { kind: 'timed_out', time: NOW },
  cancelled: { kind: 'cancelled', time: NOW },
};
/** What a state becomes by an input; what is not here stays as it was. */
const BECOMES: Readonly<Partial<Record<RunState, Partial<Record<RunInput['kind'], RunState>>>>> = {
  queued: { turn: 'running', not_started: 'failed', timed_out: 'failed', cancelled: 'cancelled' },
  running: { ended: 'completed', not_started: 'failed' },
  rate_limited: { limit_over: 'queued', not_started: 'failed', timed_out: 'failed', cancelled: 'cancelled' },
};

describe.each(Object.keys(STATES) as RunState[])('a run that is %s', (state) => {
  it.each(Object.keys(INPUTS) as RunInput['kind'][])('takes `%s` as its table says, and is told of once', (kind) => {
    const before = STATES[state];
    const { book: after, events } = decideRun(before, INPUTS[kind]);
    expect(after.run.state).toBe(BECOMES[state]?.[kind] ?? state);
    const hasEnded = after.run.ended_at !== null && before.run.ended_at === null;
    expect(events.filter(({ event_type }) => event_type === 'result')).toHaveLength(hasEnded ? 1 : 0);
    if (before.run.ended_at !== null) expect(after).toBe(before);
  });
});
