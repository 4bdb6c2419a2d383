/**
 * The daemon: `node dist/daemon.js [--port N | --no-tcp] [--to-stop]`, started detached by `orchd start`. Builds and
 * connects all parts.
 *
 * It holds the database exclusively, so there is only one per home. It connects to the host or starts it, reads the
 * output that it missed, then opens its socket and prints `listening`. It exits with the code of the error that ended
 * it.
 * `--to-stop`: used by `orchd stop` for a host without a daemon. It starts no work, prunes nothing, and needs no
 * configuration.
 * SIGUSR1: the daemon and its host make their sockets again if these were removed.
 * It may be killed at any time: every announced event is on disk, and everything else is in the journals.
 */

import { fstatSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { checkContract, leaveScope } from '../host/index.js';
import { timestamp } from '../lifecycle/index.js';
import {
  ERRORS,
  EXIT,
  errorMessage,
  mergeConfig,
  OrchdError,
  type Paths,
  resolvePaths,
  settingsOf,
  VERSION,
} from '../protocol/index.js';
import { clearEnvironments } from './attempts/index.js';
import { namingFullDisk } from './disk/index.js';
import { type Log, openLog } from './log.js';
import {
  type Base,
  createDelegationParts,
  createInteractionParts,
  createRegistryParts,
  createSessionParts,
  openService,
  openStorage,
} from './parts/index.js';
import { type DaemonServer, wantedTcp } from './server/index.js';
import {
  createStarter,
  flagSource,
  Lifetime,
  makeDirectories,
  readConfigToStop,
  readSources,
  tellFailure,
} from './startup/index.js';

async function main(paths: Paths, log: Log): Promise<void> {
  const now = Date.now;
  const startedAt = now();
  const boolean = { type: 'boolean' } as const;
  const options = { port: { type: 'string' }, 'no-tcp': boolean, 'to-stop': boolean } as const;
  const { values: flags } = parseArgs({ options });
  const isToStop = flags['to-stop'] === true;
  const sources = isToStop ? [] : readSources(paths, process.env);
  const config = isToStop ? readConfigToStop(paths, process.env, log) : mergeConfig(sources);
  const tcp = wantedTcp({ port: flags.port, noTcp: flags['no-tcp'] }, config.daemon);
  const lifetime = new Lifetime(log, () => process.exit(EXIT.done));
  const settings = settingsOf([...sources, flagSource(flags)]);
  const base: Base = { paths, log, config, settings, lifetime, die, now, startedAt, isToStop };
  const starter = createStarter(process.stdout);
  starter.step(() => 'reading the event log');
  // Checked before the store is migrated, so that the old version can still be used.
  await checkContract(paths.hostSocket);

  // The parts, in order. Each uses earlier ones only.
  const storage = { ...base, ...(await openStorage(base)) };
  const registered = { ...storage, ...createRegistryParts(storage) };
  const interactive = { ...registered, ...createInteractionParts(registered) };
  const followed = { ...interactive, ...createSessionParts(interactive) };
  const parts = { ...followed, ...createDelegationParts(followed) };

  starter.step(() => 'connecting to the host');
  const { welcome } = await parts.connection.connect(parts.sessions);
  starter.step(() => hearing(parts.sessions.behind()));
  await recover(parts, welcome.sessions);
  await announceStart(parts, welcome.pid);
  const server = await openService(parts, tcp);
  parts.notifier.start(parts.registry.items().map(({ id }) => parts.registry.item(id)));
  const { sessions: behind } = parts.catchingUp.behind;
  log.info('listening', { socket: paths.socket, url: server.tcp.url, catching_up: behind });
  starter.listening();
  process.on('SIGUSR1', () => void reopen(parts, server).catch((error) => log.error('the socket stays gone', error)));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void lifetime.end(signal).catch(die));
}

type Parts = Parameters<typeof openService>[0];

/** Recreates the sockets of the daemon and the host if they were removed. */
async function reopen({ paths, log, connection }: Parts, server: DaemonServer): Promise<void> {
  makeDirectories(paths);
  if (await server.reopen()) log.info('the socket was removed, and is there again', { socket: paths.socket });
  process.kill(connection.current().welcome.pid, 'SIGUSR1');
}

/** Describes how much output of the sessions is still unread. */
const hearing = ({ sessions, bytes }: ReturnType<Parts['sessions']['behind']>): string =>
  `hearing ${(bytes / 1e6).toFixed(1)} MB that ${sessions} session${sessions === 1 ? '' : 's'} printed`;

/** Takes over the state of the previous daemon. Runs, tasks and workflows continue once their sessions were read. */
async function recover(parts: Parts, hosted: Parameters<Parts['sessions']['recover']>[1]): Promise<void> {
  const {
    paths,
    config,
    lifetime,
    state,
    isToStop,
    sessions,
    catchingUp,
    runs,
    tasks,
    workflows,
    placedRuns,
    prune,
    trash,
  } = parts;
  const kept = trash.load(state, (entry) => prune.bytesOf(entry));
  await sessions.recover(kept, hosted, config.daemon.catch_up_ms);
  await clearEnvironments(paths, state);
  catchingUp.beginWork(() => {
    if (lifetime.isStopping) return;
    runs.recover(state.runs);
    placedRuns.begin();
    tasks.recover(state.tasks);
    workflows.recover(state.workflows, state.workflowSteps);
    if (!isToStop) prune.begin();
  });
}

/** Resolves when the start is on disk, or when the disk is full. */
async function announceStart({ outbox, bus, walMark, now }: Parts, hostPid: number): Promise<void> {
  const started = {
    event_type: 'daemon_started',
    timestamp: timestamp(now()),
    pid: process.pid,
    version: VERSION,
    host_pid: hostPid,
  };
  const announced = outbox.commit({ events: [started] }, (committed) => bus.publish([started], committed));
  await Promise.race([announced.then(() => walMark.set()), outbox.whenFull()]);
}

/** True if standard error is the log. The CLI starts the daemon this way, and the error is then already in it. */
function isLogFile(fd: number): boolean {
  const [stream, file] = [fstatSync(fd), statSync(paths.logFile, { throwIfNoEntry: false })];
  return file !== undefined && stream.ino === file.ino && stream.dev === file.dev;
}

/** Without a log, the error can only be printed on standard error. */
function openLogOrEnd(logFile: string): Log {
  try {
    return openLog(logFile, 'daemon');
  } catch (error) {
    process.stderr.write(`orchd: ${errorMessage(error)}\n`);
    process.exit(EXIT.failed);
  }
}

/**
 * Ends the daemon after an unexpected error. That is safe, because the journals contain everything that is not stored,
 * while continuing is not.
 */
function die(cause: unknown): never {
  const error = namingFullDisk(cause, paths.journalsDir);
  log.error('the daemon ends', error);
  const words = `orchd: ${errorMessage(error)}\n`;
  if (!isLogFile(process.stderr.fd)) process.stderr.write(words);
  tellFailure(error);
  process.exit(error instanceof OrchdError ? ERRORS[error.code].exit : EXIT.failed);
}

// USR1 would open a port for a debugger to every user of the machine.
for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => {});
leaveScope();
const paths = resolvePaths({ env: process.env, uid: process.getuid?.() ?? 0, tmpDir: tmpdir(), homeDir: homedir() });
const log = openLogOrEnd(paths.logFile);
process.on('uncaughtException', die);
process.on('unhandledRejection', die);
makeDirectories(paths);
main(paths, log).catch(die);
