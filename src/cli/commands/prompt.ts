import { promptText } from '../../protocol/index.js';
import { parseKey } from '../input/parse-values.js';
import { type CommandSpec, text } from '../program/command.js';

export const prompt: CommandSpec = {
  name: 'prompt',
  group: 'Messages',
  summary: 'Print the instructions that teach an agent the protocol, for its prompt.',
  options: [['--key <key>', 'messages must carry this key (as in `orchd run --key`)']],
  examples: ['orchd prompt', 'claude -p "$(orchd prompt) Fix the tests."', 'orchd prompt --key 4f9a21c0'],
  async run(context, _args, options) {
    const words = promptText(parseKey(text(options, 'key')));
    await context.print({ prompt: words }, () => words);
    return undefined;
  },
};
