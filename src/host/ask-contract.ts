/**
 * Asks a running host for the number of its contract, without becoming its daemon.
 *
 * `hello` takes the lease from the connected daemon, so an upgrade must not send it just to ask. Every host since
 * contract 1 refuses an unknown command before `hello` with `there is no command "…" in contract N`. That number is the
 * reply.
 */
import { connect } from 'node:net';
import { OrchdError } from '../protocol/errors.js';
import { CONTRACT_VERSION, OLDEST_CONTRACT } from './contract.js';
import { createLineSplitter } from './lines.js';

/** Time limit for the reply. A host that is stopped (SIGSTOP) does not reply, and the caller must not hang. */
const REPLY_MS = 3_000;
const REFUSAL = /in contract (\d+)/;

/** @returns  The host's contract; null if no host listens at the socket, or if it does not say. */
export function askContract(socketPath: string): Promise<number | null> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const done = (contract: number | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(contract);
    };
    const timer = setTimeout(() => done(null), REPLY_MS);
    const lines = createLineSplitter(
      64 * 1024,
      (line) => done(contractIn(line)),
      () => done(null),
    );
    socket.on('data', (chunk) => lines.push(chunk));
    socket.on('error', () => done(null));
    socket.on('close', () => done(null));
    socket.write('{"id":1,"command":"contract"}\n');
  });
}

function contractIn(line: string): number | null {
  const contract = REFUSAL.exec(line)?.[1];
  return contract === undefined ? null : Number(contract);
}

/**
 * @throws {OrchdError} ORCHD_HOST_CONTRACT if the host there has a contract that this orchd cannot use. Nothing has
 * changed then.
 */
export async function checkContract(socketPath: string): Promise<void> {
  const contract = await askContract(socketPath);
  if (contract !== null && contract < OLDEST_CONTRACT) throw contractError(contract, null);
}

/** @param pid  The host's process, if it is known. */
export function contractError(contract: number, pid: number | null): OrchdError {
  const host = pid === null ? 'the running host' : `the running host (pid ${pid})`;
  const known = `${OLDEST_CONTRACT} to ${CONTRACT_VERSION}`;
  return new OrchdError('ORCHD_HOST_CONTRACT', `${host} speaks contract ${contract}, this orchd ${known}`);
}
