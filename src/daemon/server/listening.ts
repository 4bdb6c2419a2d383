/**
 * The daemon's listeners: always its socket; loopback TCP if a flag or else the configuration says so.
 *
 * If the port of a flag cannot be opened, the daemon does not start. If the configured one cannot, the daemon works
 * without TCP and reports why.
 */
import type { Server } from 'node:http';
import { type Config, LOOPBACK, OrchdError, portProblem } from '../../protocol/index.js';
import type { Log } from '../log.js';

export interface WantedTcp {
  /** 0: any free port. Null: no TCP. */
  readonly port: number | null;
  readonly by: 'flag' | 'configuration';
}

interface Flags {
  readonly port: string | undefined;
  readonly noTcp: boolean | undefined;
}

/**
 * Number of connections that may wait for the daemon. Linux allows at most net.core.somaxconn, usually 4096. A program
 * that opens many at once fills a short queue, and other clients are refused.
 */
const BACKLOG = 4096;

/** @throws {OrchdError} ORCHD_USAGE */
export function wantedTcp({ port, noTcp }: Flags, config: Pick<Config['daemon'], 'tcp' | 'port'>): WantedTcp {
  if (noTcp) return { port: null, by: 'flag' };
  if (port !== undefined) return { port: parsePort(port), by: 'flag' };
  return { port: config.tcp ? config.port : null, by: 'configuration' };
}

export interface TcpListener {
  /** Null if the daemon does not listen on TCP. */
  readonly url: string | null;
  /** Why the daemon does not listen on TCP although it is configured to; null otherwise. */
  readonly problem: string | null;
}

/** @throws {OrchdError} ORCHD_PORT if the port of a flag cannot be opened. */
export async function listenOnTcp({ port, by }: WantedTcp, open: () => Server, log: Log): Promise<TcpListener> {
  if (port === null) return { url: null, problem: null };
  const server = open();
  try {
    await listen(server, { port, host: LOOPBACK });
  } catch (error) {
    const problem = portProblem(port, error);
    if (by === 'flag') throw new OrchdError('ORCHD_PORT', problem, { port }, error);
    log.error(`${problem}; there is no TCP listener`, error);
    return { url: null, problem };
  }
  const address = server.address();
  return { url: `http://${LOOPBACK}:${typeof address === 'object' ? address?.port : port}`, problem: null };
}

export function listen(server: Server, where: { path: string } | { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...where, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new OrchdError('ORCHD_USAGE', `--port takes a number from 0 to 65535, not '${text}'`);
}
