import { describe, expect, it } from 'vitest';
import {
  anItem,
  around,
  aSession,
  aSnapshot,
  aStep,
  aStepRun,
  aSummary,
  at,
  aWorkflow,
  events,
  press as pressKeys,
  toKey,
} from '../../../test/tui/data.js';
import type { Event, WorkflowRun } from '../../protocol/index.js';
import { EMPTY_MODEL, type Model, reduce } from '../model/model.js';
import { handleKey, settle } from './key-handler.js';
import { START, type UiState } from './ui-state.js';

const item = anItem({ id: 'itm_1', session_id: 'ses_desk', session_name: 'report', workflow_id: 'wfl_a' });
const report = aWorkflow({
  steps: [
    aStep({ id: 'a', state: 'completed', runs: [aStepRun({ session_id: 'ses_gone', state: 'completed' })] }),
    aStep({ id: 'b', state: 'running', runs: [aStepRun({ session_id: 'ses_a' })] }),
    aStep({ id: 'go', kind: 'ask', state: 'asking', item_id: 'itm_1' }),
    aStep({ id: 'c' }),
  ],
});
const other = aWorkflow({ id: 'wfl_b', name: 'review', state: 'failed', created_at: new Date(at(-9)).toISOString() });

function modelOf(run: WorkflowRun = report, ...told: Event[]): Model {
  const snapshot = aSnapshot({ sessions: [aSession(), aSession({ id: 'ses_b', name: 'docs' })], items: [item] });
  const loaded = reduce(EMPTY_MODEL, { kind: 'snapshot', snapshot, at: at(0) });
  const listed = reduce(loaded, { kind: 'workflows', workflows: [aSummary(run), aSummary(other)] });
  const model = reduce(listed, { kind: 'workflow', workflow: run });
  return told.reduce((now, event) => reduce(now, { kind: 'event', event }), model);
}
const press = (keys: string, model = modelOf(), from?: UiState) => pressKeys(model, keys, from);

