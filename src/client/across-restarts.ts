/**
 * Repeats a call when the daemon is replaced during it. Only for idempotent calls.
 *
 *     the daemon was there and is gone     waits until it is back: without limit if the call waits for something,
 *                                          otherwise for AWAY_MS or `awayMs`
 *     no daemon was there yet              waits for AWAY_MS, because the daemon may be starting
 */
import { OrchdError } from '../protocol/index.js';

export interface AcrossRestarts {
  /** True if the call waits for an event that may take any time. */
  readonly isWaiting: boolean;
  /** Milliseconds since the epoch; Infinity for none. */
  readonly deadline: number;
  /** Ends the call with ORCHD_DAEMON_UNREACHABLE. */
  readonly signal: AbortSignal;
  /** Maximum time to wait for a daemon that has become unreachable. */
  readonly awayMs?: number;
  /** Called each time the daemon goes away. */
  readonly onAway?: (() => void) | undefined;
}

const AWAY_MS = 5_000;
const RETRY_FIRST_MS = 50;
const RETRY_MOST_MS = 1_000;

/** @param call  Called with the milliseconds left; undefined for no limit. */
export async function callAcrossRestarts<T>(call: (leftMs?: number) => Promise<T>, about: AcrossRestarts): Promise<T> {
  const { isWaiting, deadline, signal, onAway } = about;
  const { awayMs = isWaiting ? Number.POSITIVE_INFINITY : AWAY_MS } = about;
  let wasThere = false;
  let awaySince: number | null = null;
  for (let pauseMs = RETRY_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, RETRY_MOST_MS)) {
    try {
      return await (Number.isFinite(deadline) ? call(Math.max(0, Math.ceil(deadline - performance.now()))) : call());
    } catch (error) {
      if (signal.aborted || !isAway(error)) throw error;
      if (!hadNoListener(error)) {
        wasThere = true;
        awaySince = null;
        pauseMs = RETRY_FIRST_MS;
      }
      if (awaySince === null) onAway?.();
      awaySince ??= performance.now();
      const patienceMs = wasThere ? awayMs : AWAY_MS;
      if (performance.now() - awaySince + pauseMs > patienceMs || performance.now() + pauseMs > deadline) throw error;
    }
    const { setTimeout: sleep } = await import('node:timers/promises');
    await sleep(pauseMs, undefined, { signal }).catch(() => {}); // the next call reports that it was ended
  }
}

function isAway(error: unknown): error is OrchdError {
  if (!(error instanceof OrchdError)) return false;
  const { code } = error;
  return code === 'ORCHD_DAEMON_UNREACHABLE' || code === 'ORCHD_DAEMON_SILENT' || code === 'ORCHD_HOST_UNREACHABLE';
}

/** True if no daemon listened; false for a connection that broke. */
function hadNoListener({ cause }: OrchdError): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'EACCES';
}
