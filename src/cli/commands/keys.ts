import { clientOn, targetOf } from '../hub/remote-target.js';
import type { CommandSpec } from '../program/command.js';

export const keys: CommandSpec = {
  name: 'keys',
  group: 'Sessions',
  summary: 'Press keys in a session: C-c, M-x, Enter, Up, F1, or single characters.',
  args: '<session> <keys...>',
  options: [['--machine <name>', 'in a session of this machine of the hub; or write NAME/SESSION']],
  quiet: 'print the id of the write only',
  examples: ['orchd keys build C-c', 'orchd keys editor Escape : w q Enter', 'orchd keys build-7/web C-c'],
  async run(context, [session = '', ...names], options) {
    const { machine, selector } = targetOf(session, options);
    const result = await clientOn(context, machine).call('session.keys', { session: selector, keys: names });
    if (context.isQuiet) await context.write(`${result.write_id}\n`);
    else if (context.isJson) await context.print(result, () => '');
    return undefined;
  },
};
