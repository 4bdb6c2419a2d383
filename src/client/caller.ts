/** The environment and the umask that a program gets: those of its caller, never the daemon's. */
import { withValues } from '../protocol/index.js';

/** @param changes  `NAME=value` sets a variable, `NAME` removes it. */
export function callerEnvironment(env: NodeJS.ProcessEnv, changes: readonly string[] = []): Record<string, string> {
  const result = new Map(Object.entries(withValues(env)));
  for (const change of changes) {
    const at = change.indexOf('=');
    if (at < 0) result.delete(change);
    else result.set(change.slice(0, at), change.slice(at + 1));
  }
  return Object.fromEntries(result);
}

/** Returns the part of a request that starts a program: the environment and the umask of this process. */
export const callerOf = (env: NodeJS.ProcessEnv, changes: readonly string[] = []) => ({
  env: callerEnvironment(env, changes),
  umask: callerUmask(),
});

/** Node returns the umask only when setting it. */
function callerUmask(): number {
  const umask = process.umask(0o022);
  process.umask(umask);
  return umask;
}
