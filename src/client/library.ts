/**
 * `import { connect } from 'orchd'`: orchd for other people's programs.
 *
 * Typed calls of every operation, the events with resume, terminals. The daemon's own rules hold: inside of a session a
 * program has that session's rights, else the person's. Nothing is started: who wants that runs `orchd start --detach`
 * first.
 */
import { tmpdir, userInfo } from 'node:os';
import { resolvePaths } from '../protocol/index.js';
import { type Client, createClient } from './client.js';

export { type ErrorCode, OrchdError } from '../protocol/errors.js';
export type * from '../protocol/generated/types.js';
export type { InputOf, OperationName, OutputOf } from '../protocol/operations.js';
export type { CallOptions } from './call.js';
export type { Client } from './client.js';
export type { EventsOptions } from './events.js';
export type { ClientControl, DaemonControl, Terminal, TerminalEnd, TerminalOptions } from './terminal.js';

export interface ConnectOptions {
  /** The daemon's Unix socket. Default: as the `orchd` command finds it (ORCHD_SOCKET, ORCHD_HOME, XDG_RUNTIME_DIR). */
  readonly socket?: string;
  /** How the daemon names this program, e.g. in `answered by`. Default: `library`. */
  readonly name?: string;
  /** A session's own token. Default: inside of a session that one's (ORCHD_SESSION_TOKEN), else none. */
  readonly token?: string;
  /** Milliseconds for a reply. Default: 10,000; what waits by itself (`session.wait`, `run.wait`) has its own. */
  readonly timeoutMs?: number;
  /** Closes the connection. */
  readonly signal?: AbortSignal;
}

/** @throws {OrchdError} ORCHD_DAEMON_UNREACHABLE where none runs, ORCHD_DAEMON_SILENT where it does not answer. */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  const { env } = process;
  const {
    socket,
    name = 'library',
    token = env['ORCHD_SESSION_ID'] ? env['ORCHD_SESSION_TOKEN'] : undefined,
  } = options;
  const { uid, homedir } = userInfo();
  const place = { env, uid, tmpDir: tmpdir(), homeDir: env['HOME'] ?? homedir };
  const client = createClient({
    ...{ socketPath: socket ?? resolvePaths(place).socket, clientName: name, token },
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    ...(options.signal && { signal: options.signal }),
  });
  try {
    await client.call('daemon.status', {});
  } catch (error) {
    client.close();
    throw error;
  }
  return client;
}
