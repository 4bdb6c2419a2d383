import { counted, displayLine, type InputOf, type OutputOf } from '../../protocol/index.js';
import { parseAge, parseWhole } from '../input/parse-values.js';
import { bytesInWords } from '../printing/counts.js';
import { localTime } from '../printing/local-time.js';
import { type CommandSpec, flag, text } from '../program/command.js';

export const prune: CommandSpec = {
  name: 'prune',
  group: 'Daemon',
  summary:
    'Remove old data: ended sessions with their journals, closed items, runs, events. Open items and living ' +
    'sessions stay.',
  options: [
    ['--older-than <duration>', 'such as 30d or 12h (default: retention.days of the configuration)'],
    [
      '--max-bytes <n>',
      'then the sessions that ended first, until all journals have no more (default: retention.max_bytes)',
    ],
    ['--trust-clock', 'the clock is right, although it has jumped: remove by it, now and later'],
    ['-n, --dry-run', 'only print what would be removed'],
  ],
  examples: ['orchd prune --dry-run', 'orchd prune --older-than 30d', 'orchd prune --max-bytes 1000000000'],
  async run(context, _args, options) {
    const age = text(options, 'olderThan');
    const bytes = text(options, 'maxBytes');
    const input: InputOf<'daemon.prune'> = {
      dry_run: flag(options, 'dryRun'),
      ...(flag(options, 'trustClock') && { trust_clock: true }),
      ...(age !== undefined && { older_than_ms: parseAge('--older-than', age) }),
      ...(bytes !== undefined && { max_bytes: parseWhole('--max-bytes', bytes) }),
    };
    const outcome = await context.client().call('daemon.prune', input);
    await context.print(outcome, () => (context.isQuiet ? ids(outcome) : words(outcome)));
    return undefined;
  },
};

const ids = ({ sessions }: OutputOf<'daemon.prune'>): string => sessions.map(({ id }) => `${id}\n`).join('');

function words({ sessions, items, runs, tasks, workflows, events, bytes, dry_run }: OutputOf<'daemon.prune'>): string {
  if (sessions.length + items + runs + tasks + workflows + events === 0) return 'nothing is old enough to be removed\n';
  const lines = sessions.map(
    ({ id, name, ended_at, bytes: own }) =>
      `${id}  ${displayLine(name)}  ended ${localTime(ended_at ?? '')}  ${bytesInWords(own)}\n`,
  );
  const what = [
    `${counted(sessions.length, 'session')} (${bytesInWords(bytes)})`,
    counted(items, 'closed item'),
    ...(runs === 0 ? [] : [counted(runs, 'run')]),
    ...(tasks === 0 ? [] : [counted(tasks, 'task')]),
    ...(workflows === 0 ? [] : [counted(workflows, 'workflow run')]),
    counted(events, 'event'),
  ].join(', ');
  return `${lines.join('')}${dry_run ? 'would remove' : 'removed'} ${what}\n`;
}
