/** Waits until a program without an adapter takes input. Keys that are typed before are lost, or stay in its composer. */
import { setTimeout as pause } from 'node:timers/promises';
import { GENERIC } from '../../src/session/adapters/index.js';
import type { Hosted } from './host-agent.js';

const READY_MS = 120_000;
const READY_QUIET_MS = 1_500;

/** Waits until the screen matches the program's `ready`. Does nothing for programs that orchd knows. */
export async function waitUntilReady({ agent, id, call, problem, signal }: Hosted): Promise<void> {
  if (agent.adapter !== GENERIC.name || agent.ready === undefined) return;
  for (const until = Date.now() + READY_MS; Date.now() < until; await pause(100, undefined, { signal })) {
    const { text } = await call('session.capture', { session: id });
    if (!text.split('\n').some((row) => agent.ready?.test(row))) continue;
    return pause(READY_QUIET_MS, undefined, { signal });
  }
  await problem('not ready');
}
