/** Tasks as they are named and listed. Pure. */
import { briefly, openQuestions, type TaskBook } from '../../lifecycle/index.js';
import type { Task, TaskSummary } from '../../protocol/index.js';
import { begins, pick } from '../pick.js';

/** @throws {OrchdError} ORCHD_TASK_UNKNOWN, ORCHD_AMBIGUOUS */
export function findTask(books: ReadonlyMap<string, TaskBook>, selector: string): TaskBook {
  const exact = books.get(selector);
  if (exact) return exact;
  const found = [...books.values()].filter(({ task }) => begins(task.id, selector));
  return pick(found, selector, 'task', ({ task }) => task.id);
}

export function summaryOf(task: Task): TaskSummary {
  const { id, state, current_agent, assigned_agent, error, created_at, ended_at } = task;
  return {
    ...{ id, state, prompt: briefly(task.prompt), current_agent, assigned_agent },
    ...{ open_questions: openQuestions(task).length, error, created_at, ended_at },
  };
}
