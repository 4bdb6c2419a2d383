/**
 * One program in one pty: starts it, reads it without loss, writes to it, and says how it ended.
 *
 * The host itself holds the slave side open, so no reader ever sees a hang-up (output-end.ts).
 */
import { closeSync, constants as fsConstants, openSync, writeSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { OrchdError } from '../../protocol/errors.js';
import type { SpawnRequest } from '../contract.js';
import { addStartingProcess } from '../processes/index.js';
import { withFewStrings } from './many-strings.js';
import { loadNative } from './native-pty.js';
import { OutputEnd } from './output-end.js';
import { checkSpawnable, isAgain, type Program, type ProgramHandlers } from './program.js';

const SIGNAL_NAMES = new Map(Object.entries(osConstants.signals).map(([name, number]) => [number, name]));

export class Pty implements Program {
  readonly pid: number;
  /** Path of the slave side, e.g. /dev/pts/3. */
  readonly path: string;
  readonly #fd: number;
  readonly #output: OutputEnd;

  /**
   * Starts the program. `argv[0]` is always the file, because node-pty cannot set another name.
   *
   * @throws {OrchdError} ORCHD_SPAWN_FAILED
   */
  constructor(request: SpawnRequest, handlers: ProgramHandlers) {
    checkSpawnable(request.file, request.cwd);
    const { native, helperPath } = loadNative();
    const env = Object.entries(request.env).map(([name, value]) => `${name}=${value}`);
    let isOrphan = false;
    const onExit = (exitCode: number, signal: number) => {
      if (isOrphan) return;
      const name = signal ? (SIGNAL_NAMES.get(signal) ?? `SIG${signal}`) : null;
      handlers.onExit({ exitCode: signal ? null : exitCode, signal: name });
    };
    const { file, argv, cwd, cols, rows } = request;
    const start = withFewStrings({ file, args: argv.slice(1), env });
    const umask = process.umask(request.umask);
    try {
      const { file, args, env } = start;
      const forked = native.fork(file, args, env, cwd, cols, rows, -1, -1, true, helperPath, onExit);
      this.pid = forked.pid;
      this.path = forked.pty;
      this.#fd = forked.fd;
      addStartingProcess(forked.pid);
    } catch (cause) {
      throw new OrchdError(
        'ORCHD_SPAWN_FAILED',
        `${file} could not be started: ${String(cause)}`,
        { file, cwd },
        cause,
      );
    } finally {
      process.umask(umask);
    }
    let holder: number;
    try {
      // Opening works even if the program has ended by now: it undoes the hang-up, and the output is still there.
      holder = openSync(this.path, fsConstants.O_RDWR | fsConstants.O_NOCTTY | fsConstants.O_NONBLOCK);
    } catch (cause) {
      // Opening failed, for example for lack of descriptors. The program is killed, because its output cannot be read.
      isOrphan = true;
      process.kill(this.pid, 'SIGKILL');
      closeSync(this.#fd);
      throw new OrchdError('ORCHD_SPAWN_FAILED', `the terminal of ${file} cannot be opened`, { file, cwd }, cause);
    }
    const onBytes = (bytes: Buffer) => handlers.onBytes(bytes);
    this.#output = new OutputEnd({ fd: this.#fd, holder, kind: 'terminal', onBytes });
  }

  resume(): void {
    this.#output.resume();
  }

  pause(): void {
    this.#output.pause();
  }

  poll(): number {
    return this.#output.poll();
  }

  write(bytes: Uint8Array): number {
    try {
      return writeSync(this.#fd, bytes);
    } catch (cause) {
      if (isAgain(cause)) return 0;
      throw cause;
    }
  }

  endInput(): void {
    // A terminal has no end of input: it accepts keys until the program ends.
  }

  resize(cols: number, rows: number): void {
    loadNative().native.resize(this.#fd, cols, rows);
  }

  drain(): Promise<void> {
    return this.#output.drain();
  }

  close(): Promise<boolean> {
    return this.#output.close();
  }
}
