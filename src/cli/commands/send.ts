import type { CommandSpec } from '../command.js';
import { readAll } from '../read-input.js';

export const send: CommandSpec = {
  name: 'send',
  group: 'Sessions',
  summary: 'Type text into a session, then Enter.',
  args: '<session> <text>',
  options: [['--no-enter', 'do not press Enter']],
  examples: ['orchd send build "make test"', 'orchd send build - < notes.txt', 'orchd send build y --no-enter'],
  async run(context, [session = '', given = ''], options) {
    const text = given === '-' ? (await readAll('-')).toString('utf8') : given;
    const result = await context.client().call('session.send', { session, text, enter: options['enter'] !== false });
    if (context.isQuiet) await context.write(`${result.write_id}\n`);
    else if (context.isJson) await context.print(result, () => '');
    return undefined;
  },
};
