/** How an attached program ended, when its stream did not say so. */
import type { Client, TerminalEnd } from '../client/index.js';
import { OrchdError, type State } from '../protocol/index.js';

export interface Exit {
  readonly state: State;
  readonly exitCode: number | null;
  /** `SIGKILL` and the like, of a program that a signal ended. */
  readonly signal: string | null;
}

const NORMAL = 1000;
const NOT_ALLOWED = 1008;
const FAILED = 1011;
/** A stream that fails while its program ends is the end's own doing: the end is awaited for so long. */
const END_MS = 1_000;

/** @throws {OrchdError} What ended the stream while the program lives. */
export async function exitOf(client: Client, session: string, { code, reason }: TerminalEnd): Promise<Exit> {
  if (code === NORMAL || code === FAILED) {
    const ended = await sessionExit(client, session);
    if (ended) return ended;
  }
  if (code === NOT_ALLOWED) throw new OrchdError('ORCHD_FORBIDDEN', reason || 'the daemon does not allow this');
  throw new OrchdError('ORCHD_INTERNAL', `the terminal stream ended with ${code}: ${reason || 'no reason given'}`);
}

/** By the session's own word; null if it lives. */
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
