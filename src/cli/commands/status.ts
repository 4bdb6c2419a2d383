import { bytesText, healthOf, OrchdError } from '../../protocol/index.js';
import { daemonStatus, type Status } from '../daemon/daemon-process.js';
import { localTime } from '../printing/local-time.js';
import type { CommandSpec } from '../program/command.js';

export const status: CommandSpec = {
  name: 'status',
  group: 'Daemon',
  summary: 'Show the state of the daemon and its host.',
  quiet: 'print only the path of the socket',
  examples: ['orchd status', 'orchd status --json', 'orchd status --quiet'],
  async run(context) {
    const found = await daemonStatus(context);
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
