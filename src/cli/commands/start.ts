import { noteNoTcp, readDaemonFlags, toArguments } from '../daemon/daemon-flags.js';
import { ensureDaemon } from '../daemon/daemon-process.js';
import { noteHealth } from '../daemon/note-health.js';
import { type CommandSpec, flag } from '../program/command.js';
import { hasTerminal, launchPlainTui, launchTui } from '../sessions/launch-tui.js';

export const start: CommandSpec = {
  name: 'start',
  group: 'Daemon',
  summary: 'Start the daemon if it is not running, and open the TUI (without a terminal: print the address).',
  options: [
    ['--detach', 'do not open the TUI'],
    ['--plain', 'the TUI line by line, for screen readers and simple terminals (the default if TERM=dumb)'],
    ['--port <n>', 'TCP port of the API (default: 8765)'],
    ['--no-tcp', 'no TCP, only the Unix socket'],
  ],
  examples: ['orchd start', 'orchd start --plain', 'orchd start --detach --no-tcp'],
  async run(context, _args, options) {
    const flags = readDaemonFlags(options);
    const { status, isNew } = await ensureDaemon(context, flags);
    const words = toArguments(flags).join(' ');
    if (!isNew && words !== '') context.note(`the daemon runs already; \`orchd restart ${words}\` changes that`);
    if (isNew) noteNoTcp(context, status);
    noteHealth(context, status);
    if (flag(options, 'plain') || (hasTerminal(context) && context.env['TERM'] === 'dumb')) {
      if (!flag(options, 'detach')) return launchPlainTui(context);
    }
    if (hasTerminal(context) && !flag(options, 'detach')) return launchTui(context, status.daemon.version);
    await context.print({ ...status, started: isNew }, () => {
      const where = [status.socket, ...(status.url === null ? [] : [status.url])].join(', ');
      return (
        `orchd ${isNew ? 'started' : 'is running'} (daemon ${status.daemon.pid}, host ${status.host.pid}) at ` +
        `${where}\n`
      );
    });
    return undefined;
  },
};
