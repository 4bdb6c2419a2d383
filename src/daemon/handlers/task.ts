import { OrchdError } from '../../protocol/index.js';
import { withDeadline } from '../concurrency/index.js';
import type { Handlers } from './context.js';

export const taskHandlers = {
  'task.create': async (house, input, caller) => house.tasks.create(input, caller.session),
  'task.list': async (house, input) => house.tasks.list(input),
  'task.show': async (house, { task }) => house.tasks.show(task),
  'task.plan': async (house, input) => house.tasks.plan(input),
  'task.answer': async (house, input, caller) => house.tasks.answer(input, caller.client),
  'task.start': async (house, input) => house.tasks.start(input),
  'task.cancel': async (house, { task }) => house.tasks.cancel(task),
  'task.history': async (house, { task }) => house.tasks.history(task),
  'task.wait': async (house, { task, timeout_ms }, caller) =>
    house.tasks.wait(task, timeout_ms === undefined ? caller.signal : withDeadline(caller.signal, timeout_ms)),
  'task.tool': async (house, { task, tool, wait, call_id, timeout_ms, ...input }, caller) => {
    const entry = house.tasks.sessionOf(task);
    if (caller.session && caller.session !== entry) {
      const message = `you are inside session '${caller.session.view.name}', which does not work on this task`;
      throw new OrchdError('ORCHD_FORBIDDEN', message);
    }
    const callId = call_id ?? caller.requestKey ?? undefined;
    return house.tools.call(entry, { tool, input, wait, callId, timeoutMs: timeout_ms }, caller);
  },
} satisfies Partial<Handlers>;
