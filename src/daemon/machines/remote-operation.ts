/** Rules for operations that one machine calls on another. */
import { type OperationEntry, OrchdError } from '../../protocol/index.js';

/** True for an operation that only reads: a repetition does no harm, so it is kept on no disk. */
export const changesNothing = (entry: OperationEntry | undefined): boolean => entry?.method === 'GET';

/**
 * A program that is started on another machine gets the environment of a login there.
 *
 * @throws {OrchdError} ORCHD_INVALID
 */
export function refuseEnvironment(input: object): void {
  if (!('env' in input)) return;
  const message = 'no environment goes to another machine: leave out `env`; programs get that of a login there';
  throw new OrchdError('ORCHD_INVALID', message);
}
