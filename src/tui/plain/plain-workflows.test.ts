import { describe, expect, it } from 'vitest';
import { aStep, aStepRun, aSummary, at, aWorkflow, events } from '../../../test/tui/data.js';
import { readPlainCommand } from './plain-commands.js';
import { findWorkflow, workflowLine, workflowLines, workflowNews } from './plain-workflows.js';

const failure = { error: 'AgentError', message: 'goal b: it is tired' };
const run = aWorkflow({
  state: 'failed',
  error: failure,
  ended_at: new Date(at(90)).toISOString(),
  variables: [{ name: 'topic', value: 'tea\x1b[31m', step: null, run_ids: [], item_id: null }],
  steps: [
    aStep({ id: 'a', state: 'completed', values: { summary: 'hot\nold', score: '9' } }),
    aStep({
      id: 'b',
      state: 'failed',
      error: failure,
      runs: [aStepRun({ agent: 'r', state: 'failed', error: failure })],
    }),
    aStep({ id: 'c', needs: ['a', 'b'] }),
  ],
});

describe('workflows in plain mode', () => {
  it('are listed with their progress', () => {
    expect(workflowLine(aSummary(run))).toBe('report: failed, 1 of 3 done, goal b: it is tired');
    const asking = aWorkflow({ state: 'awaiting_input', steps: [aStep({ id: 'go', state: 'asking' })] });
    expect(workflowLine(aSummary(asking))).toBe('report: asks you, 0 of 1 done, now go');
  });

  it('are printed step by step with their outputs, without control characters', () => {
    expect(workflowLines(run, at(100))).toEqual([
      'Workflow report, failed, 1 of 3 done, 1:30.',
      'Given topic: tea‹U+001B›[31m.',
      'a: completed',
      'summary: hot',
      'old',
      'score: 9',
      'b: failed, goal b: it is tired',
      'c: waiting, after b',
    ]);
  });

  it('report their events in sentences, except those that an item reports', () => {
    const model = { workflows: [aSummary(run)] };
    const said = [
      events.workflow('wfl_a', 'report'),
      events.step('wfl_a', 'a', 'running'),
      events.step('wfl_a', 'a', 'completed'),
      events.step('wfl_a', 'go', 'asking'),
      events.workflowState('wfl_a', 'awaiting_input'),
      events.workflowState('wfl_a', 'running', 'awaiting_input'),
      events.workflowState('wfl_a', 'failed'),
      events.state('ses_a', 'working'),
    ].map((event) => workflowNews(event, model));
    expect(said).toEqual([
      'Workflow report runs: 3 steps.',
      'Workflow report: a running.',
      'Workflow report: a completed.',
      null,
      'Workflow report waits for you.',
      'Workflow report goes on.',
      'Workflow report failed: goal b: it is tired.',
      null,
    ]);
  });

  it('are found by name or id, the running one first and then the newest', () => {
    const [first, second, other] = [
      aSummary(aWorkflow({ id: 'wfl_1', state: 'completed' })),
      aSummary(aWorkflow({ id: 'wfl_2' })),
      aSummary(aWorkflow({ id: 'wfl_3', name: 'review', state: 'failed' })),
    ];
    expect(findWorkflow([first, second, other], 'report')).toBe(second);
    expect(findWorkflow([first, other], 'rep')).toBe(first);
    expect(findWorkflow([first, second, other], 'wfl_1')).toBe(first);
    expect(() => findWorkflow([first, other], 're')).toThrow('re may be report, review');
    expect(() => findWorkflow([first], 'x')).toThrow('there is no workflow x; type workflows');
  });

  it('have commands of their own', () => {
    expect(readPlainCommand('steps my report')).toEqual({ kind: 'steps', workflow: 'my report' });
    expect(readPlainCommand('resume my report')).toEqual({ kind: 'resume', workflow: 'my report', from: null });
    expect(readPlainCommand('resume my report from review ')).toEqual({
      kind: 'resume',
      workflow: 'my report',
      from: 'review',
    });
    expect(readPlainCommand('w')).toEqual({ kind: 'workflows' });
    expect(readPlainCommand('cancel')).toEqual({ kind: 'wrong', problem: 'say cancel WORKFLOW, TASK or RUN' });
  });
});
