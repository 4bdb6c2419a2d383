/**
 * Handlers of the `task.*` operations. They pass requests to daemon/tasks. `task.tool` calls a tool for the session
 * that works on the task.
 */
import { OrchdError } from '../../protocol/index.js';
import { nameOf } from '../access/index.js';
import { withDeadline } from '../concurrency/index.js';
import type { Tasks } from '../tasks/index.js';
import type { Tools } from '../tools/index.js';
import type { Handlers } from './handler.js';

export interface TaskPorts {
  readonly tasks: Tasks;
  readonly tools: Tools;
}

export const taskHandlers = ({ tasks, tools }: TaskPorts) =>
  ({
    'task.create': async (input, caller) => tasks.create(input, caller.session),
    'task.list': async (input) => tasks.list(input),
    'task.show': async ({ task }) => tasks.show(task),
    'task.plan': async (input) => tasks.plan(input),
    'task.answer': async (input, caller) => tasks.answer(input, caller.client),
    'task.start': async (input) => tasks.start(input),
    'task.cancel': async ({ task }, caller) => tasks.cancel(task, nameOf(caller)),
    'task.history': async ({ task }) => tasks.history(task),
    'task.wait': async ({ task, timeout_ms }, caller) =>
      tasks.wait(task, timeout_ms === undefined ? caller.signal : withDeadline(caller.signal, timeout_ms)),
    'task.tool': async ({ task, tool, wait, call_id, timeout_ms, ...input }, caller) => {
      const entry = tasks.sessionOf(task);
      if (caller.session && caller.session !== entry) {
        const message = `you are inside session '${caller.session.view.name}', which does not work on this task`;
        throw new OrchdError('ORCHD_FORBIDDEN', message);
      }
      const callId = call_id ?? caller.requestKey ?? undefined;
      return tools.call(entry, { tool, input, wait, callId, timeoutMs: timeout_ms }, caller);
    },
  }) satisfies Partial<Handlers>;
