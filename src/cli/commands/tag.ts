import { OrchdError } from '../../protocol/index.js';
import { clientOn, idOn, ONE_MACHINE, onMachine, targetOf } from '../hub/remote-target.js';
import { type CommandSpec, list } from '../program/command.js';

export const tag: CommandSpec = {
  name: 'tag',
  group: 'Sessions',
  summary: 'Add tags to a session, remove some, or show them.',
  args: '<session> [tags...]',
  options: [['--remove <tag>', 'remove this tag…'], ONE_MACHINE],
  quiet: 'print ids only',
  examples: ['orchd tag build release urgent', 'orchd tag build --remove urgent', 'orchd tag build'],
  async run(context, [given = '', ...add], options) {
    const { machine, selector: session } = targetOf(given, options);
    const client = clientOn(context, machine);
    const remove = [...list(options, 'remove')];
    const both = add.find((one) => remove.includes(one));
    if (both !== undefined) throw new OrchdError('ORCHD_USAGE', `'${both}' is to be added and to be removed`);
    const isChange = add.length + remove.length > 0;
    const tagged = isChange
      ? await client.call('session.tag', { session, add, remove })
      : await client.call('session.show', { session });
    const shown = onMachine(tagged, machine);
    await context.print(shown, () =>
      context.isQuiet ? `${shown.id}\n` : `${idOn(shown.name, machine)}: ${shown.tags?.join(' ') ?? 'no tags'}\n`,
    );
    return undefined;
  },
};
