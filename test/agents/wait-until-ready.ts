/**
 * Waits until a program accepts input, for programs whose readiness orchd cannot see: a program without an adapter, and
 * an agent that is hosted without its adapter (`--screen`). Keys typed earlier are lost or stay in its composer.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { adapterNamed, GENERIC } from '../../src/session/adapters/index.js';
import type { Hosted } from './host-agent.js';

interface ReadySign {
  /** Matches a row of the screen when the program accepts input. */
  readonly row: RegExp;
  /** How long to wait after that row. */
  readonly quietMs: number;
}

const READY_MS = 120_000;
const READY_QUIET_MS = 1_500;

/** Waits until the screen shows that the program accepts input. Does nothing if orchd itself waits for it. */
export async function waitUntilReady(hosted: Hosted): Promise<void> {
  const { id, call, problem, signal } = hosted;
  const sign = signOf(hosted);
  if (!sign) return;
  for (const until = Date.now() + READY_MS; Date.now() < until; await pause(100, undefined, { signal })) {
    const { text } = await call('session.capture', { session: id });
    if (!text.split('\n').some((row) => sign.row.test(row))) continue;
    return pause(sign.quietMs, undefined, { signal });
  }
  await problem('not ready');
}

/** Returns null for an agent that orchd hosts with its adapter. */
export function signOf({ agent, hostedAs }: Pick<Hosted, 'agent' | 'hostedAs'>): ReadySign | null {
  if (hostedAs !== GENERIC.name) return null;
  if (agent.ready) return { row: agent.ready, quietMs: READY_QUIET_MS };
  const signals = adapterNamed(agent.adapter)?.signals;
  return signals ? { row: signals.ready, quietMs: Math.max(signals.readyQuietMs, READY_QUIET_MS) } : null;
}
