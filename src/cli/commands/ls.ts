import {
  branchWords,
  costWords,
  type DaemonStatusOutput,
  displayLine,
  journalWords,
  OrchdError,
  revivable,
  type Session,
  shownState,
} from '../../protocol/index.js';
import { noteHealth } from '../daemon/note-health.js';
import { columns } from '../printing/output.js';
import { type Cell, table } from '../printing/paint.js';
import { type CommandSpec, flag, type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';

export const ls: CommandSpec = {
  name: 'ls',
  aliases: ['list'],
  group: 'Sessions',
  summary: 'List the sessions.',
  options: [
    ['--living', 'only living sessions'],
    ['--tag <tag>', 'only sessions with this tag'],
    ['--machine <name>', 'sessions of this machine of the hub; all: of all machines', ['all']],
    ['--tree', 'each session below the one that started it'],
  ],
  quiet: 'print ids only',
  examples: ['orchd ls', 'orchd ls --tree', 'orchd ls --living --json', 'orchd ls --machine all'],
  async run(context, _args, options) {
    const client = context.client();
    const wanted = text(options, 'tag');
    const machine = text(options, 'machine');
    if (machine !== undefined) return listMachines(context, machine, options);
    const [sessions, status] = await Promise.all([
      client.call('session.list', {
        ...(flag(options, 'living') && { all: false }),
        ...(wanted !== undefined && { tag: wanted }),
      }),
      client.call('daemon.status', {}),
    ]);
    noteHealth(context, status);
    if (context.isJson || context.isQuiet) {
      await context.print(sessions, () => sessions.map(({ id }) => `${id}\n`).join(''));
      return undefined;
    }
    if (sessions.length === 0) {
      const none = `no session has the tag ${wanted}; \`orchd tag NAME ${wanted}\` adds it\n`;
      if (wanted !== undefined) return void (await context.write(none));
      await context.write('no sessions; start one with `orchd run -- CMD`, or see `orchd demo`\n');
      return undefined;
    }
    const known = factsOf(status);
    const rows = flag(options, 'tree')
      ? (await import('../printing/session-tree.js'))
          .sessionTree(sessions)
          .map(({ session, lead }) => row(session, known, lead))
      : sessions.map((session) => row(session, known));
    const { head, shown } = withoutEmpty(HEAD, rows);
    await context.write(await table(context.paint, head, shown, columns(), LESS_NEEDED));
    return undefined;
  },
};

/**
 * Lists sessions with `--machine`. Columns about journals are absent: only the daemon of a machine knows its journals.
 */
async function listMachines(context: Context, machine: string, options: Options): Promise<undefined> {
  if (flag(options, 'tree')) throw new OrchdError('ORCHD_USAGE', '--tree shows this machine: leave out --machine');
  const { machineSessions } = await import('../hub/list.js');
  const filter = { isLiving: flag(options, 'living'), tag: text(options, 'tag') };
  const { sessions, cellOf } = await machineSessions(context, machine, filter);
  if (context.isJson || context.isQuiet) {
    await context.print(sessions, () => sessions.map(({ id }) => `${id}\n`).join(''));
    return undefined;
  }
  if (sessions.length === 0) return void (await context.write('no sessions\n'));
  const rows = sessions.map((session) => [cellOf(session), ...row(session, factsOf({}))]);
  const { head, shown } = withoutEmpty(['MACHINE', ...HEAD], rows);
  await context.write(await table(context.paint, head, shown, columns(), LESS_NEEDED));
  return undefined;
}

const HEAD = ['ID', 'NAME', 'TAGS', 'STATE', 'OPEN', 'BRANCH', 'COST', 'JOURNAL', 'AT', 'COMMAND'];
/** Columns that are left out on a narrow terminal, in this order. */
const LESS_NEEDED = ['COMMAND', 'JOURNAL', 'AT', 'BRANCH', 'TAGS', 'COST', 'OPEN'];
/** Columns that are left out if no session has a value. */
const OPTIONAL: ReadonlySet<string> = new Set(['TAGS', 'BRANCH', 'COST']);

function withoutEmpty(head: readonly string[], rows: readonly (readonly Cell[])[]) {
  const isShown = head.map((name, x) => !OPTIONAL.has(name) || rows.some((cells) => cells[x]?.text !== ''));
  const shown = <T>(cells: readonly T[]): readonly T[] => cells.filter((_, x) => isShown[x]);
  return { head: shown(head), shown: rows.map(shown) };
}

/** Words about sessions that only the daemon of this machine knows, by id. */
interface RowFacts {
  readonly journals: ReadonlyMap<string, string>;
  readonly branches: ReadonlyMap<string, string>;
}

const factsOf = ({ journals = [], changes = [] }: Pick<DaemonStatusOutput, 'journals' | 'changes'>): RowFacts => ({
  journals: new Map(journals.map((one) => [one.session_id, journalWords(one)])),
  branches: new Map(changes.map((one) => [one.session_id, branchWords(one, BRANCH_COLS)])),
});

const BRANCH_COLS = 32;

function row(session: Session, { journals, branches }: RowFacts, lead = ''): Cell[] {
  const { mark, style, words } = shownState(session);
  const percent = session.progress === null ? '' : `${Math.round(session.progress)}%`;
  const progress = [percent, stepCount(session)].filter(Boolean).join(' ');
  const batch = session.mode === 'batch' ? 'batch' : '';
  const step = displayLine(session.current_step ?? '').slice(0, 30);
  return [
    { text: session.id, style: 'dim' },
    { text: lead + session.name, style: 'bold' },
    { text: session.tags?.join(' ') ?? '', style: 'cyan' },
    { text: `${mark} ${words}`, style },
    session.open_items > 0 ? { text: String(session.open_items), style: 'yellow' } : { text: '-', style: 'dim' },
    { text: branches.get(session.id) ?? '', style: 'magenta' },
    { text: costWords(session.usage), style: 'yellow' },
    { text: journals.get(session.id) ?? '-', style: 'dim' },
    { text: pastWords(session) ?? ([batch, progress, step].filter(Boolean).join(' ') || '-') },
    { text: displayLine(session.command.join(' ')) },
  ];
}

/** Returns `3/4`, or '' if the agent did not say how many steps there are. */
const stepCount = ({ total_steps, completed_steps = [] }: Session): string =>
  total_steps == null ? '' : `${completed_steps.length}/${total_steps}`;

/** Returns the command that revives a lost session, or `imported` for a recording; null for all others. */
function pastWords(session: Session): string | null {
  if (session.imported) return 'imported';
  if (session.state !== 'lost' || session.mode === 'batch') return null;
  return revivable(session) === null ? 'revive --fresh' : 'revive';
}
