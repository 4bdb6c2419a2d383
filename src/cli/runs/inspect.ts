/** `orchd runs list | show | wait | cancel`: lists runs, and shows their states and results. */

import {
  displayLine,
  displayText,
  EXIT,
  type InputOf,
  RUN_BADGES,
  type Run,
  type RunAttempt,
  shownRun,
  usageWords,
} from '../../protocol/index.js';
import { type AwaitedEnd, followedDaemon, waitForEnd } from '../hub/followed-daemon.js';
import {
  clientOn,
  listOn,
  machineCell,
  machineHead,
  onMachine,
  type RemoteTarget,
  targetOf,
} from '../hub/remote-target.js';
import { parseState, parseWhole } from '../input/parse-values.js';
import { formatElapsed } from '../printing/counts.js';
import { block, fields } from '../printing/fields.js';
import { messageRows } from '../printing/message-text.js';
import { columns, isTerminal } from '../printing/output.js';
import { errorPaint, type Paint } from '../printing/paint.js';
import { printList, printState } from '../printing/print-list.js';
import { type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';
import { type OpenQuestions, printingQuestions } from './questions.js';

/** Maximum number of schema errors shown to a person. */
const MAX_ERRORS = 20;

export async function listRuns(context: Context, options: Options): Promise<undefined> {
  const [state, blueprint, limit] = [text(options, 'state'), text(options, 'blueprint'), text(options, 'limit')];
  const query: InputOf<'run.list'> = {
    ...(state !== undefined && { state: parseState(RUN_BADGES, state) }),
    ...(blueprint !== undefined && { blueprint }),
    ...(limit !== undefined && { limit: parseWhole('--limit', limit) }),
  };
  const machine = text(options, 'machine');
  const all = await listOn(context, machine, (client) => client.call('run.list', query));
  return printList(context, all, {
    idOf: ({ id }) => id,
    none: 'no runs; `orchd runs start` makes one',
    head: [...machineHead(machine), 'RUN', 'STATE', 'AGENT', 'ATTEMPTS', 'TOOK', 'PROMPT OR ERROR'],
    row: (run) => [
      ...machineCell(run),
      { text: run.id, style: 'bold' },
      run.asking
        ? { text: shownRun(run).word, style: 'yellow' }
        : { text: run.state, style: RUN_BADGES[run.state].style },
      { text: displayLine(run.blueprint ?? run.adapter) },
      { text: String(run.attempts) },
      { text: formatElapsed(run) },
      { text: displayLine(run.error === null ? run.prompt : run.error.message) },
    ],
  });
}

export async function showRun(context: Context, selector: string, options: Options): Promise<undefined> {
  const { machine, selector: run } = targetOf(selector, options);
  const found = await clientOn(context, machine).call('run.show', { run });
  await context.print(onMachine(found, machine), () => (context.isQuiet ? `${found.id}\n` : describe(context, found)));
  return undefined;
}

/**
 * Prints the run's result, or why there is none. The exit code is 1 if the run failed, 6 if the result does not match
 * its schema.
 */
export async function waitForRun(
  context: Context,
  { machine, selector: run }: RemoteTarget,
  timeoutMs?: number,
): Promise<number | undefined> {
  const daemon = followedDaemon(context.client(), machine);
  const loadOpen = async (): Promise<OpenQuestions> => {
    const { id, asking = [] } = await daemon.call('run.show', { run });
    return { items: asking, isMine: (event) => event.event_type === 'run_asking' && event.run_id === id };
  };
  const end: AwaitedEnd<Run> = {
    kind: 'run',
    selector: run,
    machine,
    show: (id, how) => daemon.call('run.show', { run: id }, how),
    wait: (given, how) => daemon.call('run.wait', { run, ...given }, how),
    type: 'result',
    idOf: (event) => (event.event_type === 'result' ? event.run_id : undefined),
  };
  const ended = await printingQuestions(context, daemon, loadOpen, () => waitForEnd(context, daemon, end, timeoutMs));
  // Programs get the text unchanged. On a terminal, control sequences are removed.
  const text = resultText(ended, context.paint, columns());
  const result = isTerminal() && ended.result_text !== null ? displayText(text) : text;
  await context.print(onMachine(ended, machine), () => (context.isQuiet ? `${ended.id}\n` : result));
  if (ended.state === 'completed') return undefined;
  if (!context.isJson) process.stderr.write(errorText(ended) + failureText(ended, context));
  return ended.error?.error === 'OutputSchemaValidationError' ? EXIT.schema : EXIT.failed;
}

/** Returns the envelope in which the agent reports its failure; '' without one. */
function failureText(run: Run, context: Context): string {
  const envelope = envelopeOf(run);
  const columns = process.stderr.isTTY ? process.stderr.columns : Number.POSITIVE_INFINITY;
  return envelope === null ? '' : `\n${envelopeText(envelope, errorPaint(context), columns)}`;
}

export async function cancelRun(context: Context, selector: string, options: Options): Promise<undefined> {
  const { machine, selector: run } = targetOf(selector, options);
  const ended = await clientOn(context, machine).call('run.cancel', { run });
  return printState(context, onMachine(ended, machine));
}

/** Formats the agent's result: text unchanged, data as JSON, an envelope as both of its parts. */
function resultText(run: Run, paint: Paint, width: number): string {
  const { state, result_text, result_data } = run;
  if (state !== 'completed') return '';
  if (result_text !== null) return result_text.endsWith('\n') ? result_text : `${result_text}\n`;
  const envelope = envelopeOf(run);
  return envelope ? envelopeText(envelope, paint, width) : `${JSON.stringify(result_data, null, 2)}\n`;
}

type Envelope = NonNullable<RunAttempt['envelope']>;

/** Returns the run's last envelope: its result, or the agent's report of its failure. */
function envelopeOf({ state, result_data, result_human, attempts }: Run): Envelope | null {
  if (state === 'completed' && result_human !== null)
    return { data: result_data as Envelope['data'], human: result_human }; // The envelope's schema requires an object.
  return attempts.at(-1)?.envelope ?? null;
}

const envelopeText = (envelope: Envelope, paint: Paint, width: number): string =>
  `${messageRows({ type: 'OUTPUT', ...envelope }, { paint, columns: width }).join('\n')}\n`;

function errorText({ id, state, error }: Run): string {
  const errors = error?.errors ?? [];
  const shown = errors.slice(0, MAX_ERRORS);
  const lines = shown.map(({ path, message }) => `  ${displayLine(path)}: ${displayLine(message)}\n`);
  if (errors.length > shown.length) lines.push(`  and ${errors.length - shown.length} more: --json tells all\n`);
  const resolution = error?.resolution === undefined ? '' : `  ${displayLine(error.resolution)}\n`;
  return `orchd: run ${id} ${state}: ${displayLine(error?.message ?? '')}\n${lines.join('')}${resolution}`;
}

function describe({ paint }: Context, run: Run): string {
  const envelope = envelopeOf(run);
  const plain: Paint = (_style, text) => text;
  const short: [string, string][] = [
    ['run', run.id],
    ['state', paint(RUN_BADGES[run.state].style, run.state)],
    ...(run.asking ?? []).map((item): [string, string] => ['asks', `${item}: \`orchd answer ${item}\` lets it go on`]),
    ['agent', [run.blueprint, run.adapter, run.model].filter((word) => word !== null).join(', ')],
    ['in', displayLine(run.cwd)],
    ['took', formatElapsed(run)],
    ...(run.usage === null ? [] : ([['used', usageWords(run.usage) || '-']] as [string, string][])),
    ...(run.resumes_at === null ? [] : ([['goes on', run.resumes_at]] as [string, string][])),
    ...(run.retry_of === null ? [] : ([['repeats', run.retry_of]] as [string, string][])),
  ];
  const attempts = run.attempts.map((attempt) => {
    const { number, reason, session_id, error, verdict } = attempt;
    const wrong = (verdict?.errors ?? []).map(({ path, message }) => `${path}: ${message}`);
    const how = error ?? (attempt.ended_at === null ? 'under way' : wrong.length > 0 ? wrong.join('; ') : 'done');
    return `${number} ${reason} ${session_id} ${formatElapsed(attempt)}: ${displayLine(how)}`;
  });
  return [
    fields(paint, short),
    block(paint, 'prompt', run.prompt),
    block(paint, 'attempts', attempts.join('\n')),
    block(paint, 'result', resultText(run, plain, columns() - 2).trimEnd()),
    // A failed run has no result, so the agent's last text is shown instead.
    run.state === 'completed' || envelope === null
      ? ''
      : block(paint, 'envelope', envelopeText(envelope, plain, columns() - 2).trimEnd()),
    block(paint, 'last words', run.state === 'completed' || envelope !== null ? '' : lastWords(run)),
    run.error === null
      ? ''
      : block(
          paint,
          'error',
          errorText(run)
            .replace(/^orchd: run \S+ \S+: /, '')
            .trimEnd(),
        ),
  ].join('');
}

const lastWords = ({ attempts }: Run): string => (attempts.at(-1)?.text ?? '').trimEnd();
