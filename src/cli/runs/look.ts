/** `orchd runs list | show | wait | cancel`: what there is, and what came of it. */

import { callLasting } from '../../client/index.js';
import {
  displayLine,
  displayText,
  EXIT,
  type InputOf,
  OrchdError,
  type Run,
  type RunState,
  type Style,
} from '../../protocol/index.js';
import { type Options, text } from '../command.js';
import type { Context } from '../context.js';
import { isTerminal } from '../output.js';
import { parseWhole } from '../parse-values.js';
import { printList } from '../print-list.js';
import { type Asking, tellingQuestions } from './questions.js';

/** How each state looks. */
export const RUN_LOOKS: Readonly<Record<RunState, Style>> = {
  queued: 'dim',
  running: 'cyan',
  rate_limited: 'yellow',
  completed: 'green',
  failed: 'red',
  cancelled: 'dim',
};

/** That a person reads. */
const MAX_ERRORS = 20;

export async function listRuns(context: Context, options: Options): Promise<undefined> {
  const [state, blueprint, limit] = [text(options, 'state'), text(options, 'blueprint'), text(options, 'limit')];
  if (state !== undefined && !Object.hasOwn(RUN_LOOKS, state)) {
    throw new OrchdError('ORCHD_USAGE', `'${state}' is no state; states are ${Object.keys(RUN_LOOKS).join(', ')}`);
  }
  const query: InputOf<'run.list'> = {
    ...(state !== undefined && { state: state as RunState }), // looked up
    ...(blueprint !== undefined && { blueprint }),
    ...(limit !== undefined && { limit: parseWhole('--limit', limit) }),
  };
  const all = await context.client().call('run.list', query);
  return printList(context, all, {
    idOf: ({ id }) => id,
    none: 'no runs; `orchd runs start` makes one',
    head: ['RUN', 'STATE', 'AGENT', 'ATTEMPTS', 'TOOK', 'PROMPT OR ERROR'],
    row: (run) => [
      { text: run.id, style: 'bold' },
      run.asking ? { text: 'asks', style: 'yellow' } : { text: run.state, style: RUN_LOOKS[run.state] },
      { text: displayLine(run.blueprint ?? run.adapter) },
      { text: String(run.attempts) },
      { text: lastedOf(run) },
      { text: displayLine(run.error === null ? run.prompt : run.error.message) },
    ],
  });
}

export async function showRun(context: Context, run: string): Promise<undefined> {
  const found = await context.client().call('run.show', { run });
  await context.print(found, () => (context.isQuiet ? `${found.id}\n` : describe(context, found)));
  return undefined;
}

/** Prints its result, or says why there is none. The exit code of a failed one is 1, of one whose result does not fit 6. */
export async function waitForRun(context: Context, run: string, timeoutMs?: number): Promise<number | undefined> {
  const { signal } = context;
  const client = context.client();
  const wait = (leftMs?: number): Promise<Run> =>
    client.call('run.wait', { run, ...(leftMs !== undefined && { timeout_ms: leftMs }) }, { signal });
  const look = async (): Promise<Asking> => {
    const { id, asking = [] } = await client.call('run.show', { run });
    return { items: asking, isMine: ({ run_id }) => run_id === id };
  };
  const ended = await tellingQuestions(context, look, () =>
    callLasting(wait, {
      ...{ isWaiting: true, signal },
      deadline: timeoutMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + timeoutMs,
      onAway: () => context.note('orchd: the daemon is gone; it is waited for'),
    }),
  );
  // As it is for programs; a terminal would do what it says.
  const result = isTerminal() ? displayText(resultText(ended)) : resultText(ended);
  await context.print(ended, () => (context.isQuiet ? `${ended.id}\n` : result));
  if (ended.state === 'completed') return undefined;
  if (!context.isJson) process.stderr.write(errorText(ended));
  return ended.error?.error === 'OutputSchemaValidationError' ? EXIT.schema : EXIT.failed;
}

