import { displayLine } from '../../protocol/index.js';
import { parseWhole } from '../input/parse-values.js';
import { readText } from '../input/read-input.js';
import { type CommandSpec, flag, text as stringOf } from '../program/command.js';

export const send: CommandSpec = {
  name: 'send',
  group: 'Sessions',
  summary: 'Type text into a session, then Enter; waits until an agent takes input.',
  args: '<session> <text>',
  options: [
    ['--no-enter', 'do not press Enter'],
    ['--now', 'do not wait for an agent that starts, works or shows a dialog'],
    ['--timeout <seconds>', 'how long to wait for the agent (default: 60)'],
  ],
  quiet: 'print the id of the write only',
  examples: ['orchd send build "make test"', 'orchd send build - < notes.txt', 'orchd send build y --no-enter'],
  async run(context, [session = '', given = ''], options) {
    const text = given === '-' ? await readText('-') : given;
    const timeout = stringOf(options, 'timeout');
    const wait = flag(options, 'now') ? 0 : timeout === undefined ? undefined : 1000 * parseWhole('--timeout', timeout);
    const result = await context.client().call('session.send', {
      session,
      text,
      enter: options['enter'] !== false,
      ...(wait !== undefined && { wait_ms: wait }),
    });
    const { removed, unsent } = result;
    if (removed > 0)
      context.note(`${removed} control character${removed === 1 ? '' : 's'} left out; \`orchd keys\` presses keys`);
    if (unsent !== undefined) {
      context.note(`Enter did not submit it: its input line still shows “${displayLine(unsent)}”`);
      context.note(`\`orchd keys ${session} Enter\` presses Enter again`);
    }
    if (context.isQuiet) await context.write(`${result.write_id}\n`);
    else if (context.isJson) await context.print(result, () => '');
    return undefined;
  },
};
