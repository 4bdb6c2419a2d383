import { describe, expect, test } from 'vitest';
import { shownTask, type TaskPlan, type TaskState, type TaskSummary } from '../../protocol/index.js';
import { columnsOf, nextActs } from './task-words.js';

const aTask = (id: string, state: TaskState, more: Partial<TaskSummary> = {}): TaskSummary => ({
  id,
  state,
  prompt: id,
  current_agent: null,
  assigned_agent: null,
  open_questions: 0,
  error: null,
  created_at: '2026-01-01T00:00:00.000Z',
  ended_at: null,
  ...more,
});
const STATES: readonly TaskState[] = [
  'pending',
  'planning',
  'planned',
  'awaiting_input',
  'running',
  'completed',
  'failed',
  'cancelled',
];
const shown = (tasks: readonly TaskSummary[]) =>
  Object.fromEntries(columnsOf(tasks).map(({ title, tasks: held }) => [title, held.map(({ id }) => id)]));

describe('the task board', () => {
  test('puts every task into exactly one column, with or without an open question', () => {
    for (const more of [{}, { asking: ['itm_1'] }])
      for (const state of STATES) {
        const columns = columnsOf([aTask('t', state, more)]).filter(({ tasks }) => tasks.length > 0);
        expect([state, columns.length]).toEqual([state, 1]);
      }
  });

  test('groups tasks that ask, and sorts ended tasks by their end, newest first', () => {
    const at = (hour: number): string => `2026-01-01T0${hour}:00:00.000Z`;
    expect(
      shown([
        aTask('old', 'failed', { created_at: at(1), ended_at: at(5) }),
        aTask('new', 'completed', { created_at: at(2), ended_at: at(3) }),
        aTask('planner', 'awaiting_input'),
        aTask('worker', 'running', { asking: ['itm_1'], created_at: at(4) }),
      ]),
    ).toMatchObject({ Ended: ['old', 'new'], 'Asks you': ['worker', 'planner'], Running: [] });
  });

  test('a held task keeps its column and its place, whatever its state becomes', () => {
    const held = columnsOf([aTask('a', 'pending'), aTask('b', 'pending'), aTask('c', 'running')]);
    const later = [aTask('new', 'pending'), aTask('b', 'pending'), aTask('a', 'running'), aTask('c', 'running')];
    const titles = columnsOf(later, held).map(({ title, tasks }) => [title, tasks.map(({ id }) => id)]);
    expect(Object.fromEntries(titles)).toMatchObject({ 'To plan': ['a', 'b', 'new'], Running: ['c'] });
  });
});

test('nextActs lists what a user can do with a task', () => {
  const plan: TaskPlan = { summary: '', requirements: [], acceptanceCriteria: [], plan: [] };
  const labels = (state: TaskState, of: TaskPlan | null = null) =>
    nextActs({ state, plan: of }).map(({ label, operation }) => `${label}: ${operation}`);
  expect(labels('pending')).toEqual(['Plan: task.plan']);
  expect(labels('planned', plan)).toEqual(['Start: task.start', 'Plan again: task.plan']);
  expect(labels('failed')).toEqual(['Retry: task.plan']);
  expect(labels('failed', plan)).toEqual(['Retry: task.start', 'Plan again: task.plan']);
  for (const state of ['planning', 'awaiting_input', 'running', 'completed', 'cancelled'] as const)
    expect(labels(state, plan)).toEqual([]);
});

test('taskState shows a task whose agent asks as asking', () => {
  expect(shownTask({ state: 'running', asking: ['itm_1'] }).word).toBe('asks you');
  expect(shownTask({ state: 'awaiting_input' }).word).toBe('asks you');
  expect(shownTask({ state: 'running' }).word).toBe('running');
});
