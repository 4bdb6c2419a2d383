/**
 * Handlers of the `run.*` operations: start, list, wait for, retry and cancel runs, also runs for another machine's
 * workflows. daemon/runs carries them out.
 */
import { GENERIC } from '../../session/adapters/index.js';
import { nameOf, repeatableId } from '../access/index.js';
import { withDeadline } from '../concurrency/index.js';
import { environmentFor } from '../program/index.js';
import type { SessionEntry } from '../registry/index.js';
import type { Runs } from '../runs/index.js';
import type { PlacedRuns } from '../workflows/index.js';
import type { Handlers } from './handler.js';

export interface RunPorts {
  readonly runs: Runs;
  readonly placedRuns: PlacedRuns;
}

export const runHandlers = ({ runs, placedRuns }: RunPorts) =>
  ({
    'run.start': async ({ wait = false, ...input }, caller) => {
      const id = repeatableId('run', caller);
      if (id !== undefined && runs.collection.has(id)) return runs.collection.show(id);
      const spawned = { spawn: null, isWaiting: wait };
      const getsCallback = caller.session !== null && isKnownAgent(caller.session);
      const env = await environmentFor(caller);
      return runs.start({ ...input, ...env }, caller.session, {
        ...(id !== undefined && { id }),
        ...(getsCallback && { spawned }),
      });
    },
    'run.list': async (input) => runs.collection.list(input),
    'run.show': async ({ run }) => runs.collection.show(run),
    'run.cancel': async ({ run }, caller) => {
      const found = runs.collection.show(run);
      return caller.isRemote && found.state === 'cancelled' ? found : runs.cancel(run, nameOf(caller));
    },
    'run.place': async (input, caller) => placedRuns.start(input, await environmentFor(caller)),
    'run.withdraw': async ({ id }) => {
      placedRuns.withdraw(id);
      return { id };
    },
    'run.retry': async (input, caller) => {
      const id = repeatableId('run', caller);
      if (id !== undefined && runs.collection.has(id)) return runs.collection.show(id);
      return runs.retry({ ...input, ...(await environmentFor(caller)) }, id);
    },
    'run.wait': async ({ run, timeout_ms }, caller) => {
      const signal = timeout_ms === undefined ? caller.signal : withDeadline(caller.signal, timeout_ms);
      const { id, parent_session_id: parent } = runs.collection.show(run);
      const leave = parent !== null && parent === caller.session?.id ? runs.parents.await(id) : () => {};
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
