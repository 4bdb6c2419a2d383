/** An operation as a request: its fields in path, query and body, as protocol's operation table says. */
import { hasBody, type InputOf, OPERATIONS, type OperationName, type OutputOf } from '../protocol/index.js';
import { closedError, type Line, parseReply, sendWhole, silence } from './request.js';

export interface CallOptions {
  /** For the whole reply. Default: the client's; none for what waits for something. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface WireRequest {
  readonly path: string;
  readonly body?: string;
}

/**
 * @param begun  Called with what ends the call (ORCHD_DAEMON_UNREACHABLE); what it returns is called when the call is
 *               over.
 * @throws {OrchdError} The daemon's, or ORCHD_DAEMON_UNREACHABLE, ORCHD_DAEMON_SILENT.
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
    const text = await sendWhole(line, wire, (socket) => {
      isOver = begun(() => socket.destroy(closedError()));
      if (Number.isFinite(timeoutMs)) timer = setTimeout(() => socket.destroy(silence(line, timeoutMs)), timeoutMs);
    });
    return parseReply(text) as OutputOf<N>; // the daemon replies in the operation's shape
  } finally {
    clearTimeout(timer);
    isOver();
  }
}

/** How long an operation may take beyond a reply's usual time; Infinity: as long as it likes. */
export function patienceMs(name: OperationName, input: object): number {
  switch (name) {
    case 'session.wait':
    case 'run.wait':
    case 'task.wait':
    case 'task.cancel':
    case 'workflow.wait':
    case 'workflow.cancel':
    case 'task.tool':
    case 'run.cancel': // its program may take its time
    case 'session.import':
    case 'session.tool': // its answer comes from a person
    case 'session.hook':
    case 'daemon.prune': // of thousands of sessions
    case 'event.explain': // a long journal is heard again
      return Number.POSITIVE_INFINITY;
    case 'session.send':
      return 'wait_ms' in input && typeof input.wait_ms === 'number' ? input.wait_ms : SEND_MS;
    case 'session.kill':
      return 'grace_ms' in input && typeof input.grace_ms === 'number' ? input.grace_ms : 0;
    case 'daemon.stop':
      return STOP_MS;
    default:
      return 0;
  }
}
/** An agent is waited for until it takes input: the default of `wait_ms`. */
const SEND_MS = 60_000;
/** Ending every session takes their grace times. */
const STOP_MS = 30_000;

/** `{field}` from the path, the others in the query of a GET or DELETE (lists repeated) or the JSON body. */
export function toRequest<N extends OperationName>(name: N, input: InputOf<N>): WireRequest {
  const { path } = OPERATIONS[name];
  const fields = new Map(Object.entries(input));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, field: string) => {
    const value = fields.get(field);
    fields.delete(field);
    return encodeURIComponent(String(value));
  });
  if (hasBody(OPERATIONS[name])) return { path: filled, body: JSON.stringify(Object.fromEntries(fields)) };
  if (fields.size === 0) return { path: filled };
  const query = new URLSearchParams();
  for (const [field, value] of fields) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) query.append(field, String(one));
    }
  }
  return { path: query.size > 0 ? `${filled}?${query}` : filled };
}
