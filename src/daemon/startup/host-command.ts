/**
 * The commands that start the host, in the order in which they are tried.
 *
 * In most logins the daemon may not write to its own cgroup. systemd's user manager can then start the host in a scope
 * of its own (`systemd-run --user --scope`), so that sessions have cgroups (src/host/processes/session-scopes.ts). The
 * manager ends with the user's last login, and with it its scopes, unless the user lingers. So this is done for users
 * who linger, and only for them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CgroupAccess } from '../../host/index.js';

export interface HostCommand {
  readonly file: string;
  readonly args: readonly string[];
}

interface HostEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly username: string;
  readonly cgroup: CgroupAccess;
  /** The directory in which systemd keeps one file for each user who lingers. */
  readonly lingerDir?: string;
}

const LINGER_DIR = '/var/lib/systemd/linger';

export function hostCommands(plain: HostCommand, environment: HostEnvironment): readonly HostCommand[] {
  const { env, username, cgroup, lingerDir = LINGER_DIR } = environment;
  const runtimeDir = env['XDG_RUNTIME_DIR'];
  if (cgroup !== 'denied' || !runtimeDir || !existsSync(join(runtimeDir, 'systemd/private'))) return [plain];
  if (!existsSync(join(lingerDir, username))) return [plain];
  const options = ['--user', '--scope', '--quiet', '--collect', '--property=Delegate=yes', '--description=orchd host'];
  return [{ file: 'systemd-run', args: [...options, '--', plain.file, ...plain.args] }, plain];
}
