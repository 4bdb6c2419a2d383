import { describe, expect, test } from 'vitest';
import { endOf, playWorkflow, states, variables } from '../../../test/harness/play-workflow.js';
import { pendingEffects, recordOf, summaryOf } from '../index.js';

const prompts = (play: ReturnType<typeof playWorkflow>): string[] => play.running.map(({ prompt }) => prompt);

describe('goals', () => {
  test('run one after the other and get the outputs of earlier goals', () => {
    const play = playWorkflow(
      `INPUT topic
GOAL research "Research $topic" -> findings, sources
GOAL critique "Critique $findings for $$5" -> issues
GOAL report "Report on $topic by $sources"`,
      { inputs: { topic: 'tea' } },
    );
    expect(prompts(play)).toEqual(['Research tea']);
    play.end('research', { findings: 'old', sources: ['a', 1], more: 'not declared' });
    expect(prompts(play)).toEqual(['Critique old for $5']);
    play.end('critique', { issues: null });
    expect(prompts(play)).toEqual(['Report on tea by ["a",1]']);
    play.end('report', 'It is good.');
    expect(play.progress.head).toMatchObject({ state: 'completed', error: null });
    const { variables: all, steps } = recordOf(play.progress);
    expect(all).toEqual([
      { name: 'topic', value: 'tea', step: null, run_ids: [], item_id: null },
      { name: 'findings', value: 'old', step: 'research', run_ids: ['run_1'], item_id: null },
      { name: 'sources', value: ['a', 1], step: 'research', run_ids: ['run_1'], item_id: null },
      { name: 'issues', value: null, step: 'critique', run_ids: ['run_2'], item_id: null },
    ]);
    expect(steps[2]).toMatchObject({ id: 'report', state: 'completed', values: null, result: 'It is good.' });
  });

  test('overlap as far as their variables and the number of jobs allow', () => {
    const text = `GOAL a "a" -> x
GOAL b "b" -> y
GOAL c "c" -> z
GOAL d "$x" -> w
GOAL e "all"`;
    const play = playWorkflow(text, { jobs: 2 });
    expect(prompts(play)).toEqual(['a', 'b']);
    expect(recordOf(play.progress).steps.map(({ stage }) => stage)).toEqual([1, 1, 1, 2, 3]);
    play.end('b', { y: 1 });
    expect(prompts(play)).toEqual(['a', 'c']);
    play.end('a', { x: 'X' });
    expect(prompts(play)).toEqual(['c', 'X']);
    play.end('d', { w: 1 });
    expect(prompts(play)).toEqual(['c']); // e is a barrier
    play.end('c', { z: 1 });
    expect(prompts(play)).toEqual(['all']);
  });

  test('named by two RUNs run twice, and the newer outputs replace the older ones', () => {
    const play = playWorkflow('GOAL a "a" -> x\nGOAL b "b $x" -> y\nRUN one USING a, b\nRUN two USING a, b');
    for (const [id, result] of [
      ['a', { x: 1 }],
      ['b', { y: 1 }],
      ['a#2', { x: 2 }],
    ] as const)
      play.end(id, result);
    expect(prompts(play)).toEqual(['b 2']);
    play.end('b#2', { y: 2 });
    expect(variables(play)).toEqual({ x: 2, y: 2 });
  });

  test('skipped by a condition leave variables unchanged, and an unset variable is empty', () => {
    const play = playWorkflow(`GOAL review "r" -> verdict: "approve" | "reject"
GOAL fix "f" -> result WHEN $verdict == "reject"
GOAL end "It is $result, $verdict."`);
    play.end('review', { verdict: 'approve' });
    expect(states(play)).toEqual(['review completed', 'fix skipped', 'end running']);
    expect(prompts(play)).toEqual(['It is , approve.']);
  });

  test('fail if a condition compares a value that is not a number', () => {
    const play = playWorkflow('GOAL a "a" -> x\nGOAL b "b" WHEN $x > 1');
    play.end('a', { x: 'many' });
    expect(play.progress.head).toMatchObject({
      state: 'failed',
      error: { error: 'ConditionError', step: 'b', message: expect.stringContaining('goal b: $x is not a number') },
    });
  });

  test('fail if a declared output is missing or has the wrong type, and name the field and the run', () => {
    const play = playWorkflow('GOAL a "a" -> x, score: number WITH reviewer');
    play.end('a', { x: 1 });
    expect(play.progress.head.error).toEqual({
      error: 'MissingOutputError',
      step: 'a',
      field: 'score',
      run_id: 'run_1',
      message: 'goal a: the output score is declared, and it did not return it',
    });
    for (const [result, problem] of [
      [{ x: 1, score: 'high' }, 'it is not of type number'],
      [['x'], 'it did not return it'],
      ['text', 'it did not return it'],
    ] as const) {
      const other = playWorkflow('GOAL a "a" -> x, score: number WITH reviewer');
      other.end('a', result);
      expect(other.progress.head.error?.message).toContain(problem);
    }
  });

  test('are retried as often as RETRY says', () => {
    const play = playWorkflow('GOAL a "a" -> x RETRY 2');
    for (const left of [2, 1]) {
      play.end('a', new Error(`failed, ${left} left`));
      expect(play.progress.head).toMatchObject({ state: 'running', error: null });
    }
    play.end('a', new Error('failed for good'));
    expect(play.running).toEqual([]);
    expect(play.progress.head.error?.message).toBe('goal a: failed for good');
    expect(recordOf(play.progress).steps[0]?.runs.map(({ state, error }) => [state, error?.message])).toEqual([
      ['failed', 'goal a: failed, 2 left'],
      ['failed', 'goal a: failed, 1 left'],
      ['failed', 'goal a: failed for good'],
    ]);
  });
});

