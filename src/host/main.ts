/**
 * The host process: `node dist/host.js --socket PATH --journals DIR [--log FILE]`.
 *
 * Holds ptys and writes journals for a daemon that may come and go (contract.ts). Says `listening` on stdout when it can be
 * connected to. Ends at `shutdown` or SIGTERM (exit 0), both of which kill every session; exits with 4 when another host has the
 * socket, with 2 for wrong arguments, with 1 when it cannot work here. SIGHUP and SIGINT are ignored: it outlives terminals.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ERRORS, EXIT, OrchdError } from '../protocol/errors.js';
import { bindSocket } from './bind.js';
import { DEFAULT_KILL_GRACE_MS } from './contract.js';
import { Host } from './host.js';
import { checkNative } from './native-pty.js';
import { HostServer } from './server.js';
import { HOST_VERSION } from './version.js';

/** A client that does not read keeps the host no longer than this. */
const LAST_WORDS_MS = 1000;

interface Options {
  readonly socket: string;
  readonly journals: string;
  readonly log: string | undefined;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: { socket: { type: 'string' }, journals: { type: 'string' }, log: { type: 'string' } },
  });
  const { socket, journals, log } = values;
  if (!socket || !journals) throw new OrchdError('ORCHD_USAGE', 'orchd-host needs --socket PATH and --journals DIR');
  return { socket, journals, log };
}

function createLog(file: string | undefined): (line: string) => void {
  return (line) => {
    const text = `${new Date().toISOString()} host ${process.pid}: ${line}\n`;
    try {
      if (file) appendFileSync(file, text, { mode: 0o600 });
      else process.stderr.write(text);
    } catch {
      // A full disk must not end the host; there is nowhere left to say it.
    }
  };
}

async function main({ socket, journals, log: logFile }: Options): Promise<void> {
  const log = createLog(logFile);
  // Before anything can send them.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGPIPE'] as const) process.on(signal, () => {});
  // All agents live here: a bug in one command must not take them with it.
  process.on('uncaughtException', (cause) => log(`uncaught: ${cause.stack ?? cause.message}`));
  process.on('unhandledRejection', (cause) =>
    log(`unhandled: ${cause instanceof Error ? cause.stack : String(cause)}`),
  );

  checkNative();
  mkdirSync(journals, { recursive: true, mode: 0o700 });

  const host = new Host({ journals, log, onGrew: (session) => server.grew(session) });
  const end = () => {
    log('ended');
    // By force: threads that wait for programs which even KILL did not end would keep the process.
    const exit = () => process.exit(0);
    setTimeout(exit, LAST_WORDS_MS);
    server.close().then(exit, exit);
  };
  const server = new HostServer({ host, version: HOST_VERSION, log, onShutdown: end });
  await bindSocket(server.server, socket);

  let isEnding = false;
  process.on('SIGTERM', () => {
    if (isEnding) return;
    isEnding = true;
    log('SIGTERM: ending all sessions');
    void host.shutdown(DEFAULT_KILL_GRACE_MS).then(end, end);
  });
  log(`listening at ${socket}, journals in ${journals}`);
  process.stdout.write('listening\n');
}

try {
  await main(readOptions());
} catch (cause) {
  const error = cause instanceof OrchdError ? cause : new OrchdError('ORCHD_USAGE', String(cause), undefined, cause);
  process.stderr.write(`orchd-host: ${error.message}\n`);
  process.exit(error.code === 'ORCHD_INTERNAL' ? EXIT.failed : ERRORS[error.code].exit);
}
