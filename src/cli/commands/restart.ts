import { callerEnvironment, callerUmask } from '../../client/caller.js';
import { displayLine, OrchdError } from '../../protocol/index.js';
import { type CommandSpec, flag, list, type Options, text } from '../command.js';
import type { Context } from '../context.js';
import { answeringStatus, endProcess, ensureDaemon } from '../daemon-process.js';
import { parseDuration } from '../parse-values.js';
import { daemonComesUp } from '../start-daemon.js';
import { HOW } from './revive.js';

const GRACE_MS = 5_000;

export const restart: CommandSpec = {
  name: 'restart',
  group: 'Daemon',
  summary: 'Replace the daemon; every session goes on. With a session: end its program and start it again.',
  args: '[session]',
  options: [
    ['--port <n>', 'TCP port of the API'],
    ['--no-tcp', 'no TCP, the Unix socket alone'],
    ['--fresh', 'of a session: an agent begins a new conversation'],
    ['--grace <duration>', 'of a session: between TERM and KILL (default: 3s)'],
    ['--env <k=v>', 'of a session: set a variable (K alone: take it out); may be given several times…'],
  ],
  quiet: 'print ids only',
  examples: ['orchd restart', 'orchd restart build', 'orchd restart auth --fresh'],
  async run(context, [session], options) {
    if (session !== undefined) return restartSession(context, session, options);
    if (flag(options, 'fresh')) throw new OrchdError('ORCHD_USAGE', '--fresh needs a session');
    const before = await answeringStatus(context);
    const { managerRunning } = await import('../service/pick.js');
    const manager = before && (await managerRunning(context.env, before.daemon.pid));
    if (manager) {
      if (options['tcp'] === false || options['port'] !== undefined) {
        const message = `${manager.name} runs the daemon: set daemon.tcp and daemon.port in ${context.paths.configFile}`;
        throw new OrchdError('ORCHD_USAGE', message);
      }
      await manager.restart();
      const { daemon } = await daemonComesUp(context);
      await context.print(
        daemon,
        () => `daemon replaced by ${manager.name} (was ${before.daemon.pid}): pid ${daemon.pid}\n`,
      );
      return undefined;
    }
    if (before) await endProcess(before.daemon.pid, GRACE_MS);
    const port = typeof options['port'] === 'string' ? ['--port', options['port']] : [];
    const { status } = await ensureDaemon(context, [...(options['tcp'] === false ? ['--no-tcp'] : []), ...port]);
    await context.print(status, () => {
      const how = before ? `replaced (was ${before.daemon.pid})` : 'started';
      return `daemon ${how}: pid ${status.daemon.pid}\n`;
    });
    return undefined;
  },
};

async function restartSession(context: Context, session: string, options: Options): Promise<undefined> {
  const grace = text(options, 'grace');
  const outcome = await context.client().call('session.restart', {
    session,
    ...{ fresh: flag(options, 'fresh'), umask: callerUmask() },
    env: callerEnvironment(context.env, list(options, 'env')),
    ...(grace !== undefined && { grace_ms: parseDuration('--grace', grace) }),
  });
  const { id, name } = outcome.session;
  await context.print(outcome, () =>
    context.isQuiet ? `${id}\n` : `${name} ${HOW[outcome.how]}: ${displayLine(outcome.command.join(' '))}\n`,
  );
  return undefined;
}
