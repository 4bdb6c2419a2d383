/**
 * Formats the result of a workflow run for people; --json prints all of it.
 *
 *     VARIABLE  FROM     VALUE
 *     topic     INPUT    tea
 *     score     analyze  9
 *
 *     last
 *       Goodbye.
 */
import { displayLine, displayText, EXIT, type WorkflowRun } from '../../protocol/index.js';
import { textOf } from '../../workflow/index.js';
import { idOn, onMachine } from '../hub/remote-target.js';
import { block } from '../printing/fields.js';
import { columns } from '../printing/output.js';
import { type Cell, table } from '../printing/paint.js';
import type { Context } from '../program/context.js';

/** Maximum length of a value if the output is not a terminal. */
const MAX_CHARS = 200;
/** Maximum number of rows of a goal's text. */
const MAX_ROWS = 20;
const CUT = '…';

/**
 * Prints the variables and texts of a completed run. For any other run it prints the reason on standard error and
 * returns exit code 1.
 */
export async function printOutcome(context: Context, run: WorkflowRun, machine?: string): Promise<number | undefined> {
  const isDone = run.state === 'completed';
  const values = isDone ? await valuesText(context, run, machine) : '';
  await context.print(onMachine(run, machine), () => (context.isQuiet ? `${run.id}\n` : values));
  if (isDone) return undefined;
  if (!context.isJson) process.stderr.write(failureText(run, machine));
  return EXIT.failed;
}

/** Formats the variables, and the texts of goals without outputs. Long values are cut, with a note. */
export async function valuesText(context: Context, run: WorkflowRun, machine?: string): Promise<string> {
  const shown = `${await variablesTable(context, run)}${textBlocks(context, run)}`.replace(/^\n/, '');
  const isCut = shown.split('\n').some((line) => line.endsWith(CUT));
  return isCut ? `${shown}\n\`orchd workflow show ${idOn(run.id, machine)} --json\` has all of it\n` : shown;
}

async function variablesTable({ paint }: Context, { variables }: WorkflowRun): Promise<string> {
  if (variables.length === 0) return '';
  const rows = variables.map(({ name, step, value }): Cell[] => [
    { text: name, style: 'bold' },
    { text: step ?? 'INPUT', style: 'dim' },
    { text: shorten(displayLine(textOf(value))) },
  ]);
  return table(paint, ['VARIABLE', 'FROM', 'VALUE'], rows, columns());
}

function textBlocks({ paint }: Context, { steps }: WorkflowRun): string {
  return steps
    .map(({ id, result }) => {
      if (result === null) return '';
      const body = typeof result === 'string' ? result : result.map((text, at) => `${at + 1}. ${text}`).join('\n');
      const rows = displayText(body).trimEnd().split('\n');
      const kept = rows.length > MAX_ROWS ? [...rows.slice(0, MAX_ROWS), CUT] : rows;
      return block(paint, id, kept.join('\n'));
    })
    .join('');
}

/** Formats why the run has no result, which runs hold the texts, and how to resume it. */
function failureText({ id, state, error, steps }: WorkflowRun, machine: string | undefined): string {
  const others = steps.flatMap((step) =>
    step.error !== null && step.error.message !== error?.message ? [displayLine(step.error.message)] : [],
  );
  // An agent that could not be started has no output to show.
  const spoken = error?.error === 'AgentStartError' ? undefined : error?.run_id;
  const commands = [
    ...(spoken === undefined ? [] : [[`orchd runs show ${idOn(spoken, machine)}`, 'what it was asked, and has said']]),
    ...resumeCommands(idOn(id, machine), error, steps),
  ];
  const width = Math.max(...commands.map(([command = '']) => command.length));
  const head = state === 'cancelled' ? 'was cancelled' : `${state}: ${displayLine(error?.message ?? '')}`;
  return [
    `orchd: workflow run ${id} ${head}`,
    ...others.map((message) => `  and ${message}`),
    ...commands.map(([command = '', what = '']) => `  ${command.padEnd(width)}  ${what}`),
    '',
  ].join('\n');
}

/** Errors whose cause is a value that an earlier step made. If the step were resumed, it would fail again. */
const CAUSED_BY_INPUT: readonly string[] = ['ListError', 'ConditionError'];

function resumeCommands(id: string, error: WorkflowRun['error'], steps: WorkflowRun['steps']): string[][] {
  const command = `orchd workflow resume ${id}`;
  if (error === null || !CAUSED_BY_INPUT.includes(error.error)) return [[command, 'continues from there']];
  if (steps[0]?.id === error.step) return []; // The first step has no earlier one. It reads only INPUTs.
  return [[`${command} --from STEP`, 'runs an earlier step again, which may make other values']];
}

function shorten(line: string): string {
  const chars = [...line];
  return chars.length <= MAX_CHARS ? line : `${chars.slice(0, MAX_CHARS).join('')}${CUT}`;
}
