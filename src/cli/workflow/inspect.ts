/** `orchd workflow list | show | wait | cancel`: lists workflow runs, and shows their states and results. */
import { displayLine, displayText, type InputOf, WORKFLOW_BADGES, type WorkflowRun } from '../../protocol/index.js';
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
import { block, fields, rowsBlock } from '../printing/fields.js';
import { barred, wrapped } from '../printing/message-text.js';
import { columns } from '../printing/output.js';
import { type Paint, table } from '../printing/paint.js';
import { printList, printState } from '../printing/print-list.js';
import { type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';
import { type OpenQuestions, printingQuestions } from '../runs/questions.js';
import { printOutcome, valuesText } from './outcome.js';
import { stepRows } from './step-rows.js';

export async function listRuns(context: Context, options: Options): Promise<undefined> {
  const [state, limit] = [text(options, 'state'), text(options, 'limit')];
  const query: InputOf<'workflow.list'> = {
    ...(state !== undefined && { state: parseState(WORKFLOW_BADGES, state) }),
    ...(limit !== undefined && { limit: parseWhole('--limit', limit) }),
  };
  const machine = text(options, 'machine');
  const all = await listOn(context, machine, (client) => client.call('workflow.list', query));
  return printList(context, all, {
    idOf: ({ id }) => id,
    none: 'no workflow runs; `orchd workflow run` makes one',
    head: [...machineHead(machine), 'WORKFLOW', 'STATE', 'STEPS', 'TOOK', 'NAME', 'UNDER WAY, OR ERROR'],
    row: ({ id, name, state: at, steps, done, current, error, created_at, ended_at, machine: place }) => [
      ...machineCell({ machine: place }),
      { text: id, style: 'bold' },
      { text: at, style: WORKFLOW_BADGES[at].style },
      { text: `${done}/${steps}` },
      { text: formatElapsed({ started_at: created_at, ended_at }) },
      { text: displayLine(name) },
      { text: displayLine(error === null || at === 'cancelled' ? current.join(', ') : error.message) },
    ],
  });
}

export async function showRun(context: Context, selector: string, options: Options): Promise<undefined> {
  const { machine, selector: workflow } = targetOf(selector, options);
  const found = await clientOn(context, machine).call('workflow.show', { workflow });
  const shown = context.isJson || context.isQuiet ? `${found.id}\n` : await describe(context, found);
  await context.print(onMachine(found, machine), () => shown);
  return undefined;
}

/** Prints the run's result. The exit code is 1 if it failed or was cancelled. */
export async function waitForRun(
  context: Context,
  { machine, selector: workflow }: RemoteTarget,
  timeoutMs?: number,
): Promise<number | undefined> {
  const daemon = followedDaemon(context.client(), machine);
  const loadOpen = async (): Promise<OpenQuestions> => {
    const { id, steps } = await daemon.call('workflow.show', { workflow });
    const items = steps.flatMap(({ state, item_id }) => (state === 'asking' && item_id !== null ? [item_id] : []));
    return { items, isMine: (event) => event.event_type === 'item_opened' && event.workflow_id === id };
  };
  const end: AwaitedEnd<WorkflowRun> = {
    kind: 'workflow run',
    selector: workflow,
    machine,
    show: (id, how) => daemon.call('workflow.show', { workflow: id }, how),
    wait: (given, how) => daemon.call('workflow.wait', { workflow, ...given }, how),
    type: 'workflow_state_changed',
    idOf: (event) => (event.event_type === 'workflow_state_changed' ? event.workflow_id : undefined),
  };
  const ended = await printingQuestions(context, daemon, loadOpen, () => waitForEnd(context, daemon, end, timeoutMs));
  return printOutcome(context, ended, machine);
}

export async function cancelRun(context: Context, selector: string, options: Options): Promise<undefined> {
  const { machine, selector: workflow } = targetOf(selector, options);
  const ended = await clientOn(context, machine).call('workflow.cancel', { workflow });
  return printState(context, onMachine(ended, machine));
}

/** Puts a bar before the agent's text, so that it is not mistaken for orchd's command below. */
const questionRows = (paint: Paint, question: string): string[] =>
  barred(wrapped(displayText(question), { columns: columns() - QUESTION_INDENT }), paint);
/** The indent of a block, the bar and a blank. */
const QUESTION_INDENT = 4;

async function describe(context: Context, run: WorkflowRun): Promise<string> {
  const { paint } = context;
  const { id, name, state, cwd, adapter, model, jobs, created_at, ended_at, steps } = run;
  const program = [adapter, model].filter((word) => word !== null).join(', ');
  const facts: [string, string][] = [
    ['workflow', id],
    ['name', displayLine(name)],
    ['state', paint(WORKFLOW_BADGES[state].style, state)],
    ['in', displayLine(cwd)],
    ...(program === '' ? [] : ([['agent', displayLine(program)]] as [string, string][])),
    ...(jobs === 1 ? [] : ([['jobs', String(jobs)]] as [string, string][])),
    ['took', formatElapsed({ started_at: created_at, ended_at })],
  ];
  const shownSteps = await table(paint, ['STEP', 'STATE', 'TOOK', 'RUN OR ITEM'], stepRows(steps), columns());
  const values = await valuesText(context, run);
  const asked = steps.flatMap(({ state: at, question, item_id }) =>
    at === 'asking' ? [...questionRows(paint, question ?? ''), `orchd answer ${item_id} TEXT`] : [],
  );
  const errors = steps.flatMap(({ error }) => (error === null ? [] : [displayLine(error.message)]));
  return [
    fields(paint, facts),
    `\n${shownSteps}`,
    ...(values === '' ? [] : [`\n${values}`]),
    rowsBlock(paint, 'question', asked),
    block(paint, 'error', errors.join('\n')),
  ].join('');
}
