import {
  bytesText,
  displayLine,
  healthOf,
  LINE_SEGMENTS,
  type LineSegment,
  OrchdError,
  segmentsOf,
} from '../../protocol/index.js';
import { daemonStatus, type Status } from '../daemon/daemon-process.js';
import { localTime } from '../printing/local-time.js';
import { type CommandSpec, flag } from '../program/command.js';
import { type Context, readConfig } from '../program/context.js';

export const status: CommandSpec = {
  name: 'status',
  group: 'Daemon',
  summary: 'Show the state of the daemon and its host.',
  options: [['--line', 'one line for the status line of tmux: the segments of status.line']],
  quiet: 'print only the path of the socket',
  examples: ['orchd status', 'orchd status --line', 'orchd status --json', 'orchd status --quiet'],
  async run(context, _args, options) {
    const found = await daemonStatus(context);
    if (flag(options, 'line')) return void (await context.write(`${await statusLine(context, found ?? null)}\n`));
    if (!found) throw new OrchdError('ORCHD_DAEMON_UNREACHABLE', 'no daemon is running');
    await context.print(found, () => {
      if (context.isQuiet) return `${found.socket}\n`;
      const { daemon, host } = found;
      const outdated = host.outdated ? ' (older than the daemon; `orchd stop` and `orchd start` renew it)' : '';
      return [
        `daemon    running, pid ${daemon.pid}, version ${build(daemon)}, since ${localTime(daemon.started_at)}`,
        `host      running, pid ${host.pid}, version ${build(host)}, since ${localTime(host.started_at)}${outdated}`,
        `socket    ${found.socket}`,
        `tcp       ${found.url ?? (found.tcp?.problem ? `off (${found.tcp.problem})` : 'off')}`,
        ...webLine(found),
        `disk      ${found.disk ? `${bytesText(found.disk.free_bytes)} free` : 'not told by this daemon'}`,
        `sessions  ${found.sessions} living${catchingUp(found)}`,
        `inbox     ${found.open_items} open`,
        `events    ${found.last_seq}`,
        ...healthLines(found),
        '',
      ].join('\n');
    });
    return undefined;
  },
};

/** Other devices can reach the dashboard only if the configuration or `orchd web` opens it for them. */
const webLine = ({ web }: Status): string[] =>
  web ? [`web       ${web.url ?? 'off'}${web.problem ? ` (${web.problem})` : ''}`] : [];

/** A missing daemon is no error here, because tmux shows this output in its status line. */
async function statusLine(context: Context, found: Status | null): Promise<string> {
  if (found === null) return 'orchd: no daemon';
  const { left, right } = segmentsOf((await readConfig(context)).status.line, LINE_SEGMENTS);
  const segments = [...left, ...right];
  const items = segments.includes('waiting') ? await context.client().call('inbox.list', {}) : [];
  const waiting = [...new Set(items.map(({ session_name: name }) => name))];
  const more = waiting.length > MAX_NAMES ? ', …' : '';
  // Agents that may not be heard are not urgent: `orchd status` and the TUI name them.
  const { agent_gaps: _named, ...others } = found;
  const words: Readonly<Record<LineSegment, string>> = {
    sessions: `${found.sessions} session${found.sessions === 1 ? '' : 's'}`,
    open: found.open_items === 0 ? '' : `${found.open_items} open`,
    waiting: waiting.slice(0, MAX_NAMES).join(', ') + more,
    health: healthOf(others)[0]?.brief ?? '',
  };
  // tmux reads `#` as the beginning of a format.
  return segments
    .map((segment) => displayLine(words[segment]))
    .filter(Boolean)
    .join(' · ')
    .replaceAll('#', '##');
}

/** A status line has little room. */
const MAX_NAMES = 3;

/** Returns a version with its commit: `0.1.0 (1642d57e549a)`. Daemons and hosts of older versions report no commit. */
const build = ({ version, commit }: { version: string; commit?: string | null }): string =>
  commit ? `${version} (${commit})` : version;

/** Returns `health    ok`, or one line for each finding. */
function healthLines(status: Status): string[] {
  const findings = healthOf(status);
  if (findings.length === 0) return ['health    ok'];
  return findings.map(({ words }, i) => `${i === 0 ? 'health' : '      '}    ${words}`);
}

function catchingUp({ catching_up: behind }: Status): string {
  if (!behind) return '';
  return `, ${behind.sessions} catching up (${(behind.bytes / 1e6).toFixed(1)} MB to go)`;
}
