/** Tries a TCP port, before a daemon is started on it, or ended for one that is to listen there. */
import { createServer } from 'node:net';
import { LOOPBACK, OrchdError, portProblem } from '../protocol/index.js';

/** @throws {OrchdError} ORCHD_PORT when it cannot be had. */
export function checkPort(port: number): Promise<void> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new OrchdError('ORCHD_PORT', portProblem(port, error), { port }, error)));
    server.listen({ port, host: LOOPBACK }, () => server.close(() => resolve()));
  });
}
