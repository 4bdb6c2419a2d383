/** What a program gets from whoever starts it: environment and umask, never the daemon's. */

/** @param changes  `NAME=value` sets a variable, `NAME` takes it out. */
export function callerEnvironment(env: NodeJS.ProcessEnv, changes: readonly string[] = []): Record<string, string> {
  const result = new Map(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
  for (const change of changes) {
    const at = change.indexOf('=');
    if (at < 0) result.delete(change);
    else result.set(change.slice(0, at), change.slice(at + 1));
  }
  return Object.fromEntries(result);
}

/** Node tells it only to who sets one. */
export function callerUmask(): number {
  const umask = process.umask(0o022);
  process.umask(umask);
  return umask;
}
