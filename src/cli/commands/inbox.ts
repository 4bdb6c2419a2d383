import { type Item, OrchdError } from '../../protocol/index.js';
import { itemText } from '../printing/item-text.js';
import { columns, isTerminal } from '../printing/output.js';
import { type CommandSpec, flag, type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';

export const inbox: CommandSpec = {
  name: 'inbox',
  group: 'Inbox and events',
  summary: 'List the open items: questions, blocks, reviews, and dialogs of programs; or show one item in full.',
  args: '[item]',
  options: [
    ['-i, --interactive', 'answer the open items one after the other'],
    ['-f, --follow', 'print items as they open (with --json, also as they change)'],
    ['--all', 'also answered and withdrawn items'],
    ['--machine <name>', 'open items of this machine of the hub; all: of all machines', ['all']],
    ['--session <session>', 'only items of this session'],
  ],
  quiet: 'print ids only',
  examples: [
    'orchd inbox',
    'orchd inbox -i',
    'orchd inbox itm_4f',
    'orchd inbox --json',
    'orchd inbox -f',
    'orchd inbox --machine all',
  ],
  async run(context, [item], options) {
    const machine = text(options, 'machine');
    if (machine !== undefined) {
      if (flag(options, 'interactive') || flag(options, 'follow') || flag(options, 'all'))
        throw new OrchdError('ORCHD_USAGE', '--machine lists open items: leave out -i, -f and --all');
      const { printMachineItems } = await import('../hub/list.js');
      return printMachineItems(context, machine, { item, session: text(options, 'session') });
    }
    if (item !== undefined) return showOne(context, item, options);
    if (flag(options, 'interactive')) return interact(context, options);
    const client = context.client();
    const isFollowing = flag(options, 'follow');
    const { last_seq } = await client.call('daemon.status', {});
    const session = text(options, 'session');
    const mine = session === undefined ? {} : { session };
    // Programs get the items that they can answer. A person additionally sees answers that could not be delivered.
    const which = flag(options, 'all') ? { all: true } : { stalled: !context.isJson && !context.isQuiet };
    const items = await client.call('inbox.list', { ...mine, ...which });
    const show = (item: Item, number?: number): string =>
      context.isQuiet
        ? `${item.id}\n`
        : `${itemText(item, {
            ...printOptions(context),
            ...(number !== undefined && { number }),
          })}\n`;
    if (context.isJson && isFollowing) for (const item of items) await context.write(`${JSON.stringify(item)}\n`);
    else {
      const list = (): string => items.map((item, at) => show(item, at + 1)).join('');
      await context.print(items, () => list() || (context.isQuiet ? '' : 'nothing waits for you\n'));
    }
    const open = items.filter(({ state }) => state === 'open').length;
    if (!isFollowing && open > 1 && isTerminal()) context.note('orchd inbox -i answers them one after the other');
    if (!isFollowing) return undefined;
    const type = ['item_opened', 'item_answered', 'item_withdrawn'] as const;
    for await (const event of client.events({ follow: true, reconnect: true, since: last_seq, type, ...mine })) {
      if (event.event_type === 'gap') continue;
      const item = await client.call('inbox.show', { item: event.item_id });
      if (context.isJson) await context.write(`${JSON.stringify(item)}\n`);
      else if (event.event_type === 'item_opened') await context.write(show(item));
    }
    return undefined;
  },
};

async function interact(context: Context, options: Options): Promise<undefined> {
  if (context.isJson || context.isQuiet || flag(options, 'follow') || flag(options, 'all'))
    throw new OrchdError('ORCHD_USAGE', '-i shows the open items to a person: leave out the other options');
  const { answerInteractively } = await import('../inbox/answer-interactively.js');
  return answerInteractively(context, text(options, 'session'));
}

const printOptions = ({ paint }: Context) => ({ paint, columns: columns(), now: Date.now() });

async function showOne(context: Context, item: string, options: Options): Promise<undefined> {
  if (flag(options, 'follow') || flag(options, 'all') || text(options, 'session') !== undefined)
    throw new OrchdError('ORCHD_USAGE', '`orchd inbox ITEM` shows that one item: leave out the other options');
  const found = await context.client().call('inbox.show', { item });
  await context.print(found, () =>
    context.isQuiet ? `${found.id}\n` : itemText(found, { ...printOptions(context), isWhole: true }),
  );
  return undefined;
}
