import type { CommandSpec } from '../program/command.js';

export const rename: CommandSpec = {
  name: 'rename',
  group: 'Sessions',
  summary: 'Rename a session.',
  args: '<session> <name>',
  quiet: 'print ids only',
  examples: ['orchd rename ses_7k3 build'],
  async run(context, [session = '', name = '']) {
    const renamed = await context.client().call('session.rename', { session, name });
    await context.print(renamed, () =>
      context.isQuiet ? `${renamed.id}\n` : `${renamed.id} is now called ${renamed.name}\n`,
    );
    return undefined;
  },
};
