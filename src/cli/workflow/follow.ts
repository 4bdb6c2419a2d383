/**
 * Follows a workflow run in the foreground from its beginning to its end, across restarts of the daemon.
 *
 *     it ends                 its result is printed; the exit code is 0 or 1
 *     Ctrl-C, or TERM         it is cancelled; the command waits for the end and exits with 130 or 143. A second Ctrl-C
 *                             exits at once.
 *     the terminal closes     the command ends, and the workflow goes on
 */
import { type Client, callLasting } from '../../client/index.js';
import { type Event, type Item, OrchdError, type WorkflowRun } from '../../protocol/index.js';
import { callStarting } from '../daemon/daemon-process.js';
import { isTerminal } from '../printing/output.js';
import { errorPaint } from '../printing/paint.js';
import type { Context } from '../program/context.js';
import { watchTerm } from '../program/end-command.js';
import { AWAY } from '../sessions/wait-lasting.js';
import { printOutcome } from './outcome.js';
import { createProgressReporter } from './progress.js';

const TYPES: readonly Event['event_type'][] = [
  ...(['workflow_step_changed', 'workflow_state_changed', 'item_opened', 'run_asking'] as const),
];

/** @param begin  Creates or resumes the run; called once. */
export async function follow(
  context: Context,
  begin: (client: Client) => Promise<WorkflowRun>,
): Promise<number | undefined> {
  const { signal } = context;
  watchTerm();
  const client = context.connect();
  try {
    const { last_seq: since } = await callStarting(context, () => client.call('daemon.status', {}));
    if (signal.aborted) return undefined;
    const started = await begin(client);
    const count = `${started.steps.length} step${started.steps.length === 1 ? '' : 's'}`;
    context.note(`${started.id} ${started.name}: ${count}; Ctrl-C cancels it`);
    return await followToEnd(context, client, started, since);
  } finally {
    client.close();
  }
}

async function followToEnd(
  context: Context,
  client: Client,
  started: WorkflowRun,
  since: number,
): Promise<number | undefined> {
  const { id } = started;
  try {
    await printProgress(context, client, started, since);
    if (context.signal.aborted) {
      context.note(`orchd: ${id} is being cancelled; once more leaves at once`);
      await cancel(client, started);
    }
    // Only the reply to the start has the warnings.
    const over = { ...(await loadRun(client, started)), ...(started.warnings && { warnings: started.warnings }) };
    if (isTerminal()) context.note(''); // Separates the progress lines from the result.
    return await printOutcome(context, over);
  } catch (error) {
    // After Ctrl-C no error is printed, so this message is written directly.
    if (!context.isJson)
      process.stderr.write(`orchd: ${id} was left; \`orchd workflow show ${id}\` says where it stands\n`);
    throw error;
  }
}

/** Prints progress until the run is over, or until Ctrl-C. */
async function printProgress(context: Context, client: Client, started: WorkflowRun, since: number): Promise<void> {
  const isMute = context.isJson || context.isQuiet;
  const findItem = (item: string): Promise<Item | null> =>
    lasting(() => client.call('inbox.show', { item })).catch(() => null);
  const report = createProgressReporter(started, { paint: errorPaint(context), findItem });
  const onConnection = (isThere: boolean): void => {
    if (!isThere) context.note(AWAY);
  };
  const stream = client.events({ follow: true, since, type: [...TYPES], onConnection, signal: context.signal });
  for await (const event of stream) {
    // The run's end may be among the events that were pruned during the disconnect.
    if (event.event_type === 'gap') {
      if (isOver(await loadRun(client, started))) return;
      continue;
    }
    if (!isMute) for (const line of await report(event)) context.note(line);
    if (event.event_type === 'workflow_state_changed' && event.workflow_id === started.id && isOver(event)) return;
  }
}

/**
 * Cancels the run. Repeated until it succeeds, which is safe for a cancelled or ended run. Returns when its programs
 * have ended.
 */
async function cancel(client: Client, { id }: WorkflowRun): Promise<void> {
  try {
    await lasting(() => client.call('workflow.cancel', { workflow: id }));
  } catch (error) {
    if (!(error instanceof OrchdError) || error.code !== 'ORCHD_WORKFLOW_STATE') throw error;
  }
}

const loadRun = (client: Client, { id }: WorkflowRun): Promise<WorkflowRun> =>
  lasting(() => client.call('workflow.show', { workflow: id }));

/** These calls are short, so Ctrl-C does not abort them. */
const lasting = <T>(call: () => Promise<T>): Promise<T> =>
  callLasting(call, { isWaiting: false, deadline: Number.POSITIVE_INFINITY, signal: new AbortController().signal });

const isOver = ({ state }: Pick<WorkflowRun, 'state'>): boolean =>
  state === 'completed' || state === 'failed' || state === 'cancelled';
