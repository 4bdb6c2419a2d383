/**
 * Sends an operation as a request: its fields go into the path, the query or the body, as the operation table defines.
 */
import {
  type InputOf,
  OPERATIONS,
  type OperationEntry,
  type OperationName,
  type OutputOf,
  toRequest,
} from '../protocol/index.js';
import { closedError, type Line, parseReply, sendWhole, silence } from './request.js';

export interface CallOptions {
  /** Timeout for the whole reply. Default: the client's; none for operations that wait. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * @param begun Called with a function that aborts the call (ORCHD_DAEMON_UNREACHABLE). `begun` returns a function that
 *   is called when the call is over.
 * @throws {OrchdError} The daemon's error, or ORCHD_DAEMON_UNREACHABLE, ORCHD_DAEMON_SILENT.
 */
export async function callOperation<N extends OperationName>(
  line: Line,
  name: N,
  input: InputOf<N>,
  timeoutMs: number,
  begun: (end: () => void) => () => void,
): Promise<OutputOf<N>> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = (): void => {};
  try {
    const wire = { method: OPERATIONS[name].method, accept: 'application/json', ...toRequest(name, input) };
    const text = await sendWhole(line, wire, (end) => {
      isOver = begun(() => end(closedError()));
      if (Number.isFinite(timeoutMs)) timer = setTimeout(() => end(silence(line, timeoutMs)), timeoutMs);
    });
    return parseReply(text) as OutputOf<N>; // the daemon replies in the operation's shape
  } finally {
    clearTimeout(timer);
    isOver();
  }
}

/** Returns how many milliseconds an operation may take in addition to the usual timeout; Infinity for no limit. */
export function patienceMs<N extends OperationName>(name: N, input: InputOf<N>): number {
  const { patienceMs = 0 } = OPERATIONS[name] as OperationEntry<InputOf<N>>; // the name determines the input's type
  return typeof patienceMs === 'number' ? patienceMs : patienceMs(input);
}