describe('agents', () => {
  const TEXT = `INPUT topic DEFAULT "tea"
AGENT researcher "Research $topic" -> findings RETRY 1
AGENT critic "Doubt $topic"
GOAL analyze "Analyze $topic" -> summary USING researcher, critic
GOAL end "$summary"`;
  const play = (): ReturnType<typeof playWorkflow> => playWorkflow(TEXT, { inputs: { topic: 'tea' } });

  test('run in parallel regardless of the number of jobs, and a synthesis combines their results', () => {
    const it = play();
    expect(it.running.map(({ agent, prompt }) => [agent, prompt])).toEqual([
      ['researcher', 'Research tea'],
      ['critic', 'Doubt tea'],
    ]);
    it.end('analyze', 'I doubt it', 'critic');
    expect(prompts(it)).toEqual(['Research tea']);
    it.end('analyze', { findings: ['much'] }, 'researcher');
    expect(prompts(it)).toEqual([
      `Analyze tea

You have received outputs from multiple agents:

## researcher
- findings: ["much"]

## critic
I doubt it

Synthesize these into:
- summary

Respond as JSON.`,
    ]);
    it.end('analyze', { summary: 'short' });
    expect(prompts(it)).toEqual(['short']);
    expect(variables(it)).toEqual({ topic: 'tea', summary: 'short' });
  });

  test('go on if one of them fails, but the goal fails without a synthesis and names the agent', () => {
    const it = play();
    it.end('analyze', new Error('once'), 'researcher');
    it.end('analyze', new Error('twice'), 'researcher');
    expect(it.progress.head.state).toBe('running');
    expect(it.running.map(({ agent }) => agent)).toEqual(['critic']);
    it.end('analyze', 'done', 'critic');
    expect(it.running).toEqual([]);
    expect(it.progress.head).toMatchObject({
      state: 'failed',
      error: { message: 'goal analyze, agent researcher: twice', agent: 'researcher', step: 'analyze' },
    });
    expect(states(it)).toEqual(['analyze failed', 'end waiting']);
  });

  test('that completed before a failure do not run again after a resume', () => {
    const it = play();
    it.end('analyze', 'done', 'critic');
    it.end('analyze', new Error('once'), 'researcher');
    it.end('analyze', new Error('twice'), 'researcher');
    it.take({ kind: 'resumed', from: null, jobs: 1 });
    expect(it.running.map(({ agent }) => agent)).toEqual(['researcher']);
    expect(it.progress.head).toMatchObject({ state: 'running', error: null, endedAt: null });
    it.end('analyze', { findings: 1 }, 'researcher');
    expect(prompts(it)[0]).toContain('## critic\ndone');
  });
});

