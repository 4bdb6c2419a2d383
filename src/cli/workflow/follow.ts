/**
 * Follows a workflow run in the foreground from its beginning to its end, across restarts of the daemon.
 *
 *     it ends                 its result is printed; the exit code is 0 or 1
 *     Ctrl-C, or TERM         it is cancelled; the command waits for the end and exits with 130 or 143. A second Ctrl-C
 *                             exits at once.
 *     the terminal closes     the command ends, and the workflow goes on
 */
import type { Client } from '../../client/index.js';
import { counted, type Event, type Item, isWorkflowOver, OrchdError, type WorkflowRun } from '../../protocol/index.js';
import { callStarting } from '../daemon/daemon-process.js';
import { CHECK, type FollowedDaemon, followedDaemon } from '../hub/followed-daemon.js';
import { idOn } from '../hub/remote-target.js';
import { isTerminal } from '../printing/output.js';
import { errorPaint } from '../printing/paint.js';
import type { Context } from '../program/context.js';
import { watchTerm } from '../program/end-command.js';
import { printOutcome } from './outcome.js';
import { createProgressReporter } from './progress.js';

const TYPES: readonly Event['event_type'][] = [
  'workflow_step_changed',
  'workflow_state_changed',
  'item_opened',
  'run_asking',
];

/**
 * @param begin    Creates or resumes the run; called once.
 * @param machine  The machine of the hub on which it runs; undefined for this one.
 */
export async function follow(
  context: Context,
  begin: (client: Pick<Client, 'call'>) => Promise<WorkflowRun>,
  machine?: string,
): Promise<number | undefined> {
  const { signal } = context;
  watchTerm();
  const client = context.connect();
  try {
    const daemon = followedDaemon(client, machine);
    const since = await callStarting(context, () => daemon.position());
    if (signal.aborted) return undefined;
    const started = await begin(daemon);
    const count = counted(started.steps.length, 'step');
    context.note(`${idOn(started.id, machine)} ${started.name}: ${count}; Ctrl-C cancels it`);
    return await followToEnd(context, { daemon, machine }, started, since);
  } finally {
    client.close();
  }
}

/** The daemon and the machine that execute the workflow run. */
interface At {
  readonly daemon: FollowedDaemon;
  readonly machine: string | undefined;
}

async function followToEnd(
  context: Context,
  { daemon, machine }: At,
  started: WorkflowRun,
  since: string,
): Promise<number | undefined> {
  const at = idOn(started.id, machine);
  try {
    await printProgress(context, daemon, started, since);
    if (context.signal.aborted) {
      context.note(`orchd: ${at} is being cancelled; once more leaves at once`);
      await cancel(daemon, started);
    }
    // Only the reply to the start has the warnings.
    const over = { ...(await loadRun(daemon, started)), ...(started.warnings && { warnings: started.warnings }) };
    if (isTerminal()) context.note(''); // Separates the progress lines from the result.
    return await printOutcome(context, over, machine);
  } catch (error) {
    // After Ctrl-C no error is printed, so this message is written directly.
    if (!context.isJson)
      process.stderr.write(`orchd: ${at} was left; \`orchd workflow show ${at}\` says where it stands\n`);
    throw error;
  }
}

/** Prints progress until the run is over, or until Ctrl-C. */
async function printProgress(
  context: Context,
  daemon: FollowedDaemon,
  started: WorkflowRun,
  since: string,
): Promise<void> {
  const isMute = context.isJson || context.isQuiet;
  const findItem = (item: string): Promise<Item | null> =>
    lasting(daemon, () => daemon.call('inbox.show', { item })).catch(() => null);
  const report = createProgressReporter(started, { paint: errorPaint(context), findItem });
  const { signal, note: onAway } = context;
  for await (const event of daemon.events({ since, type: TYPES, onAway, signal })) {
    // The run's end may be among the events that were pruned during the disconnect.
    if (event === CHECK) {
      if (isWorkflowOver(await loadRun(daemon, started, signal))) return;
      continue;
    }
    if (!isMute) for (const line of await report(event)) context.note(line);
    if (event.event_type === 'workflow_state_changed' && event.workflow_id === started.id && isWorkflowOver(event))
      return;
  }
}

/**
 * Cancels the run. Repeated until it succeeds, which is safe for a cancelled or ended run. Returns when its programs
 * have ended.
 */
async function cancel(daemon: FollowedDaemon, { id }: WorkflowRun): Promise<void> {
  try {
    await lasting(daemon, () => daemon.call('workflow.cancel', { workflow: id }));
  } catch (error) {
    if (!(error instanceof OrchdError) || error.code !== 'ORCHD_WORKFLOW_STATE') throw error;
  }
}

/** @param signal  Waits for another machine that is away until this aborts. Default: does not wait. */
const loadRun = (daemon: FollowedDaemon, { id }: WorkflowRun, signal?: AbortSignal): Promise<WorkflowRun> =>
  lasting(daemon, () => daemon.call('workflow.show', { workflow: id }), signal);

/** These calls are short, so Ctrl-C does not abort them. */
const lasting = <T>(daemon: FollowedDaemon, call: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
  daemon.lasting(call, { isWaiting: signal !== undefined, signal: signal ?? new AbortController().signal });
