import { connect } from 'node:net';
import { type CommandSpec, flag } from '../command.js';
import type { Context } from '../context.js';
import { answeringStatus, endProcess, ensureDaemon } from '../daemon-process.js';

const GRACE_MS = 5_000;

export const stop: CommandSpec = {
  name: 'stop',
  group: 'Daemon',
  summary: 'End the daemon, the host and every session.',
  options: [['--keep-sessions', 'end the daemon alone; the programs go on']],
  examples: ['orchd stop', 'orchd stop --keep-sessions'],
  async run(context, _args, options) {
    const keep_sessions = flag(options, 'keepSessions');
    const status = (await answeringStatus(context)) ?? (keep_sessions ? null : await daemonForHost(context));
    if (!status) {
      await context.print({ stopped: false, killed: 0 }, () => 'no daemon was running\n');
      return undefined;
    }
    const { killed } = await context.client().call('daemon.stop', { keep_sessions });
    await endProcess(status.daemon.pid, GRACE_MS);
    if (!keep_sessions) await endProcess(status.host.pid, GRACE_MS);
    await context.print({ stopped: true, killed }, () => {
      if (keep_sessions) return `daemon stopped; ${count(status.sessions)} on in the host\n`;
      return `stopped; ${killed} session${killed === 1 ? '' : 's'} ended\n`;
    });
    return undefined;
  },
};

/** A host that its daemon has left still runs every program: only a daemon can write down how they end. It needs no configuration for that. */
async function daemonForHost(context: Context) {
  if (!(await answers(context.paths.hostSocket))) return null;
  return (await ensureDaemon(context, { noTcp: true, toStop: true })).status;
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

const count = (sessions: number): string => (sessions === 1 ? '1 session goes' : `${sessions} sessions go`);
