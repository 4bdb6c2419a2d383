import { callerOf } from '../../client/index.js';
import { displayLine, OrchdError } from '../../protocol/index.js';
import {
  type DaemonFlags,
  flagsOf,
  fromArguments,
  noteNoTcp,
  readDaemonFlags,
  toArguments,
} from '../daemon/daemon-flags.js';
import { answeringStatus, endProcess, ensureDaemon, type Status } from '../daemon/daemon-process.js';
import { checkPort, daemonComesUp } from '../daemon/start-daemon.js';
import { parseDuration } from '../input/parse-values.js';
import { type CommandSpec, flag, list, type Options, text } from '../program/command.js';
import { type Context, readDaemonConfig } from '../program/context.js';
import { HOW } from './revive.js';

export const restart: CommandSpec = {
  name: 'restart',
  group: 'Daemon',
  summary: 'Replace the daemon; every session continues. With a session: end its program and start it again.',
  args: '[session]',
  options: [
    ['--port <n>', 'TCP port of the API (without it or --no-tcp: as the daemon was started)'],
    ['--no-tcp', 'no TCP, only the Unix socket'],
    ['--fresh', 'with a session: the agent begins a new conversation'],
    ['--grace <duration>', 'with a session: time between TERM and KILL (default: 3s)'],
    ['--env <k=v>', 'with a session: set a variable (K alone: remove it)…'],
  ],
  quiet: 'print ids only',
  examples: ['orchd restart', 'orchd restart build', 'orchd restart auth --fresh'],
  async run(context, [session], options) {
    if (session !== undefined) return restartSession(context, session, options);
    if (flag(options, 'fresh')) throw new OrchdError('ORCHD_USAGE', '--fresh needs a session');
    const flags = await checked(context, options);
    const silent = await flagsOfProcess(context);
    const before = await answeringStatus(context);
    const { managerRunning } = await import('../service/pick.js');
    const manager = before && (await managerRunning(context.env, before.daemon.pid));
    if (manager) {
      if (flags.noTcp || flags.port !== undefined) {
        const message = `${manager.name} runs the daemon: set daemon.tcp and daemon.port in ${context.paths.configFile}`;
        throw new OrchdError('ORCHD_USAGE', message);
      }
      await manager.restart();
      const status = await daemonComesUp(context);
      const { daemon } = status;
      noteNoTcp(context, status);
      await context.print(
        daemon,
        () => `daemon replaced by ${manager.name} (was ${before.daemon.pid}): pid ${daemon.pid}\n`,
      );
      return undefined;
    }
    const isSaid = flags.noTcp || flags.port !== undefined;
    const kept = isSaid ? {} : before ? flagsOf(before) : silent;
    if (before && flags.port) await mayListen(context, flags.port, before);
    if (before) await endProcess(before.daemon.pid);
    const { status } = await ensureDaemon(context, { ...flags, ...kept });
    noteNoTcp(context, status);
    await context.print(status, () => {
      const how = before ? `replaced (was ${before.daemon.pid})` : 'started';
      const words = toArguments(kept).join(' ');
      return `daemon ${how}: pid ${status.daemon.pid}${words === '' ? '' : `, with ${words} as before`}\n`;
    });
    return undefined;
  },
};

/** Checks everything that the next daemon would refuse, before the running one is ended. */
async function checked(context: Context, options: Options): Promise<DaemonFlags> {
  try {
    const flags = readDaemonFlags(options);
    await readDaemonConfig(context);
    const { checkContract } = await import('../../host/index.js');
    await checkContract(context.paths.hostSocket);
    const { checkUpgrade } = await import('../../store/index.js');
    checkUpgrade(context.paths.database);
    return flags;
  } catch (error) {
    throw error instanceof OrchdError ? await unharmed(context, error) : error;
  }
}

/**
 * Checks that the next daemon can open the port. The port of the running daemon will be free.
 * @throws {OrchdError} ORCHD_PORT
 */
async function mayListen(context: Context, port: number, { url }: Status): Promise<void> {
  if (url !== null && Number(new URL(url).port) === port) return;
  try {
    await checkPort(port);
  } catch (error) {
    throw error instanceof OrchdError ? await unharmed(context, error) : error;
  }
}

/** Returns the flags of the running daemon from its process, for a daemon that does not answer. */
async function flagsOfProcess({ paths }: Context): Promise<DaemonFlags> {
  const { daemonArguments, daemonPid } = await import('../daemon/daemon-pid.js');
  const pid = daemonPid(paths);
  return pid === null ? {} : fromArguments(daemonArguments(pid));
}

/** Adds to an error that the running daemon was not changed. */
async function unharmed({ paths }: Context, { code, message, details }: OrchdError): Promise<OrchdError> {
  const { daemonPid } = await import('../daemon/daemon-pid.js');
  const pid = daemonPid(paths);
  return new OrchdError(code, pid === null ? message : `${message}; the daemon (pid ${pid}) goes on as it is`, details);
}

async function restartSession(context: Context, session: string, options: Options): Promise<undefined> {
  const grace = text(options, 'grace');
  const outcome = await context.client().call('session.restart', {
    session,
    fresh: flag(options, 'fresh'),
    ...callerOf(context.env, list(options, 'env')),
    ...(grace !== undefined && { grace_ms: parseDuration('--grace', grace) }),
  });
  const { id, name } = outcome.session;
  await context.print(outcome, () =>
    context.isQuiet ? `${id}\n` : `${name} ${HOW[outcome.how]}: ${displayLine(outcome.command.join(' '))}\n`,
  );
  return undefined;
}
