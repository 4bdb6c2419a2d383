/** Calls a tool across restarts of the daemon: after a disconnect the call is repeated with the same call id. */
import type { OutputOf } from '../protocol/index.js';
import { type AcrossRestarts, callAcrossRestarts } from './across-restarts.js';
import type { Client } from './client.js';

interface ToolCall extends Pick<AcrossRestarts, 'isWaiting' | 'signal' | 'onAway'> {
  readonly session: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly callId: string;
  /** Default: as the tool defines it. */
  readonly wait?: boolean;
  readonly timeoutMs?: number;
}

/** @returns The result. Errors of the daemon are thrown unchanged. */
export function callTool(client: Client, call: ToolCall): Promise<OutputOf<'session.tool'>> {
  const { session, tool, input, callId, wait, isWaiting, timeoutMs, signal, onAway } = call;
  const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
  const once = (leftMs?: number): Promise<OutputOf<'session.tool'>> => {
    const rest = leftMs === undefined ? {} : { timeout_ms: leftMs };
    const whole = { ...input, ...(wait !== undefined && { wait }), ...rest, session, tool, call_id: callId };
    return client.call('session.tool', whole, { signal });
  };
  return callAcrossRestarts(once, { isWaiting, deadline, signal, onAway });
}
