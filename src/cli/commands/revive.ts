import { callerOf } from '../../client/index.js';
import { displayLine, OrchdError, type OutputOf, type Session } from '../../protocol/index.js';
import { type CommandSpec, ENV, flag, list } from '../program/command.js';
import type { Context } from '../program/context.js';

type Revived = OutputOf<'session.revive'>;
interface Refused {
  readonly session: Session;
  readonly error: OrchdError;
}

export const HOW: Readonly<Record<Revived['how'], string>> = {
  conversation: 'goes on with its conversation',
  program: 'is started again',
  fresh: 'begins a new conversation',
};

export const revive: CommandSpec = {
  name: 'revive',
  group: 'Sessions',
  summary: 'Start ended sessions again; agents continue their conversations, or are refused.',
  args: '[sessions...]',
  options: [
    ['--all', 'every lost session, after a reboot or the end of the host'],
    ['--fresh', 'agents begin a new conversation'],
    ['-n, --dry-run', 'only print what would be started'],
    ENV,
  ],
  quiet: 'print ids only',
  examples: ['orchd revive auth', 'orchd revive --all --dry-run', 'orchd revive --all', 'orchd revive auth --fresh'],
  async run(context, selectors, options) {
    const client = context.client();
    const isAll = flag(options, 'all');
    if (isAll === selectors.length > 0) throw await whichOne(context);
    const targets = isAll
      ? (await client.call('session.list', {})).filter(isToRevive)
      : await Promise.all(selectors.map((session) => client.call('session.show', { session })));
    const dry_run = flag(options, 'dryRun');
    const input = {
      dry_run,
      fresh: flag(options, 'fresh'),
      ...callerOf(context.env, list(options, 'env')),
    };
    const outcomes: (Revived | Refused)[] = [];
    for (const session of targets) {
      // One refused session must not prevent the others from being revived.
      const outcome = client.call('session.revive', { session: session.id, ...input });
      outcomes.push(await outcome.catch((error: unknown) => refusal(session, error)));
    }
    const [first] = outcomes;
    if (outcomes.length === 1 && first && 'error' in first) throw first.error;
    await context.print(outcomes.map(asJson), () =>
      outcomes.map((outcome) => line(context, outcome, dry_run ? WOULD : HOW)).join(''),
    );
    if (outcomes.length === 0) context.note('no session is lost');
    else if (dry_run) context.note('nothing was started: this was a dry run');
    return outcomes.some((outcome) => 'error' in outcome) ? 1 : undefined;
  },
};

/** Sessions in batch mode cannot be revived. */
const isToRevive = ({ state, mode }: Session): boolean => state === 'lost' && mode !== 'batch';

async function whichOne(context: Context): Promise<OrchdError> {
  const lost = (await context.client().call('session.list', {})).filter(isToRevive);
  const names = lost.map(({ name }) => name).join(', ');
  return new OrchdError('ORCHD_USAGE', `say which session, or --all; lost are: ${displayLine(names || 'none')}`);
}

function refusal(session: Session, error: unknown): Refused {
  if (!(error instanceof OrchdError)) throw error;
  if (error.code === 'ORCHD_DAEMON_UNREACHABLE' || error.code === 'ORCHD_DAEMON_SILENT') throw error;
  return { session, error };
}

/** Verbs for the output of `--dry-run`. */
const WOULD: Readonly<Record<Revived['how'], string>> = {
  conversation: 'would go on with its conversation',
  program: 'would be started again',
  fresh: 'would begin a new conversation',
};

const asJson = (outcome: Revived | Refused) =>
  'error' in outcome ? { session: outcome.session, error: outcome.error.toProblem() } : outcome;

function line(context: Context, outcome: Revived | Refused, words: typeof HOW): string {
  const { id, name } = outcome.session;
  if (context.isQuiet) return 'error' in outcome ? '' : `${id}\n`;
  const what =
    'error' in outcome
      ? context.paint('red', displayLine(outcome.error.message))
      : `${words[outcome.how]}: ${displayLine(outcome.command.join(' '))}`;
  return `${context.paint('bold', name)}  ${what}\n`;
}
