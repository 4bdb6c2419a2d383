/**
 * One program in one pty: starts it, reads it without loss, writes to it, and says how it ended.
 *
 * Out:  output in chunks, each a view into a slab shared by all ptys, valid during the call.
 * The host itself holds the slave side open, so no reader ever sees a hang-up, which Node 20 would take for the end and lose what is
 * unread. The end is the program's exit; then `drain` reads what is still there, and `close` gives the terminal up.
 * Knows nothing of journals and of flow control beyond `pause` and `resume`.
 */
import {
  accessSync,
  closeSync,
  constants as fsConstants,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import type { SocketConstructorOpts, TcpSocketConnectOpts } from 'node:net';
import { constants as osConstants } from 'node:os';
import { ReadStream } from 'node:tty';
import { OrchdError } from '../protocol/errors.js';
import type { SpawnRequest } from './contract.js';
import { loadNative } from './native-pty.js';

/** No chunk is longer. (Linux gives at most 4,095 bytes a read; asking again at once, without epoll, was measured to gain nothing.) */
export const MAX_CHUNK_BYTES = 8 * 1024;
const slab = Buffer.allocUnsafeSlow(MAX_CHUNK_BYTES);
/** A grandchild that prints without end must not keep a session from ending. */
const DRAIN_BYTES = 4 * 1024 * 1024;
const DRAIN_MS = 500;
/** After so much the event loop gets its turn. */
const DRAIN_SLICE_BYTES = 64 * 1024;
const LONGEST_PAUSE_MS = 20;
/** Programs that are started all the time must not keep a session from ending either. */
const DOUBT_MS = 2000;

/** Programs that may not have begun: until then they are copies of this process, and hold every slave that it holds. */
const unborn = new Set<number>();
/** After its first sign of life a program still has to let go of what it inherited; on a loaded machine that takes a while. */
const BIRTH_MS = 200;
let lastUnborn = Number.NEGATIVE_INFINITY;
/** @returns Whether such copies may hold a slave. */
function hasUnborn(): boolean {
  for (const pid of unborn) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`).equals(readFileSync('/proc/self/cmdline'))) unborn.delete(pid);
    } catch {
      unborn.delete(pid); // gone, or no /proc: macOS starts programs without copies
    }
  }
  if (unborn.size > 0) lastUnborn = performance.now();
  return performance.now() - lastUnborn < BIRTH_MS;
}

export interface PtyExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}
export interface PtyHandlers {
  /** Borrowed bytes. May call `pause`: then no more come. */
  onBytes(bytes: Buffer): void;
  /** The program has ended; its output may not have been read. */
  onExit(exit: PtyExit): void;
}

const SIGNAL_NAMES = new Map(Object.entries(osConstants.signals).map(([name, number]) => [number, name]));

/** @throws {OrchdError} ORCHD_SPAWN_FAILED: the directory or the program is not there, or may not be used. */
export function checkSpawnable(file: string, cwd: string): void {
  const fail = (what: string, cause?: unknown): never => {
    throw new OrchdError('ORCHD_SPAWN_FAILED', what, { file, cwd }, cause);
  };
  try {
    if (!statSync(cwd).isDirectory()) fail(`${cwd} is no directory`);
    accessSync(cwd, fsConstants.X_OK);
  } catch (cause) {
    if (cause instanceof OrchdError) throw cause;
    fail(`the directory ${cwd} cannot be entered: ${String(cause)}`, cause);
  }
  try {
    if (!statSync(file).isFile()) fail(`${file} is no program`);
    accessSync(file, fsConstants.X_OK);
  } catch (cause) {
    if (cause instanceof OrchdError) throw cause;
    fail(`the program ${file} cannot be started: ${String(cause)}`, cause);
  }
}

export class Pty {
  readonly pid: number;
  /** Path of the slave side, e.g. /dev/pts/3. */
  readonly path: string;
  readonly #fd: number;
  readonly #slave: number;
  readonly #handlers: PtyHandlers;
  readonly #stream: ReadStream;
  #isReading = false;
  #isClosed = false;

  /**
   * Starts the program. `argv[0]` is always the file: node-pty cannot give it another one.
   *
   * @throws {OrchdError} ORCHD_SPAWN_FAILED
   */
  constructor(request: SpawnRequest, handlers: PtyHandlers) {
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
    const umask = process.umask(request.umask);
    try {
      const forked = native.fork(file, argv.slice(1), env, cwd, cols, rows, -1, -1, true, helperPath, onExit);
      this.pid = forked.pid;
      this.path = forked.pty;
      this.#fd = forked.fd;
      unborn.add(forked.pid);
      hasUnborn(); // takes the time, and forgets those that have begun
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
    this.#handlers = handlers;
    try {
      // Even if the program is gone by now: opening takes the hang-up back, and what it printed is still there.
      this.#slave = openSync(this.path, fsConstants.O_RDWR | fsConstants.O_NOCTTY | fsConstants.O_NONBLOCK);
    } catch (cause) {
      // Out of descriptors. The program must not go on with nobody there.
      isOrphan = true;
      process.kill(this.pid, 'SIGKILL');
      closeSync(this.#fd);
      throw new OrchdError('ORCHD_SPAWN_FAILED', `the terminal of ${file} cannot be opened`, { file, cwd }, cause);
    }
    const callback = (count: number): boolean => {
      handlers.onBytes(slab.subarray(0, count));
      return this.#isReading;
    };
    // `onread` is documented for sockets; the types know it for `connect` only.
    const options: SocketConstructorOpts & Pick<TcpSocketConnectOpts, 'onread'> = {
      onread: { buffer: slab, callback },
    };
    this.#stream = new ReadStream(this.#fd, options);
    // A terminal that broke is read no further; the exit of the program ends the session.
    this.#stream.on('error', () => this.pause());
  }

  resume(): void {
    if (this.#isReading || this.#isClosed) return;
    this.#isReading = true;
    this.#stream.resume();
  }

  pause(): void {
    if (!this.#isReading) return;
    this.#isReading = false;
    this.#stream.pause();
  }

  /** Reads once what is there now. @returns How many bytes. */
  poll(): number {
    if (this.#isClosed) return 0;
    const count = this.#read();
    if (count > 0) this.#handlers.onBytes(slab.subarray(0, count));
    return Math.max(0, count);
  }

  /**
   * Writes without waiting.
   *
   * @returns How many bytes the terminal took; 0 when it is full.
   * @throws  When it is gone.
   */
  write(bytes: Uint8Array): number {
    try {
      return writeSync(this.#fd, bytes);
    } catch (cause) {
      if (isAgain(cause)) return 0;
      throw cause;
    }
  }

  resize(cols: number, rows: number): void {
    loadNative().native.resize(this.#fd, cols, rows);
  }

  /** After the exit: everything the program printed, up to DRAIN_BYTES or DRAIN_MS if another process goes on printing. */
  async drain(): Promise<void> {
    this.pause();
    const until = performance.now() + DRAIN_MS;
    for (let total = 0, slice = 0; total < DRAIN_BYTES; ) {
      const count = this.#read();
      if (count <= 0) return;
      this.#handlers.onBytes(slab.subarray(0, count));
      total += count;
      slice += count;
      if (slice < DRAIN_SLICE_BYTES) continue;
      slice = 0;
      if (performance.now() > until) return;
      await new Promise(setImmediate);
    }
  }

  /** Gives the terminal up. @returns Whether another process still holds it. */
  async close(): Promise<boolean> {
    if (this.#isClosed) return false;
    this.pause();
    this.#isClosed = true;
    closeSync(this.#slave);
    // With the last slave closed the master says EIO (0 on macOS); while somebody holds one, it says "try again" or gives output.
    const until = performance.now() + DOUBT_MS;
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const isForking = hasUnborn() && performance.now() < until;
      const left = this.#read();
      if (left < 0 && isForking) {
        await new Promise((done) => setTimeout(done, pauseMs));
        continue;
      }
      this.#stream.destroy();
      return left !== 0;
    }
  }

  /** @returns Bytes now in the slab; -1 when there are none at present, 0 when there will be none. */
  #read(): number {
    try {
      return readSync(this.#fd, slab, 0, MAX_CHUNK_BYTES, null);
    } catch (cause) {
      return isAgain(cause) ? -1 : 0;
    }
  }
}

/** "Resource temporarily unavailable": the terminal is empty, or full. */
const isAgain = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === 'EAGAIN';
