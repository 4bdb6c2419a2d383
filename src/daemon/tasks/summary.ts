/** The summary of a task for lists. Pure. */
import { briefly, openQuestions } from '../../lifecycle/index.js';
import type { Task, TaskSummary } from '../../protocol/index.js';

export function summaryOf(task: Task): TaskSummary {
  const { id, state, current_agent, assigned_agent, error, created_at, ended_at } = task;
  return {
    id,
    state,
    prompt: briefly(task.prompt),
    current_agent,
    assigned_agent,
    open_questions: openQuestions(task).length,
    error,
    created_at,
    ended_at,
  };
}
