/** `orchd task list | show | history | wait | cancel`: lists tasks, and shows their states and results. */
import {
  displayLine,
  displayText,
  EXIT,
  type InputOf,
  shownTask,
  TASK_BADGES,
  type Task,
  valueText,
} from '../../protocol/index.js';
import { followedDaemon } from '../hub/followed-daemon.js';
import { parseState, parseWhole } from '../input/parse-values.js';
import { block, fields } from '../printing/fields.js';
import { localTime } from '../printing/local-time.js';
import { barred, messageRows } from '../printing/message-text.js';
import { columns } from '../printing/output.js';
import type { Paint } from '../printing/paint.js';
import { printList, printState } from '../printing/print-list.js';
import { type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';
import { type OpenQuestions, printingQuestions } from '../runs/questions.js';
import { waitAcrossRestarts } from '../sessions/wait-across-restarts.js';

export async function listTasks(context: Context, options: Options): Promise<undefined> {
  const [state, limit] = [text(options, 'state'), text(options, 'limit')];
  const query: InputOf<'task.list'> = {
    ...(state !== undefined && { state: parseState(TASK_BADGES, state) }),
    ...(limit !== undefined && { limit: parseWhole('--limit', limit) }),
  };
  const all = await context.client().call('task.list', query);
  return printList(context, all, {
    idOf: ({ id }) => id,
    none: 'no tasks; `orchd task create` makes one',
    head: ['TASK', 'STATE', 'AGENT', 'TASK OR ERROR'],
    row: (task) => [
      { text: task.id, style: 'bold' },
      task.asking
        ? { text: shownTask(task).word, style: 'yellow' }
        : { text: task.state, style: TASK_BADGES[task.state].style },
      { text: displayLine(task.current_agent ?? task.assigned_agent ?? '-') },
      { text: displayLine(task.error === null ? task.prompt : task.error.message) },
    ],
  });
}

export async function showTask(context: Context, task: string): Promise<undefined> {
  const found = await context.client().call('task.show', { task });
  await context.print(found, () => (context.isQuiet ? `${found.id}\n` : describe(context, found)));
  return undefined;
}

export async function showHistory(context: Context, task: string): Promise<undefined> {
  const history = await context.client().call('task.history', { task });
  const { paint } = context;
  const width = Math.max(...history.map(({ event }) => event.length));
  const lines = history.map(
    ({ timestamp, event, run_id, text: words }) =>
      `${paint('dim', localTime(timestamp))}  ${event.padEnd(width)}  ` +
      `${displayLine(words)}${run_id ? paint('dim', `  ${run_id}`) : ''}\n`,
  );
  // The ids of the task's runs, each once.
  const runs = [...new Set(history.flatMap(({ run_id }) => (run_id === undefined ? [] : [`${run_id}\n`])))];
  await context.print(history, () => (context.isQuiet ? runs : lines).join(''));
  return undefined;
}

export async function cancelTask(context: Context, task: string): Promise<undefined> {
  const ended = await context.client().call('task.cancel', { task });
  return printState(context, ended);
}

/** Waits until the task is over or needs a person. The exit code is 1 if it failed. */
export async function waitForTask(context: Context, task: string, timeoutMs?: number): Promise<number | undefined> {
  const client = context.client();
  const loadOpen = async (): Promise<OpenQuestions> => {
    const { id, attempts } = await client.call('task.show', { task });
    const run = attempts.at(-1)?.run_id;
    const asking = run === undefined ? [] : await client.call('run.show', { run }).then((made) => made.asking, unmade);
    return { items: asking ?? [], isMine: (event) => event.event_type === 'run_asking' && event.task_id === id };
  };
  const rested = await printingQuestions(context, followedDaemon(client, undefined), loadOpen, () =>
    waitAcrossRestarts(context, (given, how) => client.call('task.wait', { task, ...given }, how), timeoutMs),
  );
  await context.print(rested, () => (context.isQuiet ? `${rested.id}\n` : outcome(context, rested)));
  const hasFailed = rested.state === 'failed' || rested.state === 'cancelled';
  if (hasFailed && !context.isJson)
    process.stderr.write(`orchd: task ${rested.id} ${rested.state}: ${displayLine(rested.error?.message ?? '')}\n`);
  return hasFailed ? EXIT.failed : undefined;
}

/** A run that is still being created has no questions. */
const unmade = (): readonly string[] => [];

/** Returns the task's state and what to do next. */
function outcome(context: Context, { id, state, plan, report, questions }: Task): string {
  switch (state) {
    case 'planned': {
      const summary = barred(displayText(plan?.summary ?? '').split('\n'), context.paint).join('\n');
      return `${summary}\n\n\`orchd task show ${id}\` shows the plan, \`orchd task start ${id}\` starts it.\n`;
    }
    case 'awaiting_input': {
      const open = questions.flatMap(({ question, answer, declined }, at) =>
        answer === null && !declined ? [`${numbered(at, question, context.paint)}\n`] : [],
      );
      return `${open.join('')}\n\`orchd task answer ${id} "..."\` answers the first of them.\n`;
    }
    case 'completed':
    case 'failed':
      return report === null ? '' : `${reportText(report, { paint: context.paint, columns: columns() })}\n`;
    case 'pending':
      return `${id} is pending: \`orchd task plan ${id}\` plans it.\n`;
    default:
      return '';
  }
}

/** Formats a question. Rows after its first have a bar, so that they do not look like an answer or a command. */
function numbered(at: number, question: string, paint: Paint): string {
  const [first = '', ...others] = displayText(question).split('\n');
  return [`${at + 1}. ${first}`, ...barred(others, paint).map((row) => `   ${row}`)].join('\n');
}

/** Formats a report, which has the fields of a TASK_COMPLETE message. */
const reportText = (report: NonNullable<Task['report']>, how: { paint: Paint; columns: number }): string =>
  messageRows({ type: 'TASK_COMPLETE', data: report }, how).join('\n');
const plain: Paint = (_style, text) => text;

function describe({ paint }: Context, task: Task): string {
  const { plan, report, questions, attempts } = task;
  const short: [string, string][] = [
    ['task', task.id],
    ['state', paint(TASK_BADGES[task.state].style, task.state)],
    ...(task.asking ?? []).map((item): [string, string] => ['asks', `${item}: \`orchd answer ${item}\` lets it go on`]),
    ['agent', displayLine(task.current_agent ?? task.assigned_agent ?? '-')],
    ['in', displayLine(task.cwd)],
  ];
  const bullets = (lines: readonly string[] = []): string => lines.map((line) => `- ${line}`).join('\n');
  const asked = questions.map(
    ({ question, answer, declined }, at) =>
      `${numbered(at, question, plain)}\n   ${answer ?? (declined ? 'declined' : 'not answered yet')}`,
  );
  const tried = attempts.map(
    ({ number, kind, agent, run_id, ended_at }) =>
      `${number} ${kind} by ${agent ?? 'the default agent'}, ${run_id}${ended_at === null ? ': under way' : ''}`,
  );
  const { summary, requirements, acceptanceCriteria, plan: steps, assignedAgent: _shown, ...others } = plan ?? {};
  return [
    fields(paint, short),
    block(paint, 'task', task.prompt),
    block(paint, 'plan', summary ?? ''),
    block(paint, 'requirements', bullets(requirements)),
    block(paint, 'steps', (steps ?? []).map((step, at) => `${at + 1}. ${step}`).join('\n')),
    block(paint, 'acceptance criteria', bullets(acceptanceCriteria)),
    ...Object.entries(others).map(([name, value]) => block(paint, displayLine(name), valueText(value))),
    block(paint, 'questions', asked.join('\n')),
    block(paint, 'attempts', tried.join('\n')),
    report === null ? '' : block(paint, 'report', reportText(report, { paint: plain, columns: columns() - 2 })),
    block(paint, 'error', task.error?.message ?? ''),
  ].join('');
}
