/**
 * A call that is made again when the daemon is replaced under it; only for what is the same however often it is called.
 *
 *     a daemon that was there and is gone     is waited for: without limit where something is waited for, else AWAY_MS,
 *                                             or as long as is said
 *     none that was ever there                is waited for AWAY_MS: it may be starting
 */
import { OrchdError } from '../protocol/index.js';

export interface Lasting {
  /** Whether it waits for something that may take as long as it likes. */
  readonly isWaiting: boolean;
  /** Milliseconds since the epoch; Infinity: none. */
  readonly deadline: number;
  /** Ends it: ORCHD_DAEMON_UNREACHABLE. */
  readonly signal: AbortSignal;
  /** For how long a daemon that was there is waited for at most. */
  readonly awayMs?: number;
  /** Called when the daemon is gone, once each time. */
  readonly onAway?: (() => void) | undefined;
}

const AWAY_MS = 5_000;
const RETRY_FIRST_MS = 50;
const RETRY_MOST_MS = 1_000;

/** @param call  Given what is left of the time; undefined: no limit. */
export async function callLasting<T>(call: (leftMs?: number) => Promise<T>, about: Lasting): Promise<T> {
  const { isWaiting, deadline, signal, onAway } = about;
  const { awayMs = isWaiting ? Number.POSITIVE_INFINITY : AWAY_MS } = about;
  let wasThere = false;
  let awaySince: number | null = null;
  for (let pauseMs = RETRY_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, RETRY_MOST_MS)) {
    try {
      return await (Number.isFinite(deadline) ? call(Math.max(0, deadline - Date.now())) : call());
    } catch (error) {
      if (signal.aborted || !isAway(error)) throw error;
      if (!wasNobodyThere(error)) {
        wasThere = true;
        awaySince = null;
        pauseMs = RETRY_FIRST_MS;
      }
      if (awaySince === null) onAway?.();
      awaySince ??= Date.now();
      const patienceMs = wasThere ? awayMs : AWAY_MS;
      if (Date.now() - awaySince + pauseMs > patienceMs || Date.now() + pauseMs > deadline) throw error;
    }
    const { setTimeout } = await import('node:timers/promises');
    await setTimeout(pauseMs, undefined, { signal }).catch(() => {}); // the next call says that it was ended
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
