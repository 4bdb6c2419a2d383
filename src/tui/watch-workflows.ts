/**
 * Keeps what the model knows of workflows up with the daemon: the list of them, and the one that is looked at.
 *
 * In:   what the model takes (`heard`), and what is looked at (`show`).
 * Out:  the list anew after every snapshot and, while it is looked at, after every step; a workflow that is looked at
 *       whenever it changes.
 * However fast events come, one question is under way, and between two is a rest: a workflow of a thousand steps is not
 * asked for a thousand times. It is asked for in brief: values may be megabytes.
 */
import type { Client } from '../client/index.js';
import { OrchdError } from '../protocol/index.js';
import type { ModelInput } from './model.js';

/** The list, one of them by its id, or nothing. */
export type Looked = { readonly kind: 'list' } | { readonly kind: 'run'; readonly id: string } | null;

export interface WorkflowWatch {
  heard(input: ModelInput): void;
  show(looked: Looked): void;
  close(): void;
}

const REST_MS = 250;
/** So many times as long as a question took is rested after it. */
const REST_FACTOR = 4;

/** @param fail  Hears why a workflow cannot be shown; that the daemon is away is told elsewhere. */
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
        isListStale = false; // what happens from now on counts again
        take({ kind: 'workflows', workflows: await client.call('workflow.list', {}) });
      }
      if (isRunStale && looked?.kind === 'run') {
        isRunStale = false;
        take({ kind: 'workflow', workflow: await client.call('workflow.show', { workflow: looked.id, brief: true }) });
      }
    } catch (error) {
      const isAway = error instanceof OrchdError && error.code === 'ORCHD_DAEMON_UNREACHABLE';
      if (!isAway && !isClosed) fail(error); // who comes back brings a snapshot
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
      restUntil = 0; // who comes here does not wait
      askSoon();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

const idOf = (looked: Looked): string | null => (looked?.kind === 'run' ? looked.id : null);