describe('the views of workflows', () => {
  it('w opens and closes the list, Enter opens a workflow, Escape and q go back', () => {
    expect(press('w').ui.view).toBe('workflows');
    expect(press('w w').ui.view).toBe('lists');
    expect(press('w enter').ui).toMatchObject({ view: 'workflow', workflowId: 'wfl_a' });
    expect(press('w j enter').ui).toMatchObject({ view: 'workflow', workflowId: 'wfl_b' });
    expect(press('w enter escape').ui.view).toBe('workflows');
    expect(press('w enter d q q q')).toMatchObject({ ui: { view: 'lists' }, effects: [] });
    expect(press('w enter q q q').effects).toEqual([{ kind: 'quit' }]);
  });

  it('w goes from a question of a workflow to that workflow', () => {
    expect(press('enter w').ui).toMatchObject({ view: 'workflow', workflowId: 'wfl_a', mode: { kind: 'browse' } });
  });

  it('Enter opens the question, and Escape returns to the steps after the answer', () => {
    const { ui, effects } = press('w enter enter a y e s enter');
    expect(effects).toEqual([{ kind: 'answer', itemId: 'itm_1', request: { text: 'yes' } }]);
    expect(press('escape', modelOf(), ui).ui).toMatchObject({ view: 'workflow', mode: { kind: 'browse' } });
  });

  it('Enter opens the question of a running step, and its terminal if there is none', () => {
    const asked = events.opened('itm_2', 'ses_a');
    expect(press('w enter enter', modelOf(report, asked)).ui.mode).toMatchObject({
      kind: 'item',
      itemId: 'itm_2',
    });
    const one = { ...report, steps: report.steps.slice(0, 2) };
    const closed = events.answered('itm_2', 'ses_a', 'x', 'cli');
    expect(press('w enter enter', modelOf(one, asked, closed)).effects).toEqual([
      { kind: 'attach', sessionId: 'ses_a' },
    ]);
  });

  it('Enter attaches to a running step, and shows the details of any other', () => {
    expect(press('w enter k enter').effects).toEqual([{ kind: 'attach', sessionId: 'ses_a' }]);
    for (const keys of ['w enter home enter', 'w enter end enter', 'w enter k d'])
      expect(press(keys)).toMatchObject({ ui: { view: 'step' }, effects: [] });
  });

  it('g goes to the session of the step despite a filter, or reports that there is none', () => {
    const filtered = press('l / d o c s enter w enter k g').ui;
    expect(filtered).toMatchObject({ view: 'lists', focus: 'sessions', sessionId: 'ses_a', filters: { sessions: '' } });
    expect(press('w enter home g').ui).toMatchObject({
      view: 'workflow',
      notice: { text: 'no session of this step is there' },
    });
  });

  it('the selection follows the current step until the user moves it', () => {
    const later = { ...report, steps: report.steps.with(2, aStep({ id: 'go', state: 'completed' })) };
    const { ui } = press('w enter');
    expect(press('enter', modelOf(later), ui).effects).toEqual([{ kind: 'attach', sessionId: 'ses_a' }]);
    const moved = press('end', modelOf(), ui).ui;
    expect(press('d', modelOf(later), moved).ui).toMatchObject({ view: 'step', stepId: 'c' });
    expect(press('d', modelOf(), ui).ui).toMatchObject({ view: 'step', stepId: 'go' });
  });

  it('Tab opens the waiting item, and Escape returns to the steps', () => {
    const { ui } = press('w enter home tab');
    expect(ui).toMatchObject({ mode: { kind: 'item', itemId: 'itm_1' }, view: 'workflow' });
    expect(press('escape', modelOf(), ui).ui).toMatchObject({ view: 'workflow', stepId: 'a' });
  });

  it('a workflow is cancelled after y, from the list and its steps, and resumed where it failed', () => {
    const cancelled = { kind: 'cancel_workflow', workflowId: 'wfl_a' };
    expect(press('w K y').effects).toEqual([cancelled]);
    expect(press('w enter d K y')).toMatchObject({ effects: [cancelled], ui: { view: 'step' } });
    for (const key of ['n', 'enter', 'escape', 'Y', 'K']) expect(press(`w K ${key}`).effects).toEqual([]);
    expect(press('w j r').effects).toEqual([{ kind: 'resume_workflow', workflowId: 'wfl_b', from: null }]);
    expect(press('w r')).toMatchObject({
      effects: [],
      ui: { notice: { text: 'report is running: nothing to resume' } },
    });
    expect(press('w j K')).toMatchObject({ effects: [], ui: { notice: { text: 'review is failed already' } } });
  });

  it('a workflow that ends before the confirmation closes it, and y has no effect', () => {
    const { ui } = press('w K');
    const model = modelOf(report, events.workflowState('wfl_a', 'completed'));
    const settled = settle(ui, model, at(103));
    expect(settled).toMatchObject({ mode: { kind: 'browse' }, notice: { text: 'the workflow is over' } });
    expect(pressKeys(model, 'y', settled, 100).effects).toEqual([]);
  });

  it('R reruns the selected step and all later ones after y if the workflow is over', () => {
    const failed = modelOf({ ...report, state: 'failed' });
    const anew = { kind: 'resume_workflow', workflowId: 'wfl_a', from: 'a' };
    expect(press('w enter home R y', failed).effects).toEqual([anew]);
    expect(press('w enter home d R y', failed)).toMatchObject({ effects: [anew], ui: { view: 'step' } });
    for (const key of ['n', 'enter', 'escape', 'R']) expect(press(`w enter home R ${key}`, failed).effects).toEqual([]);
    expect(press('w enter R')).toMatchObject({
      effects: [],
      ui: { notice: { text: 'report is running: nothing to resume' } },
    });
    const { ui } = press('w enter home R', failed);
    const resumed = modelOf({ ...report, state: 'failed' }, events.workflowState('wfl_a', 'running', 'failed'));
    expect(settle(ui, resumed, at(103))).toMatchObject({
      mode: { kind: 'browse' },
      notice: { text: 'the workflow goes on already' },
    });
  });

  it('a filter restricts the list, Escape clears it, and another Escape leaves the list', () => {
    const { ui } = press('w / r e v i enter');
    expect(ui).toMatchObject({ view: 'workflows', mode: { kind: 'browse' }, filters: { workflows: 'revi' } });
    expect(press('enter', modelOf(), ui).ui).toMatchObject({ view: 'workflow', workflowId: 'wfl_b' });
    expect(press('down down enter', modelOf(), ui).ui).toMatchObject({ workflowId: 'wfl_b' });
    expect(press('K', modelOf(), ui).ui.notice?.text).toBe('review is failed already');
    const all = press('escape', modelOf(), ui).ui;
    expect(all).toMatchObject({ view: 'workflows', filters: { workflows: '' } });
    expect(press('escape', modelOf(), all).ui.view).toBe('lists');
    expect(press('w / f a i l e d enter enter').ui.workflowId).toBe('wfl_b');
    expect(press('w / x x enter enter').ui.view).toBe('workflows');
  });

  it('keys of the other lists have no effect', () => {
    for (const key of ['h', 'l', '/', 'f', 'z', 'a', '1', 'x', 'i'])
      expect(press(`w enter ${key}`)).toMatchObject({
        ui: { view: 'workflow', mode: { kind: 'browse' } },
        effects: [],
      });
  });

  it('a click selects a step, another opens it, and the wheel moves the selection', () => {
    const { ui } = press('w enter home');
    const point = (what: 'click' | 'wheeldown', from: UiState, index: number | null) =>
      handleKey(
        from,
        { kind: 'mouse', what, x: 0, y: 0 },
        around(modelOf(), at(300), { targetAt: () => ({ kind: 'table', index }) }),
      );
    const selected = point('click', ui, 1).ui;
    expect(selected.stepId).toBe('b');
    expect(point('click', selected, 1).effect).toEqual({ kind: 'attach', sessionId: 'ses_a' });
    expect(point('wheeldown', ui, null).ui.stepId).toBe('b');
    expect(point('click', ui, null).ui).toEqual(ui);
  });

  it('their keys can be configured', () => {
    const keys = { workflows: 'W', cancel_workflow: 'D' };
    const step = (from: UiState, key: string) => handleKey(from, toKey(key), around(modelOf(), at(300), {}, keys)).ui;
    expect(step(START, 'w').view).toBe('lists');
    expect(step(step(START, 'W'), 'D').mode.kind).toBe('cancelling');
  });
});
