import { describe, expect, it } from 'vitest';
import { aStep, aStepRun, aSummary, at, aWorkflow, events } from '../../../test/tui/data.js';
import type { Event, WorkflowRun } from '../../protocol/index.js';
import { EMPTY_MODEL, type Model, reduce } from './model.js';
import { currentStep, sessionOfStep, stepsOf } from './workflow-model.js';

const take = (model: Model, ...all: Event[]): Model =>
  all.reduce((now, event) => reduce(now, { kind: 'event', event }), model);
const listed = (...workflows: WorkflowRun[]): Model =>
  reduce(EMPTY_MODEL, { kind: 'workflows', workflows: workflows.map(aSummary) });
const time = (seconds: number): string => new Date(at(seconds)).toISOString();

describe('workflows in the model', () => {
  it('are listed with running ones first, then the newest', () => {
    const over = { state: 'completed', ended_at: time(50) } as const;
    const model = listed(
      aWorkflow({ id: 'wfl_old', created_at: time(1) }),
      aWorkflow({ id: 'wfl_over', created_at: time(9), ...over }),
      aWorkflow({ id: 'wfl_new', created_at: time(5), state: 'awaiting_input' }),
      aWorkflow({ id: 'wfl_over_before', created_at: time(2), ...over }),
    );
    expect(model.workflows.map(({ id }) => id)).toEqual(['wfl_new', 'wfl_old', 'wfl_over', 'wfl_over_before']);
  });

  it('follow events from start to end and resumption, and repeated events change nothing', () => {
    const [created, failed, resumed] = [
      events.workflow('wfl_a', 'report'),
      events.workflowState('wfl_a', 'failed'),
      events.workflowState('wfl_a', 'running', 'failed'),
    ];
    const model = take(EMPTY_MODEL, created, failed);
    expect(model.workflows).toMatchObject([{ name: 'report', state: 'failed', ended_at: failed.timestamp }]);
    expect(take(model, created, failed).workflows).toEqual(model.workflows);
    expect(take(model, resumed).workflows).toMatchObject([{ state: 'running', error: null, ended_at: null }]);
  });

  it('update the open workflow at once, with the session of its runs', () => {
    const run = aWorkflow({ steps: [aStep(), aStep({ id: 'b', state: 'running', runs: [aStepRun()] })] });
    const known = reduce(listed(run), { kind: 'workflow', workflow: run });
    const model = take(known, events.attempt('run_1', 'ses_b'), events.workflowState('wfl_a', 'cancelled'));
    expect(model.workflow).toMatchObject({ state: 'cancelled', steps: [{}, { runs: [{ session_id: 'ses_b' }] }] });
    expect(take(known, events.attempt('run_9', 'ses_c')).workflow).toBe(run);
  });

  it('are known for items that they ask and for sessions that they started', () => {
    const opened: Event = { ...events.opened('itm_1', 'ses_a'), workflow_id: 'wfl_a' } as Event;
    const started: Event = { ...events.started('ses_a', 'report'), workflow_id: 'wfl_a' } as Event;
    const model = take(EMPTY_MODEL, started, opened);
    expect(model.items[0]?.item.workflow_id).toBe('wfl_a');
    expect(model.sessions[0]?.workflow_id).toBe('wfl_a');
  });
});

describe('the steps of a workflow', () => {
  const [a, b, c] = [aStep({ id: 'a' }), aStep({ id: 'b', stage: 2 }), aStep({ id: 'c' })];
  const ids = (run: WorkflowRun): string[] => stepsOf(run).map(({ id }) => id);

  it('are in the order of the file, or by stage if several jobs may run', () => {
    expect(ids(aWorkflow({ steps: [a, b, c] }))).toEqual(['a', 'b', 'c']);
    expect(ids(aWorkflow({ steps: [a, b, c], jobs: 2 }))).toEqual(['a', 'c', 'b']);
  });

  it('are selected by state: asking before running, running before failed', () => {
    const states = ['completed', 'failed', 'running', 'asking', 'waiting'] as const;
    const steps = states.map((state) => aStep({ id: state, state }));
    const current = (count: number, from = 0) => currentStep(aWorkflow({ steps: steps.slice(from, count) }), [])?.id;
    expect([current(5), current(3), current(2), current(1), current(5, 4)]).toEqual([
      'asking',
      'running',
      'failed',
      'completed',
      'waiting',
    ]);
    expect(currentStep(aWorkflow(), [])).toBeNull();
  });

  it('have the session of the current run, or of the last one', () => {
    const first = aStepRun({ session_id: 'ses_1', state: 'completed' });
    const second = aStepRun({ session_id: 'ses_2' });
    const third = aStepRun({ session_id: 'ses_3', state: 'failed' });
    expect(sessionOfStep(aStep({ runs: [first, second, third] }))).toBe('ses_2');
    expect(sessionOfStep(aStep({ runs: [first, third, aStepRun()] }))).toBe('ses_3');
    expect(sessionOfStep(aStep({ runs: [aStepRun()] }))).toBeNull();
  });
});
