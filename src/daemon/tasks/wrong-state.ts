/** The error for a request that the state of a task does not allow; it says what to do first. */
import { OrchdError, type Task } from '../../protocol/index.js';

export function wrongState(task: Task, what: 'planned' | 'started' | 'cancelled'): OrchdError {
  const { id, state } = task;
  const next =
    state === 'pending' && what === 'started'
      ? `: plan it first (\`orchd task plan ${id} --start\`)`
      : state === 'awaiting_input' && what !== 'cancelled'
        ? `: answer it (\`orchd task answer ${id}\`)`
        : '';
  return new OrchdError('ORCHD_TASK_STATE', `task ${id} is ${state}, and cannot be ${what}${next}`, { state });
}
