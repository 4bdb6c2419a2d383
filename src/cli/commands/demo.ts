import { commandName } from '../../protocol/index.js';
import { ensureDaemon } from '../daemon/daemon-process.js';
import type { CommandSpec } from '../program/command.js';
import { hasTerminal, launchTui } from '../sessions/launch-tui.js';
import { startDemo } from '../sessions/start-demo.js';

export const demo: CommandSpec = {
  name: 'demo',
  group: 'About orchd',
  summary: 'Start three scripted agents that report, ask, block, ask for review and finish. They need no account.',
  options: [['--no-tui', 'do not open the TUI']],
  quiet: 'print ids only',
  examples: ['orchd demo', 'orchd demo --no-tui && orchd inbox'],
  async run(context, _args, options) {
    const { status } = await ensureDaemon(context);
    const client = context.client();
    const started = await startDemo(context, client);
    if (hasTerminal(context) && options['tui'] !== false) return launchTui(context, status.daemon.version, true);
    const orchd = commandName(context.env);
    await context.print(started, () =>
      context.isQuiet
        ? started.map(({ id }) => `${id}\n`).join('')
        : `${started.length} demo agents started; \`${orchd} inbox\` shows what they ask, \`${orchd} start\` opens the TUI\n`,
    );
    return undefined;
  },
};