export async function cancelRun(context: Context, run: string): Promise<undefined> {
  const ended = await context.client().call('run.cancel', { run });
  await context.print(ended, () => (context.isQuiet ? `${ended.id}\n` : `${ended.id} ${ended.state}\n`));
  return undefined;
}

/** What the agent returned: text as it is, data as JSON; of an envelope what is for people. */
function resultText({ state, result_text, result_data, result_human }: Run): string {
  if (state !== 'completed') return '';
  if (result_text !== null) return result_text.endsWith('\n') ? result_text : `${result_text}\n`;
  if (result_human) return `${displayText(result_human)}\n`;
  return `${JSON.stringify(result_data, null, 2)}\n`;
}

function errorText({ id, state, error }: Run): string {
  const errors = error?.errors ?? [];
  const told = errors.slice(0, MAX_ERRORS);
  const lines = told.map(({ path, message }) => `  ${displayLine(path)}: ${displayLine(message)}\n`);
  if (errors.length > told.length) lines.push(`  and ${errors.length - told.length} more: --json tells all\n`);
  const resolution = error?.resolution === undefined ? '' : `  ${displayLine(error.resolution)}\n`;
  return `orchd: run ${id} ${state}: ${displayLine(error?.message ?? '')}\n${lines.join('')}${resolution}`;
}

function describe({ paint }: Context, run: Run): string {
  const short: [string, string][] = [
    ['run', run.id],
    ['state', paint(RUN_LOOKS[run.state], run.state)],
    ...(run.asking ?? []).map((item): [string, string] => ['asks', `${item}: \`orchd answer ${item}\` lets it go on`]),
    ['agent', [run.blueprint, run.adapter, run.model].filter((word) => word !== null).join(', ')],
    ['in', displayLine(run.cwd)],
    ['took', lastedOf(run)],
    ...(run.usage === null ? [] : ([['used', usageText(run.usage)]] as [string, string][])),
    ...(run.resumes_at === null ? [] : ([['goes on', run.resumes_at]] as [string, string][])),
    ...(run.retry_of === null ? [] : ([['repeats', run.retry_of]] as [string, string][])),
  ];
  const width = Math.max(...short.map(([field]) => field.length));
  const lines = short.map(([field, value]) => `${paint('dim', field.padEnd(width))}  ${value}\n`);
  const block = (title: string, body: string): string =>
    `\n${paint('dim', title)}\n${displayText(body).replaceAll(/^/gm, '  ')}\n`;
  const attempts = run.attempts.map((attempt) => {
    const { number, reason, session_id, error, verdict } = attempt;
    const wrong = (verdict?.errors ?? []).map(({ path, message }) => `${path}: ${message}`);
    const how = error ?? (attempt.ended_at === null ? 'under way' : wrong.length > 0 ? wrong.join('; ') : 'done');
    return `${number} ${reason} ${session_id} ${lastedOf(attempt)}: ${displayLine(how)}`;
  });
  return [
    ...lines,
    block('prompt', run.prompt),
    ...(attempts.length === 0 ? [] : [block('attempts', attempts.join('\n'))]),
    ...(run.state === 'completed' ? [block('result', resultText(run).trimEnd())] : []),
    ...(run.error === null
      ? []
      : [
          block(
            'error',
            errorText(run)
              .replace(/^orchd: run \S+ \S+: /, '')
              .trimEnd(),
          ),
        ]),
  ].join('');
}

function usageText({ input_tokens, output_tokens, cost_usd, turns }: NonNullable<Run['usage']>): string {
  const parts = [
    input_tokens === null ? null : `${input_tokens} tokens in`,
    output_tokens === null ? null : `${output_tokens} out`,
    cost_usd === null ? null : `$${cost_usd}`,
    turns === null ? null : `${turns} turns`,
  ];
  return parts.filter((part) => part !== null).join(', ') || '-';
}

function lastedOf({ started_at, ended_at }: { started_at: string | null; ended_at: string | null }): string {
  if (started_at === null) return '-';
  const ms = (ended_at === null ? Date.now() : Date.parse(ended_at)) - Date.parse(started_at);
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
