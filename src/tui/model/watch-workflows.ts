/**
 * Keeps the workflows in the model in sync with the daemon: the list, and the open workflow.
 *
 * In:   the model's inputs (`follow`), and the open view (`show`).
 * Out:  the list after every snapshot and, while it is shown, after every step; the open workflow after each of its
 *       changes.
 * The reloader limits the rate, so a workflow of a thousand steps is not requested a thousand times. The brief form is
 * requested, because values may be megabytes.
 */
import type { Client } from '../../client/index.js';
import type { ModelInput } from './model.js';
import { createReloader } from './reloader.js';

/** The open view: the list, one workflow by its id, or none. */
export type OpenWorkflow = { readonly kind: 'list' } | { readonly kind: 'run'; readonly id: string } | null;

interface WorkflowWatch {
  follow(input: ModelInput): void;
  show(open: OpenWorkflow): void;
  close(): void;
}

/** @param fail  Called with the reason if a workflow cannot be shown, except if the daemon is away. */
export function watchWorkflows(
  client: Client,
  take: (input: ModelInput) => void,
  fail: (error: unknown) => void,
  now: () => number = Date.now,
): WorkflowWatch {
  let open: OpenWorkflow = null;
  const reloader = createReloader<'list' | 'run'>({
    load: async (part) =>
      part === 'list'
        ? { kind: 'workflows', workflows: await client.call('workflow.list', {}) }
        : {
            kind: 'workflow',
            workflow: await client.call('workflow.show', { workflow: idOf(open) ?? '', brief: true }),
          },
    isShown: (part) => part === 'list' || open?.kind === 'run', // the list also without a view, for its count
    take,
    fail,
    now,
  });
  return {
    follow(input) {
      if (input.kind === 'snapshot') reloader.reload(['list', 'run']);
      if (input.kind !== 'event') return;
      const { event } = input;
      if (event.event_type !== 'workflow_step_changed' && event.event_type !== 'workflow_state_changed') return;
      if (open?.kind === 'list') reloader.reload(['list']);
      else if (event.workflow_id === idOf(open)) reloader.reload(['run']);
    },
    show(next) {
      if (open?.kind === next?.kind && idOf(open) === idOf(next)) return;
      open = next;
      if (next) reloader.reloadNow([next.kind]);
    },
    close: () => reloader.close(),
  };
}

const idOf = (open: OpenWorkflow): string | null => (open?.kind === 'run' ? open.id : null);
