import { OrchdError } from '../../protocol/index.js';
import { itemText } from '../printing/item-text.js';
import { columns } from '../printing/output.js';
import { type CommandSpec, flag, type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';

export const inbox: CommandSpec = {
  name: 'inbox',
  group: 'Inbox and events',
  summary: 'List the open items: questions, blocks, reviews, and dialogs of programs; or show one item in full.',
  args: '[item]',
  options: [
    ['-f, --follow', 'print items as they open (with --json, also as they change)'],
    ['--all', 'also answered and withdrawn items'],
    ['--session <session>', 'only items of this session'],
  ],
  quiet: 'print ids only',
  examples: ['orchd inbox', 'orchd inbox itm_4f', 'orchd inbox --json', 'orchd inbox -f'],
  async run(context, [item], options) {
    if (item !== undefined) return showOne(context, item, options);
    const client = context.client();
    const isFollowing = flag(options, 'follow');
    const { last_seq } = await client.call('daemon.status', {});
    const session = text(options, 'session');
    const mine = session === undefined ? {} : { session };
    // Programs get the items that they can answer. A person also sees answers that could not be delivered.
    const which = flag(options, 'all') ? { all: true } : { stalled: !context.isJson && !context.isQuiet };
    const items = await client.call('inbox.list', { ...mine, ...which });
    const show = (item: (typeof items)[number]): string =>
      context.isQuiet ? `${item.id}\n` : `${itemText(item, surroundings(context))}\n`;
    if (context.isJson && isFollowing) for (const item of items) await context.write(`${JSON.stringify(item)}\n`);
    else
      await context.print(items, () => items.map(show).join('') || (context.isQuiet ? '' : 'nothing waits for you\n'));
    if (!isFollowing) return undefined;
    const type = ['item_opened', 'item_answered', 'item_withdrawn'];
    for await (const event of client.events({ follow: true, reconnect: true, since: last_seq, type, ...mine })) {
      if (!('item_id' in event) || typeof event.item_id !== 'string') continue;
      const item = await client.call('inbox.show', { item: event.item_id });
      if (context.isJson) await context.write(`${JSON.stringify(item)}\n`);
      else if (event.event_type === 'item_opened') await context.write(show(item));
    }
    return undefined;
  },
};

const surroundings = ({ paint }: Context) => ({ paint, columns: columns(), now: Date.now() });

async function showOne(context: Context, item: string, options: Options): Promise<undefined> {
  if (flag(options, 'follow') || flag(options, 'all') || text(options, 'session') !== undefined)
    throw new OrchdError('ORCHD_USAGE', '`orchd inbox ITEM` shows that one item: leave out the other options');
  const found = await context.client().call('inbox.show', { item });
  await context.print(found, () =>
    context.isQuiet ? `${found.id}\n` : itemText(found, { ...surroundings(context), isWhole: true }),
  );
  return undefined;
}
