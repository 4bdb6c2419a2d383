import { displayLine, displayText, type Item, optionsOf, subjectOf } from '../../protocol/index.js';
import { type CommandSpec, flag, text } from '../command.js';
import type { Context } from '../context.js';

export const inbox: CommandSpec = {
  name: 'inbox',
  group: 'Inbox and events',
  summary: 'What waits for you: questions, blocks, reviews, and what programs themselves ask.',
  options: [
    ['-f, --follow', 'go on: print items as they open (and, with --json, as they change)'],
    ['--all', 'answered and withdrawn ones too'],
    ['--session <session>', 'only items of this session'],
  ],
  quiet: 'print ids only',
  examples: ['orchd inbox', 'orchd inbox --json', 'orchd inbox -f'],
  async run(context, _args, options) {
    const client = context.client();
    const isFollowing = flag(options, 'follow');
    const { last_seq } = await client.call('daemon.status', {});
    const session = text(options, 'session');
    const mine = session === undefined ? {} : { session };
    const items = await client.call('inbox.list', { ...mine, ...(flag(options, 'all') && { all: true }) });
    if (context.isJson && isFollowing) for (const item of items) await context.write(`${JSON.stringify(item)}\n`);
    else
      await context.print(items, () => items.map((item) => show(context, item)).join('') || 'nothing waits for you\n');
    if (!isFollowing) return undefined;
    const type = ['item_opened', 'item_answered', 'item_withdrawn'];
    for await (const event of client.events({ follow: true, reconnect: true, since: last_seq, type, ...mine })) {
      if (!('item_id' in event) || typeof event.item_id !== 'string') continue;
      const item = await client.call('inbox.show', { item: event.item_id });
      if (context.isJson) await context.write(`${JSON.stringify(item)}\n`);
      else if (event.event_type === 'item_opened') await context.write(show(context, item));
    }
    return undefined;
  },
};

function show(context: Context, item: Item): string {
  if (context.isQuiet) return `${item.id}\n`;
  const { paint } = context;
  const head = `${paint('bold', item.type)}  ${item.session_name}  ${paint('dim', `${item.id}  ${item.opened_at}`)}`;
  const state =
    item.state === 'open'
      ? ''
      : `  ${paint('dim', `${item.state}${item.answer ? `: ${displayLine(item.answer.text)}` : ''}`)}`;
  const lines = displayText(subjectOf(item))
    .split('\n')
    .map((line) => `  ${line}`);
  const choices = optionsOf(item).map(
    (option, i) => `  ${paint('cyan', String(i + 1))} ${displayLine(option)}${option.endsWith(' ') ? ' …' : ''}`,
  );
  return `${[head + state, ...lines, ...choices].join('\n')}\n\n`;
}
