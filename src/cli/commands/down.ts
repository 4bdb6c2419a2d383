import { displayLine, OrchdError, type Session } from '../../protocol/index.js';
import { parseDuration } from '../input/parse-values.js';
import { type CommandSpec, flag, text } from '../program/command.js';

export const down: CommandSpec = {
  name: 'down',
  group: 'Sessions',
  summary: 'End the sessions of the project’s layout (.orchd/layout.toml) that run; `orchd up` lets them go on.',
  args: '[names...]',
  options: [
    ['-n, --dry-run', 'only print what would be ended'],
    ['--grace <duration>', 'time between TERM and KILL (default: 3s)'],
  ],
  quiet: 'print ids only',
  examples: ['orchd down', 'orchd down web', 'orchd down --dry-run'],
  async run(context, names, options) {
    const { layoutHere, chosenEntries, runningOf } = await import('../layout/layout-plan.js');
    const grace = text(options, 'grace');
    const grace_ms = grace === undefined ? undefined : parseDuration('--grace', grace);
    const isDry = flag(options, 'dryRun');
    const layout = layoutHere(context.cwd);
    const entries = chosenEntries(layout, names);
    const client = context.client();
    const running = new Map<string, Session>();
    try {
      for (const session of await runningOf(client, entries)) running.set(session.name, session);
    } catch (error) {
      // Without a daemon, nothing runs.
      if (!(error instanceof OrchdError) || error.code !== 'ORCHD_DAEMON_UNREACHABLE') throw error;
    }
    if (!isDry) {
      const ended = [...running.values()].map(({ id }) =>
        client.call('session.kill', { session: id, ...(grace_ms !== undefined && { grace_ms }) }),
      );
      for (const session of await Promise.all(ended)) running.set(session.name, session);
    }
    const outcomes = entries.map(({ name }) => {
      const session = running.get(name) ?? null;
      return { name, outcome: session === null ? 'not running' : isDry ? 'would be ended' : 'ended', session };
    });
    await context.print({ layout: layout.file, sessions: outcomes }, () =>
      outcomes
        .map(({ name, outcome, session }) =>
          context.isQuiet
            ? session === null
              ? ''
              : `${session.id}\n`
            : `${context.paint('bold', displayLine(name))}  ${outcome}\n`,
        )
        .join(''),
    );
    if (isDry) context.note('nothing was ended: this was a dry run');
    return undefined;
  },
};
