import { displayLine, journalWords, revivable, type Session, shownState } from '../../protocol/index.js';
import { noteHealth } from '../daemon/note-health.js';
import { columns } from '../printing/output.js';
import { type Cell, table } from '../printing/paint.js';
import { type CommandSpec, flag } from '../program/command.js';

export const ls: CommandSpec = {
  name: 'ls',
  aliases: ['list'],
  group: 'Sessions',
  summary: 'List the sessions.',
  options: [
    ['--living', 'only living sessions'],
    ['--tree', 'each session below the one that started it'],
  ],
  quiet: 'print ids only',
  examples: ['orchd ls', 'orchd ls --tree', 'orchd ls --living --json'],
  async run(context, _args, options) {
    const client = context.client();
    const [sessions, status] = await Promise.all([
      client.call('session.list', flag(options, 'living') ? { all: false } : {}),
      client.call('daemon.status', {}),
    ]);
    noteHealth(context, status);
    if (context.isJson || context.isQuiet) {
      await context.print(sessions, () => sessions.map(({ id }) => `${id}\n`).join(''));
      return undefined;
    }
    if (sessions.length === 0) {
      await context.write('no sessions; start one with `orchd run -- CMD`, or see `orchd demo`\n');
      return undefined;
    }
    const journals = new Map((status.journals ?? []).map((one) => [one.session_id, journalWords(one)]));
    const rows = flag(options, 'tree')
      ? (await import('../printing/session-tree.js'))
          .sessionTree(sessions)
          .map(({ session, lead }) => row(session, journals, lead))
      : sessions.map((session) => row(session, journals));
    await context.write(await table(context.paint, HEAD, rows, columns(), LESS_NEEDED));
    return undefined;
  },
};

const HEAD = ['ID', 'NAME', 'STATE', 'OPEN', 'JOURNAL', 'AT', 'COMMAND'];
/** Columns that a narrow terminal leaves out, the first one first. */
const LESS_NEEDED = ['COMMAND', 'JOURNAL', 'AT', 'OPEN'];

function row(session: Session, journals: ReadonlyMap<string, string>, lead = ''): Cell[] {
  const { mark, style, words } = shownState(session);
  const percent = session.progress === null ? '' : `${Math.round(session.progress)}%`;
  const progress = [percent, stepCount(session)].filter(Boolean).join(' ');
  const batch = session.mode === 'batch' ? 'batch' : '';
  const step = displayLine(session.current_step ?? '').slice(0, 30);
  return [
    { text: session.id, style: 'dim' },
    { text: lead + session.name, style: 'bold' },
    { text: `${mark} ${words}`, style },
    session.open_items > 0 ? { text: String(session.open_items), style: 'yellow' } : { text: '-', style: 'dim' },
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
