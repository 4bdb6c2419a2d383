/**
 * One call of a tool, carried through whatever happens to the daemon: under one call id it is made again when the connection breaks.
 *
 * In:   the call. Out: its result; what the daemon refuses is thrown as it came.
 *
 *     a daemon that was there and is gone     is waited for: without limit while an answer is waited for, else AWAY_MS
 *     none that was ever there                is waited for AWAY_MS: it may be starting
 */
import { OrchdError, type OutputOf } from '../protocol/index.js';
import type { Client } from './client.js';

export interface ToolCall {
  readonly session: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly callId: string;
  /** What the tool does by itself, unless said. */
  readonly wait?: boolean;
  /** Whether it waits for an answer then. */
  readonly isWaiting: boolean;
  readonly timeoutMs?: number;
  /** Ends it: ORCHD_DAEMON_UNREACHABLE. */
  readonly signal: AbortSignal;
  /** Called when the daemon is gone, once each time. */
  readonly onAway?: () => void;
}

const AWAY_MS = 5_000;
const RETRY_FIRST_MS = 50;
const RETRY_MOST_MS = 1_000;

export async function callTool(client: Client, call: ToolCall): Promise<OutputOf<'session.tool'>> {
  const { session, tool, input, callId, wait, isWaiting, timeoutMs, signal, onAway } = call;
  const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + timeoutMs;
  let wasThere = false;
  let awaySince: number | null = null;
  for (let pauseMs = RETRY_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, RETRY_MOST_MS)) {
    try {
      const rest = Number.isFinite(deadline) ? { timeout_ms: Math.max(0, deadline - Date.now()) } : {};
      const whole = { ...input, ...(wait !== undefined && { wait }), ...rest, session, tool, call_id: callId };
      return await client.call('session.tool', whole, { signal });
    } catch (error) {
      if (signal.aborted || !isAway(error)) throw error;
      if (!wasNobodyThere(error)) {
        wasThere = true;
        awaySince = null;
        pauseMs = RETRY_FIRST_MS;
      }
      if (awaySince === null) onAway?.();
      awaySince ??= Date.now();
      const patienceMs = isWaiting && wasThere ? Number.POSITIVE_INFINITY : AWAY_MS;
      if (Date.now() - awaySince + pauseMs > patienceMs || Date.now() + pauseMs > deadline) throw error;
    }
    await pause(pauseMs, signal);
  }
}

function isAway(error: unknown): error is OrchdError {
  if (!(error instanceof OrchdError)) return false;
  const { code } = error;
  return code === 'ORCHD_DAEMON_UNREACHABLE' || code === 'ORCHD_DAEMON_SILENT' || code === 'ORCHD_HOST_UNREACHABLE';
}

/** Nobody listens: it did not break, it was not there. */
function wasNobodyThere({ cause }: OrchdError): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'EACCES';
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
