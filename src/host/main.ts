/**
 * The host process: `node dist/host.js --socket PATH --journals DIR [--log FILE] [--cgroup DIR]`. `--cgroup`: where
 * sessions get cgroups, if not in the host's own.
 *
 * SIGUSR1: if its socket was removed, the host makes it again. If its journals were removed, it ends, because no daemon
 * can use it any more.
 *
 * Holds ptys and writes journals for a daemon that may come and go (contract.ts). Prints `listening` when it accepts
 * connections. Ends at `shutdown` or SIGTERM (exit 0), both of which kill every session. Exits with 4 if another host
 * has the socket, with 2 for wrong arguments, and with 1 if it cannot work here. Ignores SIGHUP and SIGINT, because it
 * outlives terminals.
 */
import { appendFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ERRORS, EXIT, errorMessage, OrchdError } from '../protocol/errors.js';
import { bindSocket } from './bind.js';
import { DEFAULT_KILL_GRACE_MS } from './contract.js';
import { directoryId, isThere, makeDirectory } from './files/index.js';
import { Host } from './host.js';
import { leaveScope, SessionScopes } from './processes/index.js';
import { checkNative } from './program/index.js';
import { HostServer } from './server.js';
import { HOST_COMMIT, HOST_VERSION } from './version.js';

/** Maximum time that the host waits at its end for a client that does not read. */
const LAST_WORDS_MS = 1000;

const IGNORED = ['SIGHUP', 'SIGINT', 'SIGPIPE', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

interface Options {
  readonly socket: string;
  readonly journals: string;
  readonly log: string | undefined;
  readonly cgroup: string | undefined;
}

function readOptions(): Options {
  const string = { type: 'string' } as const;
  try {
    const options = { socket: string, journals: string, log: string, cgroup: string };
    const { socket, journals, ...more } = parseArgs({ options }).values;
    if (!socket || !journals) throw new Error('--socket and --journals are needed');
    const [log, cgroup] = [more.log, more.cgroup].map((path) => (path === undefined ? path : resolve(path)));
    return { socket: resolve(socket), journals: resolve(journals), log, cgroup };
  } catch (cause) {
    const usage = 'usage: orchd-host --socket PATH --journals DIR [--log FILE] [--cgroup DIR]';
    throw new OrchdError('ORCHD_USAGE', `${errorMessage(cause)}; ${usage}`);
  }
}

function createLog(file: string | undefined): (line: string) => void {
  return (line) => {
    const text = `${new Date().toISOString()} host ${process.pid}: ${line}\n`;
    try {
      if (file) appendFileSync(file, text, { mode: 0o600 });
      else process.stderr.write(text);
    } catch {
      // A full disk must not end the host, and there is no other place to report the error.
    }
  };
}

async function main({ socket, journals, log: logFile, cgroup }: Options): Promise<void> {
  const log = createLog(logFile);
  // EPIPE is ignored: the process that started the host and read its output may have ended.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  // The handlers are installed before anything can send these signals.
  // USR1 would open a port for a debugger to every user of the machine.
  for (const signal of IGNORED) process.on(signal, () => {});
  // All agents depend on this process, so a bug in one command must not end it.
  process.on('uncaughtException', (cause) => log(`uncaught: ${cause.stack ?? cause.message}`));
  process.on('unhandledRejection', (cause) =>
    log(`unhandled: ${cause instanceof Error ? cause.stack : String(cause)}`),
  );

  leaveScope();
  checkNative();
  const scopes = SessionScopes.open(cgroup);
  makeDirectory(journals);
  const journalsId = directoryId(journals);
  // The host leaves its directory, so that this can be removed or unmounted.
  process.chdir('/');

  const host = new Host({
    journals,
    log,
    scopes,
    onGrew: (session, when) => server.grew(session, when),
    onBeat: () => server.beat(),
  });
  const end = () => {
    log('ended');
    // `process.exit` is needed because libuv threads that wait for unkillable programs would keep the process alive.
    const exit = () => process.exit(0);
    setTimeout(exit, LAST_WORDS_MS);
    server.close().then(exit, exit);
  };
  const server = new HostServer({ host, version: HOST_VERSION, commit: HOST_COMMIT, log, onShutdown: end });
  await bindSocket(server.server, socket);

  let isEnding = false;
  const endAll = (why: string) => {
    if (isEnding) return;
    isEnding = true;
    log(`${why}: ending all sessions`);
    void host.shutdown(DEFAULT_KILL_GRACE_MS).then(end, end);
  };
  process.on('SIGTERM', () => endAll('SIGTERM'));
  process.on('SIGUSR1', async () => {
    if (directoryId(journals) !== journalsId) return endAll(`${journals} was removed`);
    if (isThere(socket) || isEnding) return;
    makeDirectory(dirname(socket));
    server.server.close(); // connections stay
    await bindSocket(server.server, socket);
    log(`${socket} was removed, and is there again`);
  });
  log(`listening at ${socket}, journals in ${journals}; sessions have ${scopes ? 'a cgroup each' : 'no cgroups'}`);
  process.stdout.write('listening\n');
}

try {
  await main(readOptions());
} catch (cause) {
  process.stderr.write(`orchd-host: ${errorMessage(cause)}\n`);
  process.exit(cause instanceof OrchdError ? ERRORS[cause.code].exit : EXIT.failed);
}
