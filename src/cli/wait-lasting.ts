/**
 * Waits for what the daemon does, for people: through daemons that come and go, which they are told.
 *
 * In:   a call that returns when it is so, and for how long to wait.
 * Out:  what it returns. Ctrl-C ends the waiting, and nothing else.
 */
import { type CallOptions, callLasting } from '../client/index.js';
import type { Context } from './context.js';

type Wait<T> = (given: { readonly timeout_ms?: number }, options: CallOptions) => Promise<T>;

/** @throws {OrchdError} ORCHD_TIMEOUT, and what the call throws. */
export function waitLasting<T>(context: Context, call: Wait<T>, timeoutMs = Number.POSITIVE_INFINITY): Promise<T> {
  const { signal } = context;
  return callLasting((leftMs) => call(leftMs === undefined ? {} : { timeout_ms: leftMs }, { signal }), {
    ...{ isWaiting: true, signal, deadline: Date.now() + timeoutMs },
    onAway: () => context.note(AWAY),
  });
}

export const AWAY = 'orchd: the daemon is gone; it is waited for';
