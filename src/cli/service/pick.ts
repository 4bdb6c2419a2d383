/** Selects this machine's service manager, and checks if it runs the daemon. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createLaunchd } from './launchd.js';
import { createRunTool, type ServiceManager } from './manager.js';
import { createSystemd } from './systemd.js';

export function managerOf(env: NodeJS.ProcessEnv): ServiceManager {
  const home = env['HOME'] || homedir();
  if (process.platform === 'darwin') return createLaunchd(createRunTool(env), home, process.getuid?.() ?? 0);
  return createSystemd(createRunTool(env), env['XDG_CONFIG_HOME'] || join(home, '.config'));
}

/** @returns The manager that runs this process; null for a daemon that was started by hand, or from another home. */
export async function managerRunning(env: NodeJS.ProcessEnv, pid: number): Promise<ServiceManager | null> {
  const manager = managerOf(env);
  if (!existsSync(manager.file)) return null;
  const state = await manager.state().catch(() => null); // a manager that does not answer runs nothing
  return state?.pid === pid ? manager : null;
}
