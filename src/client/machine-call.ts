/** Calls operations of another machine of the hub, through the daemon of this one. */
import { type InputOf, type OperationName, OrchdError, type OutputOf } from '../protocol/index.js';
import type { CallOptions } from './call.js';
import type { Client } from './client.js';

/**
 * Calls an operation that does not wait for a machine that is away.
 *
 * @throws {OrchdError} The error of the operation on that machine.
 */
export async function callMachine<N extends OperationName>(
  client: Pick<Client, 'call'>,
  machine: string,
  operation: N,
  input: InputOf<N>,
  options: CallOptions = {},
): Promise<OutputOf<N>> {
  const given = input as Record<string, unknown>; // every input is a JSON object
  const called = await client
    .call('hub.call', { machine, operation, input: given }, options)
    .catch((error: unknown) => throwNaming(machine, error));
  if (called.state === 'done') return called.output as OutputOf<N>; // the operation determines it
  throw new OrchdError('ORCHD_MACHINE_AWAY', `'${machine}' is away`);
}

/** Errors of this machine, or about the machine as a whole. */
const OF_HUB = /^ORCHD_(HUB|MACHINE|DAEMON)_/;

/** Adds the name of the machine to an error of an operation there, such as `no session 'x'`. */
function throwNaming(machine: string, error: unknown): never {
  if (!(error instanceof OrchdError) || OF_HUB.test(error.code)) throw error;
  throw new OrchdError(error.code, `on '${machine}': ${error.message}`, error.details, error);
}
