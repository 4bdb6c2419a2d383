import { OrchdError } from '../../protocol/index.js';
import type { CommandSpec } from '../command.js';
import { answeringStatus, daemonComesUp, endProcess, ensureDaemon } from '../daemon-process.js';

const GRACE_MS = 5_000;

export const restart: CommandSpec = {
  name: 'restart',
  group: 'Daemon',
  summary: 'Replace the daemon; every session goes on.',
  options: [
    ['--port <n>', 'TCP port of the API'],
    ['--no-tcp', 'no TCP, the Unix socket alone'],
  ],
  examples: ['orchd restart'],
  async run(context, _args, options) {
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