describe('FOREACH', () => {
  const TEXT = `GOAL find "find" -> modules
AGENT reader "Read $module"
GOAL review "Review $module" -> issue FOREACH $module IN $modules USING reader
GOAL sum "$issue"`;

  test('runs once per entry, as many at a time as there are jobs, and keeps the order of the list', () => {
    const play = playWorkflow(TEXT, { jobs: 2 });
    play.end('find', { modules: ['a', 'b', 'c'] });
    expect(prompts(play)).toEqual(['Read a', 'Read b']);
    play.end('review', 'B is fine', 'reader'); // the answer belongs to a, the oldest one
    expect(prompts(play)[1]).toContain('Review a\n');
    play.end('review', 'A is fine', 'reader');
    play.end('review', { issue: 1 }, null);
    expect(prompts(play).at(-1)).toBe('Read c');
    play.end('review', { issue: 2 }, null);
    play.end('review', 'C', 'reader');
    play.end('review', { issue: 3 }, null);
    expect(variables(play)['issue']).toEqual([1, 2, 3]);
    expect(prompts(play)).toEqual(['[1,2,3]']);
  });

  test('accepts a text that is a JSON list, such as an INPUT', () => {
    const text = 'INPUT files DEFAULT "[]"\nGOAL a "Read $file" -> x FOREACH $file IN $files';
    const play = playWorkflow(text, { jobs: 2, inputs: { files: '["a.ts", {"b": 1}]' } });
    expect(prompts(play)).toEqual(['Read a.ts', 'Read {"b":1}']);
    const wrong = playWorkflow(text, { inputs: { files: '[a.ts' } });
    expect(wrong.progress.head.error).toMatchObject({ error: 'ListError', message: 'goal a: $files is not a list' });
  });

  test('makes empty lists of an empty list, and fails if the value is not a list', () => {
    const empty = playWorkflow(TEXT);
    empty.end('find', { modules: [] });
    expect(prompts(empty)).toEqual(['[]']);
    for (const modules of ['a, b', 3, { a: 1 }, Array.from({ length: 1001 }, () => 'x')]) {
      const play = playWorkflow(TEXT);
      play.end('find', { modules });
      expect(play.progress.head.error).toMatchObject({ error: 'ListError', step: 'review' });
    }
  });

  test('without outputs keeps the texts', () => {
    const play = playWorkflow('GOAL a "a" -> l\nGOAL b "b $x" FOREACH $x IN $l');
    play.end('a', { l: ['1', '2'] });
    play.end('b', 'one');
    play.end('b', 'two');
    expect(recordOf(play.progress).steps[1]).toMatchObject({ values: null, result: ['one', 'two'] });
  });

  test('names the entry that failed', () => {
    const play = playWorkflow('GOAL a "a" -> l\nGOAL b "b $x" FOREACH $x IN $l');
    play.end('a', { l: ['1', '2'] });
    play.end('b', 'one');
    play.end('b', new Error('no'));
    expect(play.progress.head.error?.message).toBe('goal b, entry 2: no');
  });
});

describe('ASK', () => {
  const TEXT = `GOAL build "b" -> version
ASK "Release $version?" -> go: "yes" | "no" TIMEOUT 1m
GOAL release "r $go" WHEN $go == "yes"`;
  const asked = () => {
    const play = playWorkflow(TEXT, { jobs: 4 });
    play.end('build', { version: '1.0' });
    return play;
  };

  test('asks the question, and starts no later step before the answer', () => {
    const play = asked();
    expect(play.asking).toEqual([
      { kind: 'ask', itemId: 'itm_2', question: 'Release 1.0?', choices: ['yes', 'no'], until: 60_000 },
    ]);
    expect(play.progress.head.state).toBe('awaiting_input');
    expect(summaryOf(play.progress)).toMatchObject({ steps: 3, done: 1, current: ['go'] });
    expect(play.running).toEqual([]);
    play.take({ kind: 'answered', itemId: 'itm_2', answer: 'yes', by: 'cli' });
    expect(prompts(play)).toEqual(['r yes']);
    expect(recordOf(play.progress).variables.at(-1)).toEqual({
      name: 'go',
      value: 'yes',
      step: 'go',
      run_ids: [],
      item_id: 'itm_2',
    });
    play.take({ kind: 'answered', itemId: 'itm_2', answer: 'no', by: 'tui' });
    expect(variables(play)['go']).toBe('yes');
  });

  test('fails if the question is declined or times out', () => {
    const declined = asked();
    declined.take({ kind: 'answered', itemId: 'itm_2', answer: null, by: 'ann' });
    expect(declined.progress.head.error).toMatchObject({ error: 'AskDeclined', step: 'go' });
    const late = asked();
    late.take({ kind: 'timed_out', itemId: 'itm_2' });
    expect(late.progress.head.error?.message).toBe('question go: no answer within 60 s');
    expect(late.effects.at(-1)).toEqual({ kind: 'withdraw', itemId: 'itm_2' });
    late.take({ kind: 'resumed', from: null, jobs: 1 });
    expect(late.asking.map(({ itemId }) => itemId)).toEqual(['itm_3']);
  });
});

