import { displayLine, type InputOf, type Item, OrchdError, typedOfAnswer } from '../../protocol/index.js';
import { parseWhole } from '../input/parse-values.js';
import { readText } from '../input/read-input.js';
import { type CommandSpec, flag, text } from '../program/command.js';

export const answer: CommandSpec = {
  name: 'answer',
  group: 'Inbox and events',
  summary: 'Answer an item; the first answer counts.',
  args: '<item> [text]',
  options: [
    ['--option <n>', 'choose an option by its number, from 1'],
    ['--decline', 'send `declined`'],
  ],
  quiet: 'print ids only',
  examples: ['orchd answer itm_4f "use JWT"', 'orchd answer itm_4f --option 2', 'orchd answer itm_4f --decline'],
  async run(context, [item = '', given], options) {
    const option = text(options, 'option');
    const body = given === '-' ? (await readText('-')).trimEnd() : given;
    const request: InputOf<'inbox.answer'> = {
      item,
      by: 'cli',
      ...(body !== undefined && { text: body }),
      ...(option !== undefined && { option: parseWhole('--option', option) }),
      ...(flag(options, 'decline') && { decline: true as const }),
    };
    if (body === undefined && option === undefined && !flag(options, 'decline')) {
      throw new OrchdError('ORCHD_USAGE', 'say what to answer: TEXT, --option N or --decline');
    }
    const answered = await context.client().call('inbox.answer', request);
    await context.print(answered, () => (context.isQuiet ? `${answered.id}\n` : wordsOf(answered)));
    return undefined;
  },
};

function wordsOf({ session_name, answer }: Item): string {
  const typed = answer && typedOfAnswer(answer);
  return `answered ${session_name}: ${displayLine(answer?.text ?? '')}${typed === null ? '' : ` (typed: ${typed})`}\n`;
}
