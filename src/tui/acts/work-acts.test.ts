import { describe, expect, it } from 'vitest';
import {
  aBlueprint,
  anItem,
  aRun,
  aRunSummary,
  aSession,
  aSnapshot,
  aTask,
  aTaskSummary,
  at,
  press as pressKeys,
} from '../../../test/tui/data.js';
import type { Run, Task } from '../../protocol/index.js';
import { EMPTY_MODEL, type Model, reduce } from '../model/model.js';
import { createKeymap } from './keymap.js';
import type { UiState } from './ui-state.js';

const item = anItem({ id: 'itm_1', session_id: 'ses_plan', session_name: 'task-validator', task_id: 'tsk_a' });
const attempt = { number: 1, kind: 'planning' as const, agent: 'task-validator', run_id: 'run_a' };
const task = aTask({
  state: 'awaiting_input',
  attempts: [{ ...attempt, started_at: new Date(at(0)).toISOString(), ended_at: null }],
  questions: [{ item_id: 'itm_1', question: 'Which one?', answer: null }],
});
const run = aRun({ state: 'failed', error: { error: 'AgentError', message: 'no' } });

function modelOf({ tasks = [task], runs = [run] }: { tasks?: Task[]; runs?: Run[] } = {}): Model {
  const snapshot = aSnapshot({ sessions: [aSession()], items: [item] });
  const loaded = reduce(EMPTY_MODEL, { kind: 'snapshot', snapshot, at: at(0) });
  const work = {
    tasks: tasks.map(aTaskSummary),
    runs: runs.map(aRunSummary),
    task: tasks[0] ?? null,
    run: runs[0] ?? null,
    blueprints: [aBlueprint(), aBlueprint({ name: 'coder', prompt: 'Code' })],
  };
  return reduce(loaded, { kind: 'work', work });
}
const press = (keys: string, model = modelOf(), from?: UiState) => pressKeys(model, keys, from);

describe('the views of tasks, runs and blueprints', () => {
  it('t opens and closes them, l and h change the list, Enter opens an entry, Escape goes back', () => {
    expect(press('t').ui.view).toBe('tasks');
    expect(press('t t').ui.view).toBe('lists');
    expect(press('t l').ui.view).toBe('runs');
    expect(press('t l l l').ui.view).toBe('tasks');
    expect(press('t h').ui.view).toBe('blueprints');
    expect(press('t enter').ui).toMatchObject({ view: 'task', taskId: 'tsk_a' });
    expect(press('t l enter').ui).toMatchObject({ view: 'run', runId: 'run_a' });
    expect(press('t h j enter').ui).toMatchObject({ view: 'blueprint', blueprint: 'reviewer' });
    expect(press('t l t t').ui.view).toBe('runs'); // the list that was open before
    expect(press('t enter q q')).toMatchObject({ ui: { view: 'lists' }, effects: [] });
  });

  it('t goes from the question of a planner to its task, and Enter and a from a task to the question', () => {
    expect(press('enter t').ui).toMatchObject({ view: 'task', taskId: 'tsk_a', mode: { kind: 'browse' } });
    expect(press('t enter enter').ui.mode).toMatchObject({ kind: 'item', itemId: 'itm_1' });
    for (const keys of ['t a', 't enter a'])
      expect(press(keys).ui.mode).toMatchObject({ kind: 'typing', itemId: 'itm_1' });
    // While an answer is typed, another "a" is text and starts no other answer.
    for (const keys of ['t a y e a h enter', 't enter enter a y e a h enter'])
      expect(press(keys).effects).toEqual([{ kind: 'answer', itemId: 'itm_1', request: { text: 'yeah' } }]);
    const { ui } = press('t enter enter a y e s enter');
    expect(press('escape', modelOf(), ui).ui.view).toBe('task');
  });

  it('d shows the last run of a task, and Escape returns to the task', () => {
    expect(press('t enter d').ui).toMatchObject({ view: 'run', runId: 'run_a' });
    expect(press('t enter d escape').ui.view).toBe('task');
    expect(press('t enter d j').ui.runId).toBe('run_a'); // a run opened from its task has no neighbours
  });

  it('a task can be planned, started, retried and cancelled if its state allows it', () => {
    const plan = { summary: 's', requirements: [], acceptanceCriteria: [], plan: [] };
    const effects = (keys: string, one: Task) => press(`t ${keys}`, modelOf({ tasks: [one] })).effects;
    expect(effects('p', aTask())).toEqual([{ kind: 'task', act: 'plan', taskId: 'tsk_a' }]);
    expect(effects('s', aTask({ state: 'planned', plan }))).toEqual([{ kind: 'task', act: 'start', taskId: 'tsk_a' }]);
    expect(effects('r', aTask({ state: 'failed' }))).toEqual([{ kind: 'task', act: 'retry', taskId: 'tsk_a' }]);
    expect(effects('enter K y', task)).toEqual([{ kind: 'task', act: 'cancel', taskId: 'tsk_a' }]);
    for (const [keys, one] of [
      ['p', task],
      ['s', aTask()],
      ['r', task],
      ['K y', aTask({ state: 'completed' })],
    ] as const)
      expect(effects(keys, one), keys).toEqual([]);
    expect(press('t enter s', modelOf({ tasks: [aTask({ state: 'failed' })] })).ui.notice?.text).toContain('failed');
    expect(press('t K n').effects).toEqual([]);
  });

  it('a run can be repeated after its end, and cancelled before', () => {
    expect(press('t l r').effects).toEqual([{ kind: 'run', act: 'retry', runId: 'run_a' }]);
    const running = modelOf({ runs: [aRun()] });
    expect(press('t l r', running).effects).toEqual([]);
    expect(press('t l enter K y', running).effects).toEqual([{ kind: 'run', act: 'cancel', runId: 'run_a' }]);
    expect(press('t l g', running).ui).toMatchObject({ view: 'lists', focus: 'sessions', sessionId: 'ses_a' });
    expect(press('t l enter enter', running).effects).toEqual([{ kind: 'attach', sessionId: 'ses_a' }]);
  });

  it('text typed for a missing question has no other effect', () => {
    expect(press('t l a q q K y', modelOf({ tasks: [], runs: [run] })).ui.view).toBe('runs');
  });
});

