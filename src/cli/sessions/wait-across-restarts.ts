/**
 * Waits for a result of the daemon, across restarts of the daemon, which are shown to the person.
 *
 * In:   a call that returns when the result is there, and a timeout.
 * Out:  the call's result. Ctrl-C ends only the waiting.
 */
import { type CallOptions, callAcrossRestarts } from '../../client/index.js';
import type { Context } from '../program/context.js';

export type Wait<T> = (given: { readonly timeout_ms?: number }, options: CallOptions) => Promise<T>;

/** @throws {OrchdError} ORCHD_TIMEOUT, and the errors of the call. */
export function waitAcrossRestarts<T>(
  context: Context,
  call: Wait<T>,
  timeoutMs = Number.POSITIVE_INFINITY,
): Promise<T> {
  const { signal } = context;
  return callAcrossRestarts((leftMs) => call(leftMs === undefined ? {} : { timeout_ms: leftMs }, { signal }), {
    isWaiting: true,
    signal,
    deadline: performance.now() + timeoutMs,
    onAway: () => context.note(AWAY),
  });
}

export const AWAY = 'orchd: the daemon is gone; orchd waits until it is back';
