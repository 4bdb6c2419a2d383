/**
 * Session scopes: each session's processes in a cgroup (v2) of their own, so that `kill` finds those that left the
 * session and emptied their environment.
 *
 *     <cgroup of the host>/orchd-<pid of the host>/<session id>
 *
 * The host must be allowed to write to its own cgroup. That is so for root, in some containers, in a unit of systemd
 * with `Delegate=yes` (orchd service install), and in a scope that the daemon requests from systemd's user manager
 * (src/daemon/startup/host-command.ts). Elsewhere there are no scopes, and processes are found by session and
 * environment alone (processes.ts). A scope is no sandbox: a program may move itself out of it.
 *
 * A program is born in its scope: the host enters the scope, forks, and leaves it, all in one turn of the event loop.
 * No controller is enabled, so a scope limits nothing. Several hosts may have scopes side by side; an empty scope is
 * removed.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const OURS = /^orchd-\d+$/;
/** Matches the part of a cgroup's path that names a session's scope. */
const SCOPE = /\/orchd-\d+\/ses_[^/]+/;
/** Written to `cgroup.procs`, 0 stands for the writing process. */
const SELF = '0';

export class SessionScopes {
  /** Path of the host's own cgroup. */
  readonly #home: string;
  readonly #base: string;
  #isUsable = true;

  private constructor(home: string) {
    this.#home = home;
    this.#base = join(home, `orchd-${process.pid}`);
  }

  /** @returns Null if sessions cannot have scopes on this system. */
  static open(home: string | null = ownCgroup()): SessionScopes | null {
    if (home === null) return null;
    const scopes = new SessionScopes(home);
    try {
      accessSync(join(home, 'cgroup.procs'), constants.W_OK);
      scopes.#sweep();
      mkdirSync(scopes.#base);
      scopes.inside('ses_trial', () => {});
      scopes.leave('ses_trial');
      return scopes.#isUsable ? scopes : null;
    } catch {
      scopes.close();
      return null;
    }
  }

  /** Calls `fork`, so that the process it starts is in the session's scope. Without scopes it only calls `fork`. */
  inside<T>(sessionId: string, fork: () => T): T {
    let isInside = false;
    if (this.#isUsable) {
      try {
        const scope = join(this.#base, sessionId);
        mkdirSync(scope, { recursive: true });
        writeFileSync(join(scope, 'cgroup.procs'), SELF);
        isInside = true;
      } catch {
        this.#isUsable = false; // the place was taken away
      }
    }
    try {
      return fork();
    } finally {
      if (isInside) this.#goHome();
    }
  }

  /** Returns for each process the session in whose scope it is. Scopes of hosts that have ended also count. */
  owners(sessionIds: ReadonlySet<string>): Map<number, string> {
    const owners = new Map<number, string>();
    for (const host of this.#hosts()) {
      for (const sessionId of foldersIn(host)) {
        if (!sessionIds.has(sessionId)) continue;
        for (const pid of pidsIn(join(host, sessionId))) owners.set(pid, sessionId);
      }
    }
    return owners;
  }

  /** Removes the scope of an ended session, unless processes remain in it. */
  leave(sessionId: string): void {
    removeEmpty(join(this.#base, sessionId));
  }

  close(): void {
    removeEmpty(this.#base);
  }

  #goHome(): void {
    try {
      writeFileSync(join(this.#home, 'cgroup.procs'), SELF);
    } catch {
      this.#isUsable = false; // other programs must not be born here
    }
  }

  #hosts(): string[] {
    return foldersIn(this.#home)
      .filter((name) => OURS.test(name))
      .map((name) => join(this.#home, name));
  }

  /** Removes the empty scopes of hosts that were killed. */
  #sweep(): void {
    for (const host of this.#hosts()) {
      const pid = Number(host.slice(host.lastIndexOf('-') + 1));
      if (!existsSync(`/proc/${pid}`)) removeEmpty(host);
    }
  }
}

/**
 * Moves this daemon or host out of a session's scope if it was started there. Otherwise it would be killed with the
 * session.
 */
export function leaveScope(): void {
  const own = ownCgroup();
  const at = own === null ? -1 : own.search(SCOPE);
  if (own === null || at < 0) return;
  try {
    writeFileSync(join(own.slice(0, at), 'cgroup.procs'), SELF);
  } catch {
    // Moving failed, so this process stays in the scope like any other program that the session starts.
  }
}

export type CgroupAccess = 'writable' | 'denied' | 'none';

/** Returns what this process may do in its own cgroup; `none` without cgroup v2. */
export function cgroupAccess(own: string | null = ownCgroup()): CgroupAccess {
  if (own === null) return 'none';
  try {
    for (const path of [own, join(own, 'cgroup.procs')]) accessSync(path, constants.W_OK);
    return 'writable';
  } catch {
    return 'denied';
  }
}

/** Returns the folder of this process's cgroup; null without cgroup v2. */
function ownCgroup(): string | null {
  try {
    const path = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    // ID PARENT MAJOR:MINOR ROOT MOUNT-POINT OPTIONS … - TYPE SOURCE OPTIONS
    const mount = mounts.map((line) => line.split(' ')).find((fields) => fields[fields.indexOf('-') + 1] === 'cgroup2');
    const [root, point] = [mount?.[3], mount?.[4]];
    if (path === undefined || root === undefined || point === undefined) return null;
    const below = root === '/' ? path : path.startsWith(root) ? path.slice(root.length) : null;
    return below === null ? null : join(point, below);
  } catch {
    return null;
  }
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Returns the ids of all processes in a cgroup and in the cgroups below it. */
function pidsIn(folder: string): number[] {
  const own = (): number[] => {
    try {
      return readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
    } catch {
      return []; // it was removed
    }
  };
  return [...own(), ...foldersIn(folder).flatMap((name) => pidsIn(join(folder, name)))];
}

/** Removes a cgroup and the cgroups below it, unless processes are in them. */
function removeEmpty(folder: string): void {
  for (const name of foldersIn(folder)) removeEmpty(join(folder, name));
  try {
    rmdirSync(folder);
  } catch {
    // EBUSY: a process is in it. ENOENT: it is already removed.
  }
}
