/**
 * orchd as a unit of systemd's user manager: ~/.config/systemd/user/orchd.service.
 *
 * systemd ends only the daemon (`KillMode=process`). The host and its programs stay in the unit's control group and
 * keep running when the daemon is stopped, restarted or crashes. If one program is killed for lack of memory, the
 * others go on (`OOMPolicy`). The host may make cgroups in the unit (`Delegate`,
 * src/host/processes/session-scopes.ts). A daemon that finds another one running (exit code 4) is not restarted.
 */
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { mustRun, oneLine, type RunTool, type ServiceManager, type ServiceSpec } from './manager.js';

const UNIT = 'orchd.service';
const LOCKED = 4;

/** @param configHome  `$XDG_CONFIG_HOME`, or ~/.config. */
export function createSystemd(run: RunTool, configHome: string): ServiceManager {
  const systemctl = (...args: string[]) => mustRun(run, 'systemctl', ['--user', ...args]);
  return {
    name: 'systemd',
    file: join(configHome, 'systemd/user', UNIT),
    text: unitText,
    async enable() {
      await systemctl('daemon-reload');
      await systemctl('enable', UNIT);
      await systemctl('restart', UNIT);
    },
    async restart() {
      await systemctl('restart', UNIT);
    },
    async disable() {
      await systemctl('disable', '--now', UNIT);
    },
    async state() {
      const { stdout } = await systemctl('show', UNIT, '--property=UnitFileState,ActiveState,MainPID');
      const values = Object.fromEntries(stdout.split('\n').map((line) => line.split('=', 2)));
      const pid = Number(values['MainPID'] ?? 0);
      const isRunning = values['ActiveState'] === 'active';
      return { isEnabled: values['UnitFileState'] === 'enabled', isRunning, pid: isRunning && pid > 0 ? pid : null };
    },
    async advice() {
      const { username } = userInfo();
      const linger = await run('loginctl', ['show-user', username, '--property=Linger']).catch(() => null);
      if (linger?.stdout.trim() === 'Linger=yes') return [];
      return [
        `It ends with your last login, every session too; \`loginctl enable-linger ${username}\` lets it outlive that.`,
      ];
    },
  };
}

function unitText({ node, args, env }: ServiceSpec): string {
  const environment = Object.entries(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`);
  return [
    '[Unit]',
    'Description=orchd, a terminal multiplexer daemon for AI agents',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${[node, ...args].map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ')}`,
    ...environment,
    '# The daemon alone is ended: its host and the programs in it go on.',
    'KillMode=process',
    '# The host makes a cgroup for each session, to find all of its processes.',
    'Delegate=yes',
    'OOMPolicy=continue',
    'Restart=on-failure',
    'RestartSec=1',
    '# Another daemon has this home.',
    `RestartPreventExitStatus=${LOCKED}`,
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

/** Quotes one word of a unit file: `%` would start a specifier and a backslash an escape. */
const quoted = (text: string): string =>
  `"${oneLine(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;
