/**
 * Finds the processes of a session.
 *
 * On Linux it uses /proc: processes whose session id (sid) is the program's, and processes whose environment holds
 * `ORCHD_SESSION_ID=<id>`. So a grandchild that made a session of its own (setsid, a daemon) is found too. If
 * sessions have cgroups, the processes in the session's cgroup are found as well (session-scopes.ts). A process is
 * identified by pid and start time, because the pid may belong to another process by the time of a signal.
 *
 * program-age.ts checks if a program of an earlier host still exists. Without /proc (macOS) there is only the program's
 * process group (kill.ts), and a grandchild that left it is not found.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessInfo } from '../contract.js';
import type { SessionScopes } from './session-scopes.js';

export interface FoundProcess extends ProcessInfo {
  readonly parent: number;
  readonly sid: number;
  /** Start time, in clock ticks since the machine booted. */
  readonly started: string;
}

/** Identifies the session whose processes are searched. */
export interface ProcessOwner {
  readonly sessionId: string;
  /** Process id and session id (sid) of the program. Null once it has ended, because both may be reused. */
  readonly leader: number | null;
}

export const hasProc = process.platform === 'linux';

/** @returns Null for a process that is gone, or that is a zombie. */
function readProcess(pid: number): FoundProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in parentheses and may contain parentheses and spaces, so the last `)` ends it.
    const close = stat.lastIndexOf(')');
    const fields = stat.slice(close + 2).split(' ');
    const [state, parent, , sid] = fields;
    if (state === undefined || state === 'Z' || state === 'X') return null;
    const command = stat.slice(stat.indexOf('(') + 1, close);
    return { pid, command, parent: Number(parent), sid: Number(sid), started: fields[19] ?? '' };
  } catch {
    return null;
  }
}

const VARIABLE = Buffer.from('ORCHD_SESSION_ID=');

/** @returns The session in which a process was started, read from its environment. Null if unknown. */
function readSessionId(pid: number): string | null {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`);
    let at = environment.indexOf(VARIABLE);
    while (at > 0 && environment[at - 1] !== 0) at = environment.indexOf(VARIABLE, at + 1);
    if (at < 0) return null;
    const end = environment.indexOf(0, at);
    return environment.toString('utf8', at + VARIABLE.length, end < 0 ? undefined : end);
  } catch {
    return null; // another user's, or gone
  }
}

/** A process, and the session in which it was started. The session is null if unknown. */
type Row = readonly [FoundProcess, string | null];

let nextLook: Promise<readonly Row[]> | null = null;

/**
 * Reads the process table. All calls in one turn of the event loop share the result, because many sessions may be
 * killed at once.
 */
function look(): Promise<readonly Row[]> {
  nextLook ??= new Promise((resolve) =>
    setImmediate(() => {
      nextLook = null;
      resolve(readTable());
    }),
  );
  return nextLook;
}

function readTable(): readonly Row[] {
  return readdirSync('/proc').flatMap((name): Row[] => {
    const pid = Number(name);
    const found = Number.isInteger(pid) ? readProcess(pid) : null;
    return found ? [[found, readSessionId(pid)]] : [];
  });
}

/** Returns all processes of the given sessions, by session id, except those in `spared`. */
export async function findProcesses(
  owners: readonly ProcessOwner[],
  spared: ReadonlySet<number>,
  scopes: SessionScopes | null,
): Promise<Map<string, FoundProcess[]>> {
  const found = new Map<string, FoundProcess[]>(owners.map(({ sessionId }) => [sessionId, []]));
  const byLeader = new Map(owners.map(({ leader, sessionId }) => [leader ?? -1, sessionId]));
  const rows = await look();
  const inScope = scopes?.owners(new Set(found.keys()));
  for (const [candidate, startedIn] of rows) {
    const { pid, sid } = candidate;
    const owner = spared.has(pid) ? null : (byLeader.get(sid) ?? inScope?.get(pid) ?? startedIn);
    if (owner) found.get(owner)?.push(candidate);
  }
  return found;
}

/** True if the same process still exists, and not another one with the same pid. */
export function isAlive(known: FoundProcess): boolean {
  return readProcess(known.pid)?.started === known.started;
}

/** Returns these processes and all their ancestors: they must not be killed with a session. */
export function withAncestors(pids: readonly number[]): Set<number> {
  const spared = new Set<number>([1]);
  for (let pid of pids) {
    while (pid > 1 && !spared.has(pid)) {
      spared.add(pid);
      pid = readProcess(pid)?.parent ?? 0;
    }
  }
  return spared;
}
