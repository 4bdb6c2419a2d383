/**
 * The environment of a login on this machine, for programs that another machine starts here: no environment travels.
 *
 * The login shell of the user is asked for it (`$SHELL -l -c …`), so that PATH has what a profile adds, for example
 * ~/.local/bin. The result is kept for KEPT_MS. If the shell fails or takes too long, programs get the minimum of a
 * login.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Caller } from '../access/index.js';
import { loginEnvironment } from './program.js';

const run = promisify(execFile);

const SHELL_MS = 5_000;
const KEPT_MS = 60_000;
const MAX_BYTES = 1024 * 1024;
/** Separates the variables from what a profile prints. */
const MARK = '--orchd-environment--';
const SCRIPT = `printf %s '${MARK}'; exec env -0`;

let kept: { readonly until: number; readonly env: Promise<Record<string, string>> } | undefined;

/**
 * Returns a login's environment for programs that another machine starts. Returns {} for other callers, which send one.
 */
export async function environmentFor(
  { isRemote }: Caller,
  now = () => performance.now(),
): Promise<{ readonly env?: Record<string, string> }> {
  if (!isRemote) return {};
  if (!kept || kept.until < now()) {
    kept = { until: now() + KEPT_MS, env: shellEnvironment(loginEnvironment()) };
  }
  return { env: await kept.env };
}

/** Returns the environment in which a login shell runs commands; `login` if that cannot be found out. */
export async function shellEnvironment(login: ReturnType<typeof loginEnvironment>): Promise<Record<string, string>> {
  try {
    const { stdout } = await run(login['SHELL'] ?? '/bin/sh', ['-l', '-c', SCRIPT], {
      env: login,
      cwd: login.HOME,
      timeout: SHELL_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_BYTES,
    });
    const [, listed] = stdout.split(MARK);
    const pairs = (listed ?? '').split('\0').filter((pair) => pair.indexOf('=') > 0);
    const env = Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), afterName(pair)]));
    return { ...login, ...env };
  } catch {
    return login; // the shell knows no -l, or its profile hangs
  }
}

const afterName = (pair: string): string => pair.slice(pair.indexOf('=') + 1);
