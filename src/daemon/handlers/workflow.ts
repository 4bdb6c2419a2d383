import { withDeadline } from '../concurrency/index.js';
import type { Handlers } from './context.js';

export const workflowHandlers = {
  'workflow.run': async (house, input, caller) => house.workflows.run(input, caller.session),
  'workflow.list': async (house, input) => house.workflows.list(input),
  'workflow.show': async (house, { workflow, brief }) => house.workflows.show(workflow, brief),
  'workflow.resume': async (house, input) => house.workflows.resume(input),
  'workflow.cancel': async (house, { workflow }) => house.workflows.cancel(workflow),
  'workflow.wait': async (house, { workflow, timeout_ms }, caller) =>
    house.workflows.wait(workflow, timeout_ms === undefined ? caller.signal : withDeadline(caller.signal, timeout_ms)),
} satisfies Partial<Handlers>;
