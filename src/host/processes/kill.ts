/**
 * Ends the processes of sessions: HUP, CONT, TERM to each, a grace period, then KILL until none is left.
 *
 * Sessions that are killed together share one look at the process table. So do sessions that are killed one by one at
 * the same time (processes.ts). Returns the survivors by session: processes of another user, or stuck in the kernel.
 */
import type { ProcessInfo } from '../contract.js';
import { type FoundProcess, findProcesses, hasProc, isAlive, type ProcessOwner } from './processes.js';
import type { SessionScopes } from './session-scopes.js';

/** First pause between two checks for a dying process. The pauses grow, because most processes are gone at once. */
const FIRST_LOOK_MS = 5;
const LONGEST_LOOK_MS = 100;
/** Maximum number of rounds. Each round kills the processes that were forked during the round before. */
const KILL_ROUNDS = 8;
/** Maximum time until a killed process is gone. */
const KILLED_MS = 1000;

/**
 * @param spared Processes that are never signalled, even if they were started inside a session: the host, the daemon,
 * their ancestors.
 */
export async function endProcesses(
  owners: readonly ProcessOwner[],
  graceMs: number,
  spared: ReadonlySet<number>,
  scopes: SessionScopes | null,
  now = () => performance.now(),
): Promise<Map<string, readonly ProcessInfo[]>> {
  if (!hasProc) return endGroups(owners, graceMs, now);
  let found = await findProcesses(owners, spared, scopes);
  const left = () => [...found.values()].flat();
  for (const one of left()) {
    for (const name of ['SIGHUP', 'SIGCONT', 'SIGTERM'] as const) signal(one.pid, name);
  }
  for (const until = now() + graceMs; left().length > 0 && now() < until; ) {
    await untilGone(left(), until - now(), now);
    found = await findProcesses(owners, spared, scopes);
  }
  for (let round = 0; left().length > 0 && round < KILL_ROUNDS; round++) {
    for (const one of left()) signal(one.pid, 'SIGKILL');
    await untilGone(left(), KILLED_MS, now);
    found = await findProcesses(owners, spared, scopes);
  }
  return new Map([...found].map(([sessionId, all]) => [sessionId, all.map(({ pid, command }) => ({ pid, command }))]));
}

/**
 * Waits until known processes have ended, for `ms` at most. To check them is cheap. To search for their descendants is
 * not, so the caller does that afterwards.
 */
async function untilGone(known: readonly FoundProcess[], ms: number, now: () => number): Promise<void> {
  const until = now() + ms;
  let left = known.filter(isAlive);
  for (let pause = FIRST_LOOK_MS; left.length > 0; pause = Math.min(pause * 2, LONGEST_LOOK_MS)) {
    const rest = until - now();
    if (rest <= 0) return;
    await new Promise((done) => setTimeout(done, Math.min(pause, rest)));
    left = left.filter(isAlive);
  }
}

/**
 * Used where /proc is missing: kills the process group of each program. Processes that left the group are not found.
 */
async function endGroups(
  owners: readonly ProcessOwner[],
  graceMs: number,
  now: () => number,
): Promise<Map<string, readonly ProcessInfo[]>> {
  const groups = owners.map(({ leader }) => leader).filter((leader) => leader !== null);
  const live = () => groups.filter((leader) => signal(-leader, 0));
  for (const leader of live()) {
    for (const name of ['SIGHUP', 'SIGCONT', 'SIGTERM'] as const) signal(-leader, name);
  }
  const until = now() + graceMs;
  while (live().length > 0 && now() < until) {
    await new Promise((done) => setTimeout(done, LONGEST_LOOK_MS / 2));
  }
  for (const leader of live()) signal(-leader, 'SIGKILL');
  return new Map(owners.map(({ sessionId }) => [sessionId, []]));
}

/**
 * Sends a signal.
 * @returns True if the process or group existed.
 */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false; // gone meanwhile, or another user's
  }
}
