import { parseSize } from '../input/parse-values.js';
import type { CommandSpec } from '../program/command.js';

export const resize: CommandSpec = {
  name: 'resize',
  group: 'Sessions',
  summary: 'Set the size of a session’s terminal.',
  args: '<session> <colsxrows>',
  quiet: 'print ids only',
  examples: ['orchd resize build 120x40'],
  async run(context, [session = '', size = '']) {
    const changed = await context.client().call('session.resize', { session, size: parseSize(size) });
    await context.print(changed, () =>
      context.isQuiet ? `${changed.id}\n` : `${changed.name} is ${changed.size.cols}x${changed.size.rows}\n`,
    );
    return undefined;
  },
};
