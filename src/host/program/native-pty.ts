/**
 * The native half of node-pty 1.1.0: fork and resize, without its JavaScript.
 *
 * Its own `spawn` loses the end of a program's output for two reasons (libuv #4992, node-pty #72, #85). On Node 20,
 * libuv treats a short read at hang-up as the end. And node-pty closes the terminal 200 ms after the exit, also if
 * output is still unread. pty.ts reads in another way.
 *
 * Known limit on Linux: a program inherits the masters of the sessions that were alive at its start (1.1.0 sets no
 * FD_CLOEXEC and closes nothing; node-pty #657, fixed in 1.2). If the host is killed by force, a session hangs up only
 * when all later sessions have ended.
 *
 * These functions are private to the package. So its version is exact, and the host runs `checkNative` before it
 * serves.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { errorMessage, OrchdError } from '../../protocol/errors.js';
import { missingTools } from './compiling.js';

const NODE_PTY_VERSION = '1.1.0';

interface NativePty {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    isUtf8: boolean,
    helperPath: string,
    onExit: (exitCode: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string };
  open(cols: number, rows: number): { master: number; slave: number; pty: string };
  resize(fd: number, cols: number, rows: number): void;
}

interface Loaded {
  readonly native: NativePty;
  /** Path of the helper with which node-pty starts programs on macOS. Unused elsewhere. */
  readonly helperPath: string;
}
let loaded: Loaded | null = null;

/** @throws {OrchdError} ORCHD_NOT_COMPILED if node-pty is missing, not compiled or another version. */
export function loadNative(): Loaded {
  if (loaded) return loaded;
  const load = createRequire(import.meta.url);
  let root: string | null = null;
  try {
    // The package has no types for these values. They are checked below before use.
    const { version } = load('node-pty/package.json') as { version: string };
    if (version !== NODE_PTY_VERSION) throw new Error(`it is version ${version}`);
    root = resolve(dirname(load.resolve('node-pty/package.json')), '../..');
    const utils = load('node-pty/lib/utils') as {
      loadNativeModule(name: string): { dir: string; module: NativePty };
    };
    const { dir, module: native } = utils.loadNativeModule('pty');
    for (const name of ['fork', 'open', 'resize'] as const) {
      if (typeof native[name] !== 'function') throw new Error(`it has no ${name}`);
    }
    const helperPath = resolve(dirname(load.resolve('node-pty/lib/utils')), dir, 'spawn-helper');
    loaded = { native, helperPath };
    return loaded;
  } catch (cause) {
    const why = missingTools() || uncompiledWords(root, errorMessage(cause));
    const message = `node-pty ${NODE_PTY_VERSION}, which opens terminals, is not compiled: ${why}`;
    throw new OrchdError('ORCHD_NOT_COMPILED', message, undefined, cause);
  }
}

/**
 * Says why node-pty cannot be loaded although this machine could compile it.
 *
 * @param root  The directory whose `node_modules` contains node-pty; null if it has no package of the right version.
 */
function uncompiledWords(root: string | null, problem: string): string {
  if (root === null || !problem.includes('Cannot find module')) return problem.split('\n')[0] ?? '';
  return `npm was not allowed to run its install script. \`npm rebuild node-pty\` in ${root} compiles it`;
}

/**
 * Passes a few bytes through a terminal, so that a host whose terminals do not work does not start.
 *
 * @throws {OrchdError} ORCHD_INTERNAL; ORCHD_NOT_COMPILED as `loadNative`.
 */
export function checkNative(): void {
  const { native } = loadNative();
  const { master, slave, pty } = native.open(80, 24);
  try {
    native.resize(master, 100, 30);
    // pty.ts keeps a terminal open in the same way.
    const again = openSync(pty, 'r+');
    writeSync(again, 'orchd\n');
    const buffer = Buffer.alloc(16);
    const text = buffer.subarray(0, readSync(master, buffer)).toString();
    closeSync(again);
    if (text !== 'orchd\r\n') throw new OrchdError('ORCHD_INTERNAL', `a terminal gave ${JSON.stringify(text)}`);
  } finally {
    closeSync(slave);
    closeSync(master);
  }
}
