/**
 * One call of a tool, carried through whatever happens to the daemon: under one call id it is made again when the
 * connection breaks.
 */
import type { OutputOf } from '../protocol/index.js';
import type { Client } from './client.js';
import { callLasting, type Lasting } from './lasting.js';

export interface ToolCall extends Pick<Lasting, 'isWaiting' | 'signal' | 'onAway'> {
  readonly session: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly callId: string;
  /** What the tool does by itself, unless said. */
  readonly wait?: boolean;
  readonly timeoutMs?: number;
}

/** @returns Its result; what the daemon refuses is thrown as it came. */
export function callTool(client: Client, call: ToolCall): Promise<OutputOf<'session.tool'>> {
  const { session, tool, input, callId, wait, isWaiting, timeoutMs, signal, onAway } = call;
  const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + timeoutMs;
  const once = (leftMs?: number): Promise<OutputOf<'session.tool'>> => {
    const rest = leftMs === undefined ? {} : { timeout_ms: leftMs };
    const whole = { ...input, ...(wait !== undefined && { wait }), ...rest, session, tool, call_id: callId };
    return client.call('session.tool', whole, { signal });
  };
  return callLasting(once, { isWaiting, deadline, signal, onAway });
}
