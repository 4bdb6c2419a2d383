import { GENERIC } from '../../session/adapters/index.js';
import { withDeadline } from '../concurrency/index.js';
import type { SessionEntry } from '../registry/index.js';
import type { Handlers } from './context.js';

export const runHandlers = {
  'run.start': async (house, { wait = false, ...input }, caller) => {
    const spawned = { spawn: null, isWaiting: wait };
    const isTold = caller.session !== null && isKnownAgent(caller.session);
    return house.runs.start(input, caller.session, isTold ? { spawned } : undefined);
  },
  'run.list': async (house, input) => house.runs.shelf.list(input),
  'run.show': async (house, { run }) => house.runs.shelf.show(run),
  'run.cancel': async (house, { run }) => house.runs.cancel(run),
  'run.retry': async (house, input) => house.runs.retry(input),
  'run.wait': async (house, { run, timeout_ms }, caller) => {
    const signal = timeout_ms === undefined ? caller.signal : withDeadline(caller.signal, timeout_ms);
    const { id, parent_session_id: parent } = house.runs.shelf.show(run);
    const leave = parent !== null && parent === caller.session?.id ? house.runs.await(id) : () => {};
    try {
      return await house.runs.wait(id, signal);
    } finally {
      leave();
    }
  },
} satisfies Partial<Handlers>;

/**
 * True for a known agent in a terminal, also one that a person started in a shell. If it does not wait for its run, it
 * gets the end typed as a message.
 */
function isKnownAgent({ view, hearing }: SessionEntry): boolean {
  const painter = hearing?.painter() ?? GENERIC.name;
  return view.mode === 'pty' && (view.adapter !== GENERIC.name || painter !== GENERIC.name);
}