describe('the forms of tasks and runs', () => {
  it('create a task from the typed and chosen values', () => {
    const { effects, ui } = press('t n C o space j down right enter');
    expect(effects).toMatchObject([
      { kind: 'create_work', request: { kind: 'task', prompt: 'Co j', blueprint: null, next: 'start' } },
    ]);
    expect(ui.mode).toMatchObject({ kind: 'filling', form: { isSent: true } });
    expect(press('t n enter').ui.notice?.text).toBe('say what is to be done');
    expect(press('t n x escape').ui).toMatchObject({ view: 'tasks', mode: { kind: 'browse' } });
  });

  it('create a run of a blueprint, with a prompt if the blueprint has none, and with input', () => {
    const coder = press('t h enter s enter').effects;
    expect(coder).toMatchObject([{ request: { kind: 'run', prompt: '', blueprint: 'coder' } }]);
    expect(press('t h j s enter').effects).toEqual([]); // this blueprint has no prompt of its own
    const typed = press('t h s down down b = m a i n enter').effects;
    expect(typed).toMatchObject([{ request: { input: { b: 'main' } } }]);
    expect(press('t h s down down { enter').ui.notice?.text).toContain('no JSON');
  });

  it('create a run with a result format and limits', () => {
    const toFormat = 't l n x down down down down down down';
    const { effects } = press(`${toFormat} right right down { } down 1 0 m down 2 0 down 2 . 5 enter`);
    expect(effects).toMatchObject([
      {
        kind: 'create_work',
        request: {
          kind: 'run',
          prompt: 'x',
          format: 'envelope',
          schema: '{}',
          limits: { timeout: 600, max_turns: 20, max_cost: 2.5 },
        },
      },
    ]);
    expect(press('t l n x enter').effects).toMatchObject([
      { request: { format: null, schema: '', limits: undefined } },
    ]);
    expect(press(`${toFormat} down down s o o n enter`).ui.notice?.text).toContain('a duration such as 90s');
    expect(press(`${toFormat} down down down 1 . 5 enter`).ui.notice?.text).toContain('a whole number');
    expect(press(`${toFormat} down down down down 0 enter`).ui.notice?.text).toContain('US dollars');
  });
});

it('keys that an older configuration assigned stay with their actions', () => {
  const keymap = createKeymap({ zoom: 't', kill: 'd' });
  expect(keymap.find('inbox', 't')?.name).toBe('zoom');
  expect(keymap.find('sessions', 'd')?.name).toBe('kill');
  expect(keymap.find('task', 't')?.name).toBe('tasks');
  expect(() => createKeymap({ zoom: 'j' })).toThrow('is the key of down');
});
