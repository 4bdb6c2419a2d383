import { displayLine, ERRORS, type InputOf, OrchdError } from '../../protocol/index.js';
import { outputOn, targetOf } from '../hub/remote-target.js';
import { parseWhole } from '../input/parse-values.js';
import { readText } from '../input/read-input.js';
import { type CommandSpec, flag, list, text as stringOf } from '../program/command.js';
import type { Context } from '../program/context.js';

export const send: CommandSpec = {
  name: 'send',
  group: 'Sessions',
  summary: 'Type text into a session, or into several, then Enter; waits until an agent takes input.',
  args: '[session] [text]',
  options: [
    ['--all', 'into every living session with a terminal; then the text is the only argument'],
    ['--tag <tag>', 'into the living sessions with this tag…'],
    ['--no-enter', 'do not press Enter'],
    ['--now', 'do not wait for an agent that starts, works or shows a dialog'],
    ['--timeout <seconds>', 'how long to wait for the agent (default: 60)'],
    ['--machine <name>', 'a session of this machine of the hub; or write NAME/SESSION'],
  ],
  quiet: 'print the id of the write only',
  examples: [
    'orchd send build "make test"',
    'orchd send build - < notes.txt',
    'orchd send build y --no-enter',
    'orchd send --tag release "stop and commit"',
  ],
  async run(context, words, options) {
    const client = context.client();
    const tags = list(options, 'tag');
    const isMany = flag(options, 'all') || tags.length > 0;
    const [session = '', given] = isMany ? ['', words[0]] : words;
    if (given === undefined || words.length > (isMany ? 1 : 2)) throw new OrchdError('ORCHD_USAGE', usageOf(isMany));
    const text = given === '-' ? await readText('-') : given;
    const timeout = stringOf(options, 'timeout');
    const wait = flag(options, 'now') ? 0 : timeout === undefined ? undefined : 1000 * parseWhole('--timeout', timeout);
    const request = { text, enter: options['enter'] !== false, ...(wait !== undefined && { wait_ms: wait }) };
    if (isMany && options['machine'] !== undefined)
      throw new OrchdError('ORCHD_USAGE', '--machine names one session: leave out --all and --tag');
    if (isMany) return sendToMany(context, tags, request);
    const { machine, selector } = targetOf(session, options);
    const result =
      machine === undefined
        ? await client.call('session.send', { session, ...request })
        : await outputOn(context, machine, 'session.send', { session: selector, ...request });
    const { removed, unsent } = result;
    noteRemoved(context, removed);
    if (unsent !== undefined) {
      context.note(`Enter did not submit it: its input line still shows “${displayLine(unsent)}”`);
      context.note(`\`orchd keys ${session} Enter\` presses Enter again`);
    }
    if (context.isQuiet) await context.write(`${result.write_id}\n`);
    else if (context.isJson) await context.print(result, () => '');
    return undefined;
  },
};

const usageOf = (isMany: boolean): string =>
  isMany ? 'with --all or --tag, say only the text' : 'say the session and the text: `orchd send SESSION TEXT`';

function noteRemoved(context: Context, removed: number): void {
  if (removed > 0)
    context.note(`${removed} control character${removed === 1 ? '' : 's'} left out; \`orchd keys\` presses keys`);
}

/**
 * Sends to every living session that has a terminal and one of the tags. Without tags, it sends to all of them. If one
 * session refuses input, the others still get the text.
 *
 * @returns  The exit code: that of the first failure.
 */
async function sendToMany(
  context: Context,
  tags: readonly string[],
  request: Omit<InputOf<'session.send'>, 'session'>,
): Promise<number | undefined> {
  const client = context.client();
  const caller = context.env['ORCHD_SESSION_ID'];
  const living = await client.call('session.list', { all: false });
  const targets = living
    .filter(({ id, mode }) => mode !== 'batch' && id !== caller)
    .filter((session) => tags.length === 0 || session.tags?.some((tag) => tags.includes(tag)));
  if (targets.length === 0) {
    const which =
      tags.length === 0 ? 'no session with a terminal runs' : `no living session has the tag ${tags.join(' or ')}`;
    throw new OrchdError('ORCHD_SESSION_UNKNOWN', which);
  }
  let failed: OrchdError | undefined;
  const results = await Promise.all(
    targets.map(async ({ id, name }) => {
      try {
        return { session: id, name, ...(await client.call('session.send', { session: id, ...request })) };
      } catch (error) {
        if (!(error instanceof OrchdError)) throw error;
        failed ??= error;
        return { session: id, name, error: { code: error.code, message: error.message } };
      }
    }),
  );
  await context.print(results, () =>
    results
      .map((result) => {
        if (context.isQuiet) return 'write_id' in result ? `${result.write_id}\n` : '';
        if ('error' in result) return `${result.name}: ${displayLine(result.error.message)}\n`;
        return `${result.name}: ${result.unsent === undefined ? 'sent' : 'typed, but Enter did not submit it'}\n`;
      })
      .join(''),
  );
  noteRemoved(context, Math.max(0, ...results.map((result) => ('removed' in result ? result.removed : 0))));
  return failed && ERRORS[failed.code].exit;
}
