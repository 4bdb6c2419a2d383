/**
 * A workflow run in the foreground: from its beginning to its end, through daemons that come and go.
 *
 *     it ends                 its outcome is printed; the exit code is 0, or 1
 *     Ctrl-C, or TERM         it is cancelled and waited for; 130, or 143. A second one leaves at once.
 *     the terminal goes away  so does this; it goes on
 */
import { type Client, callLasting } from '../../client/index.js';
import { type Event, type Item, OrchdError, type WorkflowRun } from '../../protocol/index.js';
import type { Context } from '../context.js';
import { callStarting } from '../daemon-process.js';
import { watchTerm } from '../end-command.js';
import { isTerminal } from '../output.js';
import { errorPaint } from '../paint.js';
import { AWAY } from '../wait-lasting.js';
import { printOutcome } from './outcome.js';
import { createTeller } from './progress.js';

const TYPES: readonly Event['event_type'][] = [
  ...(['workflow_step_changed', 'workflow_state_changed', 'item_opened', 'run_asking'] as const),
];

/** @param begin  Makes the run, or lets it go on; called once. */
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
    const begun = await begin(client);
    const count = `${begun.steps.length} step${begun.steps.length === 1 ? '' : 's'}`;
    context.note(`${begun.id} ${begun.name}: ${count}; Ctrl-C cancels it`);
    return await stay(context, client, begun, since);
  } finally {
    client.close();
  }
}

async function stay(context: Context, client: Client, begun: WorkflowRun, since: number): Promise<number | undefined> {
  const { id } = begun;
  try {
    await tellUntilOver(context, client, begun, since);
    if (context.signal.aborted) {
      context.note(`orchd: ${id} is being cancelled; once more leaves at once`);
      await cancel(client, begun);
    }
    const over = await look(client, begun);
    if (isTerminal()) context.note(''); // it stands below what was said
    return await printOutcome(context, over);
  } catch (error) {
    // Of a command that Ctrl-C has ended no error is told, and this one matters.
    if (!context.isJson)
      process.stderr.write(`orchd: ${id} was left; \`orchd workflow show ${id}\` says where it stands\n`);
    throw error;
  }
}

/** Until nothing more will happen to it, or Ctrl-C. */
async function tellUntilOver(context: Context, client: Client, begun: WorkflowRun, since: number): Promise<void> {
  const isMute = context.isJson || context.isQuiet;
  const findItem = (item: string): Promise<Item | null> =>
    lasting(() => client.call('inbox.show', { item })).catch(() => null);
  const tell = createTeller(begun, { paint: errorPaint(context), findItem });
  const onConnection = (isThere: boolean): void => {
    if (!isThere) context.note(AWAY);
  };
  const stream = client.events({ follow: true, since, type: [...TYPES], onConnection, signal: context.signal });
  for await (const event of stream) {
    // What was pruned before we came back may have been its end.
    if (event.event_type === 'gap') {
      if (isOver(await look(client, begun))) return;
      continue;
    }
    if (!isMute) for (const line of await tell(event)) context.note(line);
    if (event.event_type === 'workflow_state_changed' && event.workflow_id === begun.id && isOver(event)) return;
  }
}

/** As often as it takes: what is cancelled, or over, stays so. Returns when its programs are gone. */
async function cancel(client: Client, { id }: WorkflowRun): Promise<void> {
  try {
    await lasting(() => client.call('workflow.cancel', { workflow: id }));
  } catch (error) {
    if (!(error instanceof OrchdError) || error.code !== 'ORCHD_WORKFLOW_STATE') throw error;
  }
}

const look = (client: Client, { id }: WorkflowRun): Promise<WorkflowRun> =>
  lasting(() => client.call('workflow.show', { workflow: id }));

/** Ctrl-C does not end these: they are short. */
const lasting = <T>(call: () => Promise<T>): Promise<T> =>
  callLasting(call, { isWaiting: false, deadline: Number.POSITIVE_INFINITY, signal: new AbortController().signal });

const isOver = ({ state }: Pick<WorkflowRun, 'state'>): boolean =>
  state === 'completed' || state === 'failed' || state === 'cancelled';
