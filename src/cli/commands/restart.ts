import { OrchdError } from '../../protocol/index.js';
import type { CommandSpec } from '../command.js';
import { daemonPid } from '../daemon-pid.js';
import { daemonStatus, endProcess, ensureDaemon } from '../daemon-process.js';

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
    const pid = await runningPid();
    if (pid !== null) await endProcess(pid, GRACE_MS);
    const port = typeof options['port'] === 'string' ? ['--port', options['port']] : [];
    const { status } = await ensureDaemon(context, [...(options['tcp'] === false ? ['--no-tcp'] : []), ...port]);
    await context.print(
      status,
      () => `daemon ${pid === null ? 'started' : `replaced (was ${pid})`}: pid ${status.daemon.pid}\n`,
    );
    return undefined;

    /** Also of a daemon that does not answer: the pid it left in its file. */
    async function runningPid(): Promise<number | null> {
      try {
        return (await daemonStatus(context))?.daemon.pid ?? null;
      } catch (error) {
        if (!(error instanceof OrchdError) || error.code !== 'ORCHD_DAEMON_SILENT') throw error;
        context.note('the daemon does not answer; it is ended');
        return daemonPid(context.paths);
      }
    }
  },
};
