import { clientOn, idOn, ONE_MACHINE, onMachine, targetOf } from '../hub/remote-target.js';
import type { CommandSpec } from '../program/command.js';

export const rename: CommandSpec = {
  name: 'rename',
  group: 'Sessions',
  summary: 'Rename a session.',
  args: '<session> <name>',
  options: [ONE_MACHINE],
  quiet: 'print ids only',
  examples: ['orchd rename ses_7k3 build', 'orchd rename build-7/web site'],
  async run(context, [given = '', name = ''], options) {
    const { machine, selector: session } = targetOf(given, options);
    const renamed = onMachine(await clientOn(context, machine).call('session.rename', { session, name }), machine);
    await context.print(renamed, () =>
      context.isQuiet ? `${renamed.id}\n` : `${idOn(renamed.id, machine)} is now called ${renamed.name}\n`,
    );
    return undefined;
  },
};
