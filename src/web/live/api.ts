/** Calls the operations of the daemon, typed as for every other client. */
import {
  type InputOf,
  OPERATIONS,
  type OperationName,
  OrchdError,
  type OutputOf,
  type Problem,
  toRequest,
} from '../../protocol/index.js';

export interface Api {
  /** @throws {OrchdError} The daemon's error, or ORCHD_DAEMON_UNREACHABLE. */
  call<N extends OperationName>(name: N, input: InputOf<N>, signal?: AbortSignal): Promise<OutputOf<N>>;
}

/** @param onRefused  Called if the daemon does not know the token any more. */
export function createApi(token: string | null, onRefused: () => void): Api {
  return {
    async call<N extends OperationName>(name: N, input: InputOf<N>, signal?: AbortSignal): Promise<OutputOf<N>> {
      const { path, body } = toRequest(name, input);
      const reply = await send(path, {
        method: OPERATIONS[name].method,
        headers: {
          accept: 'application/json',
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
      });
      const value: unknown = await reply.json().catch(() => null);
      if (reply.ok) return value as OutputOf<N>; // the daemon replies in the operation's shape
      const error = isProblem(value)
        ? OrchdError.fromProblem(value)
        : new OrchdError('ORCHD_INTERNAL', `the reply was ${reply.status}, without a problem`);
      if (error.code === 'ORCHD_UNAUTHORIZED') onRefused();
      throw error;
    },
  };
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new OrchdError('ORCHD_DAEMON_UNREACHABLE', 'the daemon does not answer', undefined, error);
  }
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'error' in value && 'code' in value;
