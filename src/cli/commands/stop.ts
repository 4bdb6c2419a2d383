import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { OrchdError } from '../../protocol/index.js';
import { answeringStatus, endProcess, ensureDaemon, reopenSocket, type Status } from '../daemon/daemon-process.js';
import { type CommandSpec, flag } from '../program/command.js';
import type { Context } from '../program/context.js';

/** Maximum wait for a new host. A daemon waits equally long for a host that it starts. */
const NEW_HOST_MS = 10_000;
const POLL_MS = 50;

export const stop: CommandSpec = {
  name: 'stop',
  group: 'Daemon',
  summary: 'End the daemon, the host and every session.',
  options: [['--keep-sessions', 'end only the daemon; the programs continue']],
  examples: ['orchd stop', 'orchd stop --keep-sessions'],
  async run(context, _args, options) {
    const keep = flag(options, 'keepSessions');
    const running = await statusWithHost(context);
    const outcome = running ? await stopRunning(context, running, keep) : await stopWithoutDaemon(context, keep);
    await context.print(outcome, () => {
      if (!outcome.stopped) return 'no daemon was running\n';
      if (keep) return `daemon stopped${running ? `; ${count(running.sessions)} on in the host` : ''}\n`;
      return `stopped; ${outcome.killed} session${outcome.killed === 1 ? '' : 's'} ended\n`;
    });
    return undefined;
  },
};

/** Waits while the daemon starts a new host after the last one died, so that the new host is stopped, too. */
async function statusWithHost(context: Context): Promise<Status | null> {
  for (const endMs = performance.now() + NEW_HOST_MS; ; await sleep(POLL_MS)) {
    try {
      return (await answeringStatus(context)) ?? (await reopenSocket(context));
    } catch (error) {
      const isStarting = error instanceof OrchdError && error.code === 'ORCHD_HOST_UNREACHABLE';
      if (!isStarting || performance.now() > endMs) throw error;
    }
  }
}

interface Outcome {
  readonly stopped: boolean;
  readonly killed: number;
}

async function stopRunning(context: Context, { daemon, host }: Status, keep_sessions: boolean): Promise<Outcome> {
  const { killed } = await context.client().call('daemon.stop', { keep_sessions });
  await endProcess(daemon.pid);
  if (!keep_sessions) await endProcess(host.pid);
  return { stopped: true, killed };
}

/** Stops orchd when no daemon answers. A daemon may be starting, and a host may run without a daemon. */
async function stopWithoutDaemon(context: Context, keepSessions: boolean): Promise<Outcome> {
  const starting = await endStarting(context);
  const { reviveHost } = await import('../../host/index.js');
  await reviveHost(context.paths.hostSocket);
  if (keepSessions || !(await answers(context.paths.hostSocket))) return { stopped: starting, killed: 0 };
  // A new daemon records the ends of the sessions at once. None is started if a start was just interrupted.
  const status = starting ? null : await daemonForHost(context);
  if (status) return stopRunning(context, status, false);
  const { stopHost } = await import('../daemon/stop-host.js');
  const outcome = await stopHost(context);
  return { stopped: starting || outcome !== null, killed: outcome?.killed ?? 0 };
}

/**
 * Ends a daemon that is starting. Returns true if there was one. Its work is in the journals, so the next start loses
 * nothing.
 */
async function endStarting({ paths, note }: Context): Promise<boolean> {
  const { daemonPid } = await import('../daemon/daemon-pid.js');
  const pid = daemonPid(paths);
  if (pid === null) return false;
  note(`the daemon (pid ${pid}) is still starting; it is ended`);
  await endProcess(pid);
  return true;
}

/**
 * Starts a daemon without its configuration, to end the host's sessions. Returns null, with a note, if none can start.
 */
async function daemonForHost(context: Context): Promise<Status | null> {
  try {
    return (await ensureDaemon(context, { noTcp: true, toStop: true })).status;
  } catch (error) {
    if (!(error instanceof OrchdError)) throw error;
    context.note(`no daemon can start (${error.message}); the host is asked directly`);
    return null;
  }
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
