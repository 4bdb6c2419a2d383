/**
 * Running hosts: the hosts of this user, found by their command lines, also if their sockets were removed. A host that
 * is told to (SIGUSR1) makes its socket again, or ends if its journals were removed.
 *
 * Only on Linux. Elsewhere no host is found.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isThere } from '../files/index.js';
import { hasProc } from './processes.js';

export interface RunningHost {
  readonly pid: number;
  readonly socket: string;
  readonly journals: string;
}

/** Maximum time for a host to make its socket, or to end its sessions. */
const PATIENCE_MS = 6_000;
const POLL_MS = 20;

export function runningHosts(): readonly RunningHost[] {
  if (!hasProc) return [];
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? hostOf(Number(name)) : []));
}

function hostOf(pid: number): RunningHost[] {
  try {
    if (statSync(`/proc/${pid}`).uid !== process.getuid?.()) return [];
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const at = words.findIndex((word) => word.endsWith('/host.js'));
    const [socket, journals] = ['--socket', '--journals'].map((option) => words[words.indexOf(option, at) + 1]);
    const isHost = at >= 0 && words.includes('--socket', at) && words.includes('--journals', at);
    return isHost && socket && journals ? [{ pid, socket, journals }] : [];
  } catch {
    return []; // gone
  }
}

/** Makes a host whose socket was removed reachable again, if there is one. */
export async function reviveHost(socket: string): Promise<void> {
  const isLost = (): boolean => !isThere(socket) && runningHosts().some((host) => host.socket === socket);
  if (!isLost()) return;
  for (const host of runningHosts()) if (host.socket === socket) signal(host.pid);
  for (let waited = 0; waited < PATIENCE_MS && isLost(); waited += POLL_MS)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGUSR1');
  } catch {
    // ESRCH: the host has ended.
  }
}
