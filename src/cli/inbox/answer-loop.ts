/**
 * `orchd inbox -i`: shows the open items one after the other, and takes an answer for each. Items that open meanwhile
 * come at the end.
 *
 * In:   lines: an option's number, words, or a command (COMMANDS). An empty line puts the item off.
 * Out:  the items as `orchd inbox` prints them, a prompt, and the outcome of each answer.
 * The loop ends when no item is left, at `:quit`, and at the end of the input.
 */
import type { Client } from '../../client/index.js';
import { displayLine, type InputOf, type Item, OrchdError, optionsOf, takesText } from '../../protocol/index.js';
import { readAnswer } from '../../tui/plain/plain-answer.js';

interface AnswerLoopPorts {
  readonly client: Pick<Client, 'call'>;
  /** Only the items of this session. */
  readonly session: string | undefined;
  /** Shows a prompt and returns the next line; null at the end of the input. */
  readonly ask: (prompt: string) => Promise<string | null>;
  readonly say: (text: string) => Promise<void>;
  /** Formats an item with a heading such as `1 of 3`. */
  readonly show: (item: Item, heading: string) => string;
  /**
   * Opens the person's editor.
   * @returns The text; null if the editor failed. A message then says so.
   */
  readonly edit: (text: string) => Promise<string | null>;
}

const PROMPT = '> ';
const HELP = [
  '1, 2 …     choose that option',
  'words      answer in words; type :: where they begin with :',
  'Enter      put the item off',
  ':decline   decline the item, or put it away',
  ':edit      open $VISUAL or $EDITOR for a long answer',
  ':undo      take the last answer back before it is typed',
  ':quit      leave',
  'One letter of a command is enough.',
];
const COMMANDS = ['decline', 'edit', 'undo', 'quit', 'help'] as const;
type CommandName = (typeof COMMANDS)[number];

/** The most needed keys. A person reads them before the first item. */
export const FIRST_WORDS = 'Enter puts an item off · :quit leaves · ? lists more\n\n';

export async function runAnswerLoop(ports: AnswerLoopPorts): Promise<void> {
  const { client, say, session } = ports;
  const putOff = new Set<string>();
  let lastAnswered: string | null = null;
  let count = 0;
  for (;;) {
    const open = await client.call('inbox.list', session === undefined ? {} : { session });
    const waiting = open.filter(({ id }) => !putOff.has(id));
    const [item] = waiting;
    if (!item) return say(endWords(open.length));
    count++;
    await say(ports.show(item, waiting.length === 1 && count === 1 ? '' : `${count} of ${count + waiting.length - 1}`));
    const outcome = await answerOne(ports, item, lastAnswered);
    if (outcome === 'quit') return;
    if (outcome === 'put off') putOff.add(item.id);
    if (outcome === 'answered') lastAnswered = item.id;
    if (outcome === 'undone') {
      if (lastAnswered !== null) putOff.delete(lastAnswered);
      lastAnswered = null;
    }
    if (outcome !== 'answered' && outcome !== 'put off') count--;
  }
}

const endWords = (left: number): string =>
  left === 0 ? 'nothing waits for you\n' : `${left === 1 ? '1 item waits' : `${left} items wait`}, put off\n`;

type Outcome = 'answered' | 'put off' | 'undone' | 'closed' | 'quit';

/** Reads lines until one of them answers or leaves the item. */
async function answerOne(ports: AnswerLoopPorts, item: Item, lastAnswered: string | null): Promise<Outcome> {
  for (;;) {
    const line = await ports.ask(PROMPT);
    if (line === null) return 'quit';
    const outcome = await takeLine(ports, item, line.trim(), lastAnswered);
    if (outcome !== null) return outcome;
  }
}

/** @returns  Null if the person has to type another line. */
async function takeLine(
  ports: AnswerLoopPorts,
  item: Item,
  line: string,
  lastAnswered: string | null,
): Promise<Outcome | null> {
  const { say } = ports;
  if (line === '') return 'put off';
  // A single question mark asks for help. `:edit` can send it as an answer.
  if (line === '?') return takeLine(ports, item, ':help', lastAnswered);
  if (!line.startsWith(':') || line.startsWith('::')) {
    return sendText(ports, item, line.startsWith('::') ? line.slice(1) : line);
  }
  switch (commandOf(line.slice(1))) {
    case 'quit':
      return 'quit';
    case 'help':
      await say(HELP.map((row) => `${row}\n`).join(''));
      return null;
    case 'decline':
      return send(ports, item, { decline: true });
    case 'edit': {
      const text = await ports.edit('');
      return text === null || text.trim() === '' ? null : sendText(ports, item, text);
    }
    case 'undo': {
      if (lastAnswered === null) await say('there is no answer to take back\n');
      return lastAnswered !== null && (await takeBack(ports, lastAnswered)) ? 'undone' : null;
    }
    case null:
      await say(`there is no command ${displayLine(line)}; :help lists them\n`);
      return null;
  }
}

const commandOf = (word: string): CommandName | null =>
  word === '' ? 'help' : (COMMANDS.find((name) => name.startsWith(word)) ?? null);

async function sendText(ports: AnswerLoopPorts, item: Item, text: string): Promise<Outcome | null> {
  const answer = readAnswer(item, text);
  if ('missing' in answer) {
    const { length } = optionsOf(item);
    await ports.say(`there is no option ${answer.missing}, only ${length === 1 ? '1' : `1 to ${length}`}\n`);
    return null;
  }
  if (answer.request.option === undefined && !takesText(item)) {
    await ports.say('the program itself asks this: choose one of its options by number, or `orchd attach`\n');
    return null;
  }
  return send(ports, item, answer.request);
}

async function send(
  { client, say }: AnswerLoopPorts,
  item: Item,
  request: Omit<InputOf<'inbox.answer'>, 'item'>,
): Promise<Outcome | null> {
  try {
    const { answer } = await client.call('inbox.answer', { item: item.id, by: 'cli', ...request });
    await say(`✓ ${answer?.declined ? 'declined' : `answered: ${displayLine(answer?.text ?? '')}`}\n\n`);
    return 'answered';
  } catch (error) {
    if (!(error instanceof OrchdError)) throw error;
    await say(`not answered: ${displayLine(error.message)}\n`);
    return error.code === 'ORCHD_ITEM_CLOSED' || error.code === 'ORCHD_ITEM_UNKNOWN' ? 'closed' : null;
  }
}

async function takeBack({ client, say }: AnswerLoopPorts, item: string): Promise<boolean> {
  try {
    const { session_name } = await client.call('inbox.take_back', { item });
    await say(`the answer to ${displayLine(session_name)} is taken back\n\n`);
    return true;
  } catch (error) {
    if (!(error instanceof OrchdError)) throw error;
    await say(`not taken back: ${displayLine(error.message)}\n`);
    return false;
  }
}
