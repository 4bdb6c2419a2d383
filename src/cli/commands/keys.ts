import type { CommandSpec } from '../program/command.js';

export const keys: CommandSpec = {
  name: 'keys',
  group: 'Sessions',
  summary: 'Press keys in a session: C-c, M-x, Enter, Up, F1, or single characters.',
  args: '<session> <keys...>',
  quiet: 'print the id of the write only',
  examples: ['orchd keys build C-c', 'orchd keys editor Escape : w q Enter'],
  async run(context, [session = '', ...names]) {
    const result = await context.client().call('session.keys', { session, keys: names });
    if (context.isQuiet) await context.write(`${result.write_id}\n`);
    else if (context.isJson) await context.print(result, () => '');
    return undefined;
  },
};
