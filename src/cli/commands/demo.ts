import { join } from 'node:path';
import type { Session } from '../../protocol/index.js';
import { ensureDaemon } from '../daemon/daemon-process.js';
import type { CommandSpec } from '../program/command.js';
import { hasTerminal, openTui } from '../sessions/open-tui.js';

const AGENTS = ['demo-auth', 'demo-docs', 'demo-deploy'] as const;

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
    const file = join(import.meta.dirname, 'demo-agent.js');
    const env = Object.fromEntries(
      Object.entries(context.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
    );
    const living = new Set((await client.call('session.list', { all: false })).map(({ name }) => name));
    const started: Session[] = [];
    for (const name of AGENTS.filter((agent) => !living.has(agent))) {
      const command = [process.execPath, file, name.replace('demo-', '')];
      started.push(await client.call('session.start', { name, command, cwd: context.cwd, env }));
    }
    if (hasTerminal(context) && options['tui'] !== false) return openTui(context, status.daemon.version);
    await context.print(started, () =>
      context.isQuiet
        ? started.map(({ id }) => `${id}\n`).join('')
        : `${started.length} demo agents started; \`orchd inbox\` shows what they ask, \`orchd start\` opens the TUI\n`,
    );
    return undefined;
  },
};
