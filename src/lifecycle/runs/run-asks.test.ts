import { describe, expect, it } from 'vitest';
import {
  ASKED,
  runAggregate as aggregate,
  ended,
  LIMITED as limited,
  NOW,
  OWING,
  TURN as turn,
  UNFIT as wrong,
} from '../../../test/harness/lifecycle-samples.js';
import { playerOf } from '../../../test/harness/play.js';
import { decideRun, isAsked, type RunDecision, type RunInput, resumeRun } from '../index.js';

const play = playerOf(decideRun);
const types = ({ events }: RunDecision): string[] => events.map(({ event_type }) => event_type);

describe('a run whose agent ends with a question', () => {
  const answered = (itemId: string, answer: string | null = 'staging'): RunInput => ({
    kind: 'answered',
    itemId,
    answer,
    time: NOW + 5_000,
  });
  const asked = (...answers: readonly (string | null)[]) => ({
    questions: answers.map((answer, at) => ({ itemId: `itm_${at + 1}`, question: `Question ${at + 1}?`, answer })),
    isLast: true,
  });

  it('waits for the answer without a program, and then resumes the conversation', () => {
    const asking = play(aggregate({ limits: { timeout: 60 } }), turn, ended(ASKED));
    expect(asking.aggregate.run).toMatchObject({
      state: 'running',
      asking: ['itm_1'],
      result_text: null,
      ended_at: null,
    });
    expect(asking.effects).toEqual([{ kind: 'ask', itemIds: ['itm_1'] }]);
    expect(types(asking)).toEqual(['run_attempt_started', 'run_attempt_ended', 'run_asking']);
    const answer = play(asking.aggregate, answered('itm_1'));
    expect(answer).toMatchObject({ effects: [{ kind: 'queue' }], aggregate: { run: { state: 'queued' } } });
    expect(answer.aggregate.run.asking).toBeUndefined();
    const again = play(answer.aggregate, { ...turn, sessionId: 'ses_2', time: NOW + 900_000 });
    // the time spent waiting does not count against the timeout
    expect(again.effects).toEqual([{ kind: 'begin', resume: 'abc', timeoutMs: 59_000 }]);
    expect(again.aggregate.run.attempts.at(-1)).toMatchObject({
      reason: 'answer',
      prompt: 'staging',
      session_id: 'ses_2',
    });
    expect(play(again.aggregate, ended({})).aggregate.run).toMatchObject({ state: 'completed', result_text: 'Done.' });
  });

  it('waits for the last of several answers, and uses answers given before its end', () => {
    const asking = play(aggregate(), turn, ended({ asked: asked('JWT', null, null) }));
    expect(asking.aggregate.run.asking).toEqual(['itm_2', 'itm_3']);
    const one = play(asking.aggregate, answered('itm_3', null));
    expect(one.aggregate.run).toMatchObject({ state: 'running', asking: ['itm_2'] });
    // The first answer counts.
    expect(play(one.aggregate, answered('itm_3'), answered('itm_9')).aggregate).toEqual(one.aggregate);
    const all = play(one.aggregate, answered('itm_2'), turn);
    expect(all.aggregate.run.attempts.at(-1)?.prompt).toBe(
      '- Question 1?\n  JWT\n- Question 2?\n  staging\n- Question 3?\n  declined: decide this yourself',
    );
    const known = play(aggregate(), turn, ended({ asked: asked('JWT') }));
    expect(known).toMatchObject({ effects: [{ kind: 'queue' }], aggregate: { run: { state: 'queued' } } });
    expect(types(known)).not.toContain('run_asking');
  });

  it('completes or fails despite the question if it has a result or an error, and withdraws the question', () => {
    const withdraw = [{ kind: 'withdraw', sessionId: 'ses_1' }];
    const earlier = play(aggregate(), turn, ended({ asked: { ...asked(null), isLast: false } }));
    expect(earlier).toMatchObject({ aggregate: { run: { state: 'completed' } }, effects: withdraw });
    const schema = aggregate({ output_schema: {}, output_format: 'json' });
    const fits = { verdict: { ok: true, value: { a: 1 }, human: null }, asked: asked(null) } as const;
    expect(play(schema, turn, ended(fits)).aggregate.run).toMatchObject({ state: 'completed', result_data: { a: 1 } });
    const failed = play(aggregate(), turn, ended({ ...ASKED, error: { error: 'AgentError', message: 'no' } }));
    expect(failed).toMatchObject({ aggregate: { run: { state: 'failed' } }, effects: withdraw });
    const held = play(aggregate(), turn, ended({ ...ASKED, ...limited, limit: { resetsAt: NOW } }));
    expect(held.effects).toMatchObject([{ kind: 'wait' }, ...withdraw]);
  });

  it('waits for the answer if its text is missing, invalid or the question itself', () => {
    const schema = aggregate({ output_schema: {}, output_format: 'json' });
    const question = { type: 'QUESTION', data: { question: 'Which one?' } };
    const ends = [
      [aggregate(), { text: null, asked: { ...asked(null), isLast: false } }],
      [schema, { verdict: wrong, asked: { ...asked(null), isLast: false } }],
      [schema, { verdict: { ok: true, value: question, human: null }, asked: asked(null) }],
      [OWING, { asked: { ...asked(null), isLast: false } }],
    ] as const;
    for (const [start, end] of ends) expect(play(start, turn, ended(end)).aggregate.run.asking).toEqual(['itm_1']);
  });

  it('may still be retried and reminded after an answer', () => {
    const schema = aggregate({ output_schema: {}, output_format: 'json' });
    const asking = play(schema, turn, ended({ ...ASKED, verdict: wrong }), answered('itm_1'), turn);
    const retry = play(asking.aggregate, ended({ verdict: wrong }));
    expect(retry.aggregate.run.attempts.map(({ reason }) => reason)).toEqual(['start', 'answer', 'retry']);
    const owing = play(OWING, turn, ended(ASKED), answered('itm_1'), turn, ended({ text: null }));
    expect(owing.aggregate.run.attempts.map(({ reason }) => reason)).toEqual(['start', 'answer', 'reminder']);
  });

  it('fails without a conversation, but a plain program is started again with the full prompt', () => {
    const none = play(aggregate(), turn, ended({ ...ASKED, agentSessionId: null }));
    expect(none.aggregate.run.error).toEqual({
      error: 'UnansweredQuestionError',
      message:
        'the agent ended with a question (Which one?), and there is no conversation in which it could be answered',
    });
    expect(none.effects).toEqual([{ kind: 'withdraw', sessionId: 'ses_1' }]);
    const plain = aggregate({ adapter: 'shell' });
    const once = play(plain, turn, ended({ ...ASKED, agentSessionId: null }), answered('itm_1', 'this'), turn);
    expect(once.effects).toMatchObject([{ kind: 'begin', resume: null }]);
    const expectedPrompt =
      'Summarize\n\n## Your response was\n\n> Which one?\n\n## Answers to your questions\n\n- Which one?\n  this';
    expect(once.aggregate.run.attempts.at(-1)?.prompt).toBe(expectedPrompt);
    const twice = play(once.aggregate, ended({ ...ASKED, agentSessionId: null }), answered('itm_1', 'that'), turn);
    expect(twice.aggregate.run.attempts.at(-1)?.prompt.startsWith(`${expectedPrompt}\n\n## Your response was`)).toBe(
      true,
    );
  });

  it('fails above its cost limit, and resumes with the answer after a rate limit', () => {
    const usage = { input_tokens: 1, output_tokens: 1, cached_input_tokens: null, cost_usd: 3, turns: 1 };
    const dear = play(aggregate({ limits: { max_cost: 2 } }), turn, ended({ ...ASKED, usage }));
    expect(dear.aggregate.run.error).toMatchObject({ error: 'CostLimitError' });
    const held = play(aggregate(), turn, ended(ASKED), answered('itm_1'), turn);
    const again = play(
      held.aggregate,
      ended({ ...limited, limit: { resetsAt: NOW } }),
      { kind: 'limit_over', time: NOW },
      turn,
    );
    expect(again.effects).toMatchObject([{ kind: 'begin', resume: 'abc' }]);
    expect(again.aggregate.run.attempts.at(-1)).toMatchObject({ reason: 'limit_over', prompt: 'staging' });
  });

  it('is resumed by the next daemon while it asks and after the answer', () => {
    const asking = play(aggregate(), turn, ended(ASKED)).aggregate;
    expect(resumeRun(asking)).toEqual([{ kind: 'ask', itemIds: ['itm_1'] }]);
    expect(resumeRun(play(asking, answered('itm_1')).aggregate)).toEqual([{ kind: 'queue' }]);
    const item = { id: 'itm_1', session_id: 'ses_1' };
    expect(isAsked(asking, item)).toBe(true);
    expect(isAsked(play(aggregate(), turn).aggregate, item)).toBe(true); // its program runs
    expect(isAsked(play(asking, { kind: 'cancelled', time: NOW }).aggregate, item)).toBe(false);
    expect(isAsked(play(aggregate(), turn, ended({})).aggregate, item)).toBe(false);
  });

  it('can be cancelled at once, withdraws its question, and does not time out while it waits', () => {
    const asking = play(aggregate({ limits: { timeout: 5 } }), turn, ended(ASKED)).aggregate;
    const cancelled = decideRun(asking, { kind: 'cancelled', time: NOW });
    expect(cancelled.effects).toEqual([{ kind: 'withdraw', sessionId: 'ses_1' }]);
    expect(cancelled.aggregate.run).toMatchObject({ state: 'cancelled', error: { error: 'RunCancelled' } });
    expect(cancelled.aggregate.run.asking).toBeUndefined();
    expect(decideRun(asking, { kind: 'timed_out', time: NOW }).aggregate).toBe(asking);
  });

  it('gets an answer as words, not as a command', () => {
    const asking = play(aggregate(), turn, ended(ASKED), answered('itm_1', '/etc'), turn);
    expect(asking.aggregate.run.attempts.at(-1)?.prompt).toBe('\u2800/etc');
  });
});
