/** Finds out how an attached program ended if its stream did not say so. */
import type { TerminalEnd } from '../../client/index.js';
import { CLOSE, OrchdError } from '../../protocol/index.js';
import type { AttachTransport, Exit } from './attach-transport.js';

/** @throws {OrchdError} The error that ended the stream while the program is still running. */
export async function exitOf(
  transport: Pick<AttachTransport, 'exitOf'>,
  session: string,
  { code, reason }: TerminalEnd,
): Promise<Exit> {
  if (code === CLOSE.normal || code === CLOSE.failed) {
    const ended = await transport.exitOf(session);
    if (ended) return ended;
  }
  if (code === CLOSE.notAllowed) throw new OrchdError('ORCHD_FORBIDDEN', reason || 'the daemon does not allow this');
  throw new OrchdError('ORCHD_INTERNAL', `the terminal stream ended with ${code}: ${reason || 'no reason given'}`);
}
