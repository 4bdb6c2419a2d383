import { displayLine, type InputOf, type Item, OrchdError, typedOfAnswer } from '../../protocol/index.js';
import { answerOn, targetOf } from '../hub/remote-target.js';
import { findAnsweredItem, findOpenItem } from '../inbox/find-item.js';
import { parseWhole } from '../input/parse-values.js';
import { readText } from '../input/read-input.js';
import { type CommandSpec, flag, text } from '../program/command.js';
import type { Context } from '../program/context.js';

export const answer: CommandSpec = {
  name: 'answer',
  group: 'Inbox and events',
  summary: 'Answer an item, or the only open item of a session; the first answer counts.',
  args: '<item-session> [text]',
  options: [
    ['--option <n>', 'choose an option by its number, from 1'],
    ['--decline', 'send `declined`'],
    ['--undo', 'take the answer back, until its typing begins'],
    ['--machine <name>', 'an item of this machine of the hub; or write NAME/ITEM'],
  ],
  quiet: 'print ids only',
  examples: [
    'orchd answer itm_4f "use JWT"',
    'orchd answer build --option 2',
    'orchd answer itm_4f --decline',
    'orchd answer build-7/web yes',
  ],
  async run(context, [selector = '', given], options) {
    const client = context.client();
    const place = targetOf(selector, options);
    if (flag(options, 'undo')) {
      if (place.machine !== undefined) throw new OrchdError('ORCHD_USAGE', '--undo works on this machine only');
      return takeBack(context, selector);
    }
    const option = text(options, 'option');
    const body = given === '-' ? (await readText('-')).trimEnd() : given;
    const request: Omit<InputOf<'inbox.answer'>, 'item' | 'by'> = {
      ...(body !== undefined && { text: body }),
      ...(option !== undefined && { option: parseWhole('--option', option) }),
      ...(flag(options, 'decline') && { decline: true as const }),
    };
    if (body === undefined && option === undefined && !flag(options, 'decline')) {
      throw new OrchdError('ORCHD_USAGE', 'say what to answer: TEXT, --option N or --decline');
    }
    if (place.machine !== undefined) return answerOn(context, place, request);
    let answered: Item;
    try {
      answered = await client.call('inbox.answer', {
        item: await findOpenItem(client, selector),
        by: 'cli',
        ...request,
      });
    } catch (error) {
      // The ids of items are unique over all machines.
      if (!(await isOnHub(context, selector, error))) throw error;
      return answerOn(context, place, request);
    }
    await context.print(answered, () => (context.isQuiet ? `${answered.id}\n` : wordsOf(answered)));
    return undefined;
  },
};

/** True if an id is unknown on this machine, which is on a hub and reads it: another machine may have the item. */
async function isOnHub(context: Context, selector: string, error: unknown): Promise<boolean> {
  if (!(error instanceof OrchdError) || error.code !== 'ORCHD_ITEM_UNKNOWN' || !selector.startsWith('itm_'))
    return false;
  return context
    .client()
    .call('hub.items', {})
    .then(
      () => true,
      () => false,
    );
}

async function takeBack(context: Context, selector: string): Promise<undefined> {
  const client = context.client();
  const item = await client.call('inbox.take_back', { item: await findAnsweredItem(client, selector) });
  await context.print(item, () =>
    context.isQuiet
      ? `${item.id}\n`
      : `the answer to ${displayLine(item.session_name)} is taken back; it waits again\n`,
  );
  return undefined;
}

function wordsOf({ session_name, answer }: Item): string {
  const typed = answer && typedOfAnswer(answer);
  return `answered ${session_name}: ${displayLine(answer?.text ?? '')}${typed === null ? '' : ` (typed: ${typed})`}\n`;
}
