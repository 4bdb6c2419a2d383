import { withDeadline } from '../concurrency/index.js';
import { listAgentfiles, type Workflows } from '../workflows/index.js';
import type { Handlers } from './handler.js';

export interface WorkflowPorts {
  readonly workflows: Workflows;
}

export const workflowHandlers = ({ workflows }: WorkflowPorts) =>
  ({
    'workflow.run': async (input, caller) => workflows.run(input, caller.session),
    'workflow.files': async (input) => listAgentfiles(input),
    'workflow.list': async (input) => workflows.list(input),
    'workflow.show': async ({ workflow, brief }) => workflows.show(workflow, brief),
    'workflow.source': async ({ workflow }) => workflows.source(workflow),
    'workflow.resume': async (input) => workflows.resume(input),
    'workflow.cancel': async ({ workflow }) => workflows.cancel(workflow),
    'workflow.wait': async ({ workflow, timeout_ms }, caller) =>
      workflows.wait(workflow, timeout_ms === undefined ? caller.signal : withDeadline(caller.signal, timeout_ms)),
  }) satisfies Partial<Handlers>;
