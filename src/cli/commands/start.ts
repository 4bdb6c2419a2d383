import { type CommandSpec, flag, text } from '../command.js';
import { ensureDaemon } from '../daemon-process.js';

export const start: CommandSpec = {
  name: 'start',
  group: 'Daemon',
  summary: 'Start what is not running and open the TUI (without a terminal: just start, and print where).',
  options: [
    ['--detach', 'do not open the TUI'],
    ['--port <n>', 'TCP port of the API (default: 8765)'],
    ['--no-tcp', 'no TCP, the Unix socket alone'],
  ],
  examples: ['orchd start', 'orchd start --detach --no-tcp'],
  async run(context, _args, options) {
    const port = text(options, 'port');
    const flags = [...(options['tcp'] === false ? ['--no-tcp'] : []), ...(port === undefined ? [] : ['--port', port])];
    const { status, isNew } = await ensureDaemon(context, flags);
    if (!isNew && flags.length > 0)
      context.note(`the daemon runs already; \`orchd restart ${flags.join(' ')}\` changes that`);
    const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
    if (isTerminal && !flag(options, 'detach') && !context.isJson && !context.isQuiet) {
      const { runTui } = await import('../../tui/index.js');
      const { readConfig } = await import('../context.js');
      const { attachPreferences } = await import('./attach.js');
      const config = await readConfig(context);
      return runTui({
        paths: context.paths,
        env: context.env,
        attach: attachPreferences(config),
        version: status.daemon.version,
      });
    }
    await context.print({ ...status, started: isNew }, () => {
      const where = [status.socket, ...(status.url === null ? [] : [status.url])].join(', ');
      return `orchd ${isNew ? 'started' : 'is running'} (daemon ${status.daemon.pid}, host ${status.host.pid}) at ${where}\n`;
    });
    return undefined;
  },
};
