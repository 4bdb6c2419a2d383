/** Checks that a TCP port is free before a daemon is started on it, or before a running daemon is replaced. */
import { createServer } from 'node:net';
import { LOOPBACK, OrchdError, portProblem } from '../../protocol/index.js';

/** @throws {OrchdError} ORCHD_PORT if the port cannot be opened. */
export function checkPort(port: number): Promise<void> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new OrchdError('ORCHD_PORT', portProblem(port, error), { port }, error)));
    server.listen({ port, host: LOOPBACK }, () => server.close(() => resolve()));
  });
}
