import { GENERIC } from '../../session/adapters/index.js';
import { withDeadline } from '../concurrency/index.js';
import type { SessionEntry } from '../registry/index.js';
import type { Runs } from '../runs/index.js';
import type { Handlers } from './handler.js';

export interface RunPorts {
  readonly runs: Runs;
}

export const runHandlers = ({ runs }: RunPorts) =>
  ({
    'run.start': async ({ wait = false, ...input }, caller) => {
      const spawned = { spawn: null, isWaiting: wait };
      const getsCallback = caller.session !== null && isKnownAgent(caller.session);
      return runs.start(input, caller.session, getsCallback ? { spawned } : undefined);
    },
    'run.list': async (input) => runs.shelf.list(input),
    'run.show': async ({ run }) => runs.shelf.show(run),
    'run.cancel': async ({ run }) => runs.cancel(run),
    'run.retry': async (input) => runs.retry(input),
    'run.wait': async ({ run, timeout_ms }, caller) => {
      const signal = timeout_ms === undefined ? caller.signal : withDeadline(caller.signal, timeout_ms);
      const { id, parent_session_id: parent } = runs.shelf.show(run);
      const leave = parent !== null && parent === caller.session?.id ? runs.await(id) : () => {};
      try {
        return await runs.wait(id, signal);
      } finally {
        leave();
      }
    },
  }) satisfies Partial<Handlers>;

/**
 * True for an agent with an adapter, even if a person started it in a shell. If it does not wait for its run, the end
 * of the run is typed into its input as a message.
 */
function isKnownAgent({ view, hearing }: SessionEntry): boolean {
  const painter = hearing?.painter() ?? GENERIC.name;
  return view.mode === 'pty' && (view.adapter !== GENERIC.name || painter !== GENERIC.name);
}
