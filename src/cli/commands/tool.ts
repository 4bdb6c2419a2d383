import { callTool } from '../../client/index.js';
import { CALL_ID_BYTES, EXIT, OrchdError, type OutputOf } from '../../protocol/index.js';
import { fieldKind, TOOLS, type Tool, toolNamed, willWait } from '../../tools/index.js';
import { parseDuration } from '../input/parse-values.js';
import { randomHex } from '../input/random-hex.js';
import { readToolInput } from '../input/tool-input.js';
import { type CommandSpec, flag, list, text } from '../program/command.js';
import type { Context } from '../program/context.js';

export const tool: CommandSpec = {
  name: 'tool',
  group: 'Messages',
  summary: 'Call a tool, as the program of a session does: ask, report_status and the like.',
  args: '[name]',
  options: [
    ['--input <value>', 'NAME=VALUE, a JSON object, or @FILE or - with an object…'],
    ['--wait', 'wait for the answer (the default for ask)'],
    ['-d, --detach', 'return at once; the question stays open'],
    ['--timeout <duration>', 'wait no longer than this (exit code 124)'],
    ['--call-id <id>', 'an id that makes repeated calls one call; a repeated call waits for its answer again'],
    ['--session <session>', 'speak for this session (default: the session of this command)'],
    ['--list', 'list the tools, or one tool, with their input'],
  ],
  quiet: 'print the answer, or ids only',
  examples: [
    'orchd tool ask --input question="Which?" --input options=JWT --input options=OAuth2',
    'answer=$(orchd tool ask --input question="Deploy?") && deploy "$answer"',
    'orchd tool report_status --input progress=40 --input currentStep=Tests',
    'orchd tool request_review --wait --input @review.json',
    'orchd tool --list',
  ],
  async run(context, [name], options) {
    if (flag(options, 'list')) return printTools(context, name === undefined ? TOOLS : [toolNamed(name)]);
    if (name === undefined) {
      const known = TOOLS.map((one) => one.name).join(', ');
      throw new OrchdError('ORCHD_USAGE', `say which tool: ${known}`);
    }
    const called = toolNamed(name);
    const session = text(options, 'session') ?? context.env['ORCHD_SESSION_ID'];
    if (session === undefined) {
      throw new OrchdError('ORCHD_USAGE', 'this does not run in a session of orchd; say which one with --session');
    }
    const timeout = text(options, 'timeout');
    const callId = text(options, 'callId') ?? randomHex(CALL_ID_BYTES);
    const wait = flag(options, 'wait') ? true : flag(options, 'detach') ? false : undefined;
    const isWaiting = willWait(called, wait);
    const input = await readToolInput(called, list(options, 'input'));
    const { signal } = context;
    try {
      const result = await callTool(context.client(), {
        session,
        tool: name,
        input,
        callId,
        isWaiting,
        signal,
        ...(wait !== undefined && { wait }),
        ...(timeout !== undefined && { timeoutMs: parseDuration('--timeout', timeout) }),
        onAway: () => context.note('orchd: the daemon is gone; orchd waits until it is back'),
      });
      await context.print(result, () => words(result, context.isQuiet));
      return result.declined ? EXIT.declined : undefined;
    } catch (error) {
      const isOpen = signal.aborted || (error instanceof OrchdError && error.code === 'ORCHD_TIMEOUT');
      if (isWaiting && isOpen)
        context.note(`it stays open; wait for the answer with the same call and --call-id ${callId}`);
      throw error;
    }
  },
};

function words(
  { answer, item_id, message_id, run_id, session_id, status, result, reminder }: OutputOf<'session.tool'>,
  isQuiet: boolean,
): string {
  if (result !== undefined) return typeof result === 'string' ? `${result}\n` : `${JSON.stringify(result, null, 2)}\n`;
  if (answer !== undefined) return `${answer}\n`;
  if (run_id !== undefined) return isQuiet ? `${run_id}\n` : startedWords(run_id, session_id, status);
  const id = item_id ?? message_id;
  const rows = [...(id === undefined ? ['submitted'] : [`told: ${id}`]), ...(reminder === undefined ? [] : [reminder])];
  return isQuiet ? `${id ?? ''}\n` : `${rows.join('\n')}\n`;
}

/** Returns what a parent needs to find the run again: the attributes that the callback of its end will have. */
function startedWords(run: string, session: string | null | undefined, status: string | undefined): string {
  const rows = [`started: ${run}`, `session: ${session ?? 'none yet, the run waits for its turn'}`];
  return `${[...rows, ...(status === undefined ? [] : [`status: ${status}`])].join('\n')}\n`;
}

async function printTools(context: Context, tools: readonly Tool[]): Promise<undefined> {
  await context.print(
    tools.map(({ name, summary, input, waits }) => ({ name, summary, input, waits: waits === true })),
    () => tools.map((one) => (context.isQuiet ? `${one.name}\n` : describe(one, context))).join(''),
  );
}

/** Describes a tool: its name, its purpose, and its fields. Required fields are marked. */
function describe({ name, summary, input }: Tool, { paint }: Context): string {
  const required = new Set(input.required);
  const fields = Object.entries(input.properties).map(([field, schema]) => {
    const must = required.has(field) ? ', must be there' : '';
    return `    ${field} (${fieldKind(schema)}${must}): ${schema.description ?? ''}\n`;
  });
  return `${paint('bold', name)}\n  ${summary}\n${fields.join('')}`;
}