describe('a workflow', () => {
  test('fails with its first failure: current runs finish and no other step starts', () => {
    const text = 'GOAL a "a" -> x\nAGENT s "s"\nGOAL b "b" -> y USING s\nASK "q" -> q\nGOAL c "c" -> z';
    const play = playWorkflow(text, { jobs: 3 });
    play.end('a', new Error('first'));
    expect(play.progress.head).toMatchObject({ state: 'running', error: { message: 'goal a: first' } });
    expect(states(play)).toEqual(['a failed', 'b running', 'q cancelled', 'c waiting']);
    play.end('b', 'done', 's');
    expect(play.running).toEqual([]);
    expect(states(play)).toEqual(['a failed', 'b cancelled', 'q cancelled', 'c waiting']);
    expect(play.progress.head).toMatchObject({ state: 'failed', error: { message: 'goal a: first' } });
    expect(play.events.at(-1)).toMatchObject({ event_type: 'workflow_state_changed', state: 'failed' });
    play.take({ kind: 'resumed', from: null, jobs: 2 });
    expect(play.running.map(({ stepId, agent }) => [stepId, agent])).toEqual([
      ['a', null],
      ['b', null],
    ]);
  });

  test('cancels its runs and questions, and can be resumed afterwards', () => {
    const play = playWorkflow('GOAL a "a" -> x\nASK "q" -> q\nGOAL b "$x $q"', { jobs: 3 });
    play.take({ kind: 'cancelled' });
    expect(play.effects.slice(-2)).toEqual([
      { kind: 'cancel_run', runId: 'run_1' },
      { kind: 'withdraw', itemId: 'itm_2' },
    ]);
    expect(play.progress.head).toMatchObject({ state: 'cancelled', error: { error: 'WorkflowCancelled' } });
    const before = play.progress;
    play.take({ kind: 'run_over', run: endOf('run_1', { x: 1 }) });
    play.take({ kind: 'answered', itemId: 'itm_2', answer: 'late', by: 'cli' });
    play.take({ kind: 'cancelled' });
    expect(play.progress).toEqual(before);
    play.take({ kind: 'resumed', from: null, jobs: 1 });
    expect(states(play)).toEqual(['a running', 'q waiting', 'b waiting']);
  });

  test('restarts from a named step with all later steps', () => {
    const play = playWorkflow('GOAL a "a" -> x\nGOAL b "b $x" -> y\nGOAL c "c $y" -> x');
    play.end('a', { x: 1 });
    play.end('b', { y: 1 });
    play.end('c', { x: 9 });
    expect(variables(play)).toEqual({ y: 1, x: 9 });
    play.take({ kind: 'resumed', from: 'b', jobs: 1 });
    expect(prompts(play)).toEqual(['b 1']);
    expect(variables(play)).toEqual({ x: 1 });
    play.take({ kind: 'resumed', from: 'nowhere', jobs: 1 });
    expect(states(play)).toEqual(['a completed', 'b running', 'c waiting']);
  });

  test('awaits input only while all of its current runs ask', () => {
    const play = playWorkflow('AGENT r "r"\nAGENT s "s"\nGOAL a "a" -> x USING r, s');
    const [first, second] = play.running.map(({ runId }) => runId);
    const asks = (runId = '', is = true): void => play.take({ kind: 'run_asks', runId, asks: is });
    asks(first);
    expect(play.progress.head.state).toBe('running');
    asks(second);
    expect(play.progress.head.state).toBe('awaiting_input');
    asks(first, false);
    expect(play.progress.head.state).toBe('running');
    play.end('a', 'done', 'r');
    expect(play.progress.head.state).toBe('awaiting_input');
    play.end('a', 'done', 's');
    expect(play.progress.head.state).toBe('running');
    asks('run_of_another');
    expect(states(play)).toEqual(['a running']);
  });

  test('repeats only the pending effects after a restart', () => {
    const play = playWorkflow('GOAL a "a" -> x\nASK "q" -> q\nGOAL b "$x $q"', { jobs: 3 });
    expect(pendingEffects(play.progress)).toEqual(play.effects);
    play.end('a', { x: 1 });
    expect(pendingEffects(play.progress)).toEqual(play.asking);
    play.take({ kind: 'cancelled' });
    expect(pendingEffects(play.progress)).toEqual([{ kind: 'withdraw', itemId: 'itm_2' }]);
  });

  test('repeats who has cancelled it, until it is resumed', () => {
    const play = playWorkflow('GOAL a "a" -> x');
    play.take({ kind: 'cancelled', by: 'cli' });
    expect(pendingEffects(play.progress)).toEqual([{ kind: 'cancel_run', runId: 'run_1', by: 'cli' }]);
    play.take({ kind: 'resumed', from: null, jobs: 1 });
    play.take({ kind: 'cancelled' });
    expect(pendingEffects(play.progress)).toEqual([{ kind: 'cancel_run', runId: 'run_2' }]);
  });
});
