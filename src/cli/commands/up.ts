import { callerOf } from '../../client/index.js';
import { type Config, displayLine, OrchdError, type Session } from '../../protocol/index.js';
import { callStarting } from '../daemon/daemon-process.js';
import type { Planned } from '../layout/layout-plan.js';
import { type CommandSpec, flag } from '../program/command.js';
import { type Context, readConfig } from '../program/context.js';

interface Outcome {
  readonly name: string;
  readonly outcome: 'running' | 'started' | 'revived' | 'failed';
  readonly session: Session | null;
  readonly error: OrchdError | null;
}

export const up: CommandSpec = {
  name: 'up',
  group: 'Sessions',
  summary:
    'Start the sessions of the project’s layout (.orchd/layout.toml) that do not run, and show them side by side. ' +
    'It asks before it starts a command for the first time.',
  args: '[names...]',
  options: [
    ['-d, --detach', 'do not show them'],
    ['-n, --dry-run', 'only print what would be started'],
    ['--trust', 'agree to the commands of the layout without being asked'],
  ],
  quiet: 'print ids only',
  examples: ['orchd up', 'orchd up api web', 'orchd up -d --trust', 'orchd up --dry-run'],
  async run(context, names, options) {
    const { layoutHere, chosenEntries, planOf } = await import('../layout/layout-plan.js');
    const { agreeTo, commandWords } = await import('../layout/agree.js');
    const layout = layoutHere(context.cwd);
    const entries = chosenEntries(layout, names);
    if (flag(options, 'dryRun')) {
      const plan = await planOf(context.client(), entries).catch((error: unknown) => withoutDaemon(error, entries));
      const steps = plan.map(({ entry, step }) => ({ name: entry.name, command: entry.command, cwd: entry.cwd, step }));
      await context.print({ layout: layout.file, sessions: steps }, () =>
        plan.map(({ entry, step }) => `${WOULD[step]}  ${commandWords(entry, layout)}\n`).join(''),
      );
      context.note('nothing was started: this was a dry run');
      return undefined;
    }
    const plan = await callStarting(context, () => planOf(context.client(), entries));
    const absent = plan.filter(({ step }) => step === 'revive' || step === 'start').map(({ entry }) => entry);
    await agreeTo(context, layout, absent, flag(options, 'trust'));
    const config = await readConfig(context);
    const outcomes: Outcome[] = [];
    for (const planned of plan) outcomes.push(await carryOut(context, config, planned));
    await context.print({ layout: layout.file, sessions: outcomes.map(asJson) }, () =>
      outcomes.map((outcome) => lineOf(context, outcome)).join(''),
    );
    const hasFailed = outcomes.some(({ outcome }) => outcome === 'failed');
    const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
    const isShown = isTerminal && !flag(options, 'detach') && !context.isJson && !context.isQuiet && !hasFailed;
    if (isShown) {
      const { showLayout } = await import('../layout/show-layout.js');
      await showLayout(
        context,
        layout,
        outcomes.flatMap(({ session }) => session ?? []),
      );
    }
    return hasFailed ? 1 : undefined;
  },
};

const WOULD: Readonly<Record<Planned['step'], string>> = {
  running: 'runs already    ',
  revive: 'would be revived',
  start: 'would be started',
  taken: 'name is taken   ',
};

/** Without a daemon, nothing runs. */
function withoutDaemon(error: unknown, entries: readonly Planned['entry'][]): readonly Planned[] {
  if (!(error instanceof OrchdError) || error.code !== 'ORCHD_DAEMON_UNREACHABLE') throw error;
  return entries.map((entry) => ({ entry, step: 'start', session: null }));
}

async function carryOut(context: Context, { sessions }: Config, { entry, step, session }: Planned): Promise<Outcome> {
  const { name, command, cwd, tags, adapter, isTaught } = entry;
  if (step === 'running') return { name, outcome: 'running', session, error: null };
  if (step === 'taken') {
    const words = `'${name}' is the name of a session in ${displayLine(session?.cwd ?? '')}`;
    return { name, outcome: 'failed', session: null, error: new OrchdError('ORCHD_NAME_TAKEN', words) };
  }
  const client = context.client();
  const variables = Object.entries(entry.env).map(([variable, value]) => `${variable}=${value}`);
  const mine = callerOf(context.env, variables);
  try {
    if (step === 'revive' && session) {
      try {
        const revived = await client.call('session.revive', { session: session.id, ...mine });
        return { name, outcome: 'revived', session: revived.session, error: null };
      } catch (error) {
        // A session that cannot be revived is started anew.
        if (!(error instanceof OrchdError) || error.code !== 'ORCHD_NOT_REVIVABLE') throw error;
      }
    }
    const { cols, rows, scrollback } = sessions;
    const started = await client.call('session.start', {
      name,
      command: [...command],
      cwd,
      tags: [...tags],
      size: { cols, rows },
      scrollback,
      ...mine,
      ...(adapter !== null && { adapter }),
      ...(isTaught && { teach: true }),
    });
    return { name, outcome: 'started', session: started, error: null };
  } catch (error) {
    // If one session cannot be started, the others are still started.
    if (!(error instanceof OrchdError)) throw error;
    if (error.code === 'ORCHD_DAEMON_UNREACHABLE' || error.code === 'ORCHD_DAEMON_SILENT') throw error;
    return { name, outcome: 'failed', session: null, error };
  }
}

const asJson = ({ error, ...outcome }: Outcome) => ({ ...outcome, ...(error && { error: error.toProblem() }) });

function lineOf(context: Context, { name, outcome, session, error }: Outcome): string {
  if (context.isQuiet) return session ? `${session.id}\n` : '';
  const words = error ? context.paint('red', displayLine(error.message)) : outcome;
  return `${context.paint('bold', name)}  ${words}\n`;
}
