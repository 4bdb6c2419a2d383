import { OrchdError } from '../../protocol/index.js';
import { type CommandSpec, list } from '../program/command.js';

export const tag: CommandSpec = {
  name: 'tag',
  group: 'Sessions',
  summary: 'Add tags to a session, remove some, or show them.',
  args: '<session> [tags...]',
  options: [['--remove <tag>', 'remove this tag…']],
  quiet: 'print ids only',
  examples: ['orchd tag build release urgent', 'orchd tag build --remove urgent', 'orchd tag build'],
  async run(context, [session = '', ...add], options) {
    const client = context.client();
    const remove = [...list(options, 'remove')];
    const both = add.find((one) => remove.includes(one));
    if (both !== undefined) throw new OrchdError('ORCHD_USAGE', `'${both}' is to be added and to be removed`);
    const isChange = add.length + remove.length > 0;
    const shown = isChange
      ? await client.call('session.tag', { session, add, remove })
      : await client.call('session.show', { session });
    await context.print(shown, () =>
      context.isQuiet ? `${shown.id}\n` : `${shown.name}: ${shown.tags?.join(' ') ?? 'no tags'}\n`,
    );
    return undefined;
  },
};
