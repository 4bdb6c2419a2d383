/**
 * Handlers of the `workflow.*` operations: run, list, show, resume, cancel and wait for workflows, and list Agentfiles.
 * daemon/workflows carries them out.
 */
import { nameOf, repeatableId } from '../access/index.js';
import { withDeadline } from '../concurrency/index.js';
import { environmentFor } from '../program/index.js';
import { listAgentfiles, type Workflows } from '../workflows/index.js';
import type { Handlers } from './handler.js';

export interface WorkflowPorts {
  readonly workflows: Workflows;
}

export const workflowHandlers = ({ workflows }: WorkflowPorts) =>
  ({
    'workflow.run': async (input, caller) => {
      const id = repeatableId('workflow', caller);
      if (id !== undefined && workflows.collection.has(id)) return workflows.show(id);
      const env = await environmentFor(caller);
      return workflows.run({ ...input, ...env }, caller.session, id);
    },
    'workflow.files': async (input) => listAgentfiles(input),
    'workflow.list': async (input) => workflows.list(input),
    'workflow.show': async ({ workflow, brief }) => workflows.show(workflow, brief),
    'workflow.source': async ({ workflow }) => workflows.source(workflow),
    'workflow.resume': async (input, { isRemote, requestKey }) => workflows.resume(input, isRemote ? requestKey : null),
    'workflow.cancel': async ({ workflow }, caller) => {
      const found = workflows.show(workflow);
      return caller.isRemote && found.state === 'cancelled' ? found : workflows.cancel(workflow, nameOf(caller));
    },
    'workflow.wait': async ({ workflow, timeout_ms }, caller) =>
      workflows.wait(workflow, timeout_ms === undefined ? caller.signal : withDeadline(caller.signal, timeout_ms)),
  }) satisfies Partial<Handlers>;
