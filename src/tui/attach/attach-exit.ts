/** Finds out how an attached program ended if its stream did not say so. */
import type { Client, TerminalEnd } from '../../client/index.js';
import { OrchdError, type State } from '../../protocol/index.js';

export interface Exit {
  readonly state: State;
  readonly exitCode: number | null;
  /** The signal that ended the program, such as `SIGKILL`. */
  readonly signal: string | null;
}

const NORMAL = 1000;
const NOT_ALLOWED = 1008;
const FAILED = 1011;
/** Milliseconds to wait for the end of the session after its stream has failed: the program's end may be the cause. */
const END_MS = 1_000;

/** @throws {OrchdError} The error that ended the stream while the program is still running. */
export async function exitOf(client: Client, session: string, { code, reason }: TerminalEnd): Promise<Exit> {
  if (code === NORMAL || code === FAILED) {
    const ended = await sessionExit(client, session);
    if (ended) return ended;
  }
  if (code === NOT_ALLOWED) throw new OrchdError('ORCHD_FORBIDDEN', reason || 'the daemon does not allow this');
  throw new OrchdError('ORCHD_INTERNAL', `the terminal stream ended with ${code}: ${reason || 'no reason given'}`);
}

/** Asks the daemon how the session ended. Returns null if the session is alive. */
async function sessionExit(client: Client, session: string): Promise<Exit | null> {
  try {
    const input = { session, until: 'exited', timeout_ms: END_MS } as const;
    const { state, exit_code, signal } = await client.call('session.wait', input);
    return { state, exitCode: exit_code, signal };
  } catch (error) {
    if (error instanceof OrchdError && error.code === 'ORCHD_TIMEOUT') return null;
    throw error;
  }
}
