/**
 * Keeps the workflows in the model in sync with the daemon: the list, and the open workflow.
 *
 * In:   the model's inputs (`heard`), and the open view (`show`).
 * Out:  the list after every snapshot and, while it is shown, after every step; the open workflow after each of its
 *       changes.
 * At most one request is in flight, with a pause between two, so a workflow of a thousand steps is not requested a
 * thousand times. The brief form is requested, because values may be megabytes.
 */
import type { Client } from '../../client/index.js';
import { OrchdError } from '../../protocol/index.js';
import type { ModelInput } from '../model/model.js';

/** The open view: the list, one workflow by its id, or none. */
export type Looked = { readonly kind: 'list' } | { readonly kind: 'run'; readonly id: string } | null;

interface WorkflowWatch {
  heard(input: ModelInput): void;
  show(looked: Looked): void;
  close(): void;
}

const REST_MS = 250;
/** The pause after a request is this many times as long as the request took. */
const REST_FACTOR = 4;

/** @param fail  Called with the reason if a workflow cannot be shown, except if the daemon is away. */
export function watchWorkflows(
  client: Client,
  take: (input: ModelInput) => void,
  fail: (error: unknown) => void,
  now: () => number = Date.now,
): WorkflowWatch {
  let looked: Looked = null;
  let isListStale = false;
  let isRunStale = false;
  let isAsking = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let restUntil = 0;

  const askSoon = (): void => {
    const isStale = isListStale || (isRunStale && looked?.kind === 'run');
    if (!isStale || isAsking || isClosed || timer !== undefined) return;
    timer = setTimeout(() => void ask(), Math.max(0, restUntil - now()));
  };

  async function ask(): Promise<void> {
    timer = undefined;
    isAsking = true;
    const begun = now();
    try {
      if (isListStale) {
        isListStale = false; // later events make it stale again
        take({ kind: 'workflows', workflows: await client.call('workflow.list', {}) });
      }
      if (isRunStale && looked?.kind === 'run') {
        isRunStale = false;
        take({ kind: 'workflow', workflow: await client.call('workflow.show', { workflow: looked.id, brief: true }) });
      }
    } catch (error) {
      const isAway = error instanceof OrchdError && error.code === 'ORCHD_DAEMON_UNREACHABLE';
      if (!isAway && !isClosed) fail(error); // after a reconnect a snapshot comes
    }
    isAsking = false;
    restUntil = now() + Math.max(REST_MS, REST_FACTOR * (now() - begun));
    askSoon();
  }

  return {
    heard(input) {
      if (input.kind === 'snapshot') {
        isListStale = true;
        isRunStale = true;
      } else if (input.kind === 'event') {
        const { event } = input;
        const isOne = event.event_type === 'workflow_step_changed' || event.event_type === 'workflow_state_changed';
        if (!isOne) return;
        if (looked?.kind === 'list') isListStale = true;
        if (looked?.kind === 'run' && event.workflow_id === looked.id) isRunStale = true;
      }
      askSoon();
    },
    show(next) {
      if (looked?.kind === next?.kind && idOf(looked) === idOf(next)) return;
      looked = next;
      if (next?.kind === 'list') isListStale = true;
      if (next?.kind === 'run') isRunStale = true;
      restUntil = 0; // a newly opened view is loaded at once
      askSoon();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

const idOf = (looked: Looked): string | null => (looked?.kind === 'run' ? looked.id : null);
