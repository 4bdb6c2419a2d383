/**
 * The end of a terminal or a pipe from which a program's output is read.
 *
 * In:   a non-blocking descriptor to read, and its other side (`holder`), which is held open as well.
 * Out:  chunks, each a view into a buffer shared by all programs, valid during the call.
 *
 * Because the host itself holds the other side, no reader ever sees a hang-up. Node 20 would treat a hang-up as the end
 * and lose unread output. The real end is the program's exit: then `drain` reads the rest, and `close` closes both
 * sides.
 */
import { closeSync, readSync } from 'node:fs';
import { type Socket, Socket as SocketClass, type SocketConstructorOpts, type TcpSocketConnectOpts } from 'node:net';
import { ReadStream } from 'node:tty';
import { hasStartingProcess } from '../processes/index.js';
import { isAgain, MAX_CHUNK_BYTES } from './program.js';

/** Maximum output that is read after the exit. A grandchild that prints without end must not keep the session open. */
const DRAIN_BYTES = 4 * 1024 * 1024;
const DRAIN_MS = 500;
/** After this many bytes the drain yields to the event loop. */
const DRAIN_SLICE_BYTES = 64 * 1024;
const LONGEST_PAUSE_MS = 20;
/** Maximum time of the check in `close`. Programs that start all the time must not keep a session open. */
const DOUBT_MS = 2000;

const slab = Buffer.allocUnsafeSlow(MAX_CHUNK_BYTES);

interface OutputEndOptions {
  readonly fd: number;
  readonly holder: number;
  readonly kind: 'terminal' | 'pipe';
  /** Maximum length of a chunk. MAX_CHUNK_BYTES by default. */
  readonly chunkBytes?: number;
  /** Receives borrowed bytes. If it calls `pause`, no further bytes arrive. */
  readonly onBytes: (bytes: Buffer) => void;
  /** The monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

export class OutputEnd {
  readonly #options: OutputEndOptions;
  readonly #now: () => number;
  readonly #buffer: Buffer;
  readonly #stream: Socket;
  #isReading = false;
  #isClosed = false;

  constructor(options: OutputEndOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#buffer = slab.subarray(0, options.chunkBytes ?? MAX_CHUNK_BYTES);
    const callback = (count: number): boolean => {
      options.onBytes(this.#buffer.subarray(0, count));
      return this.#isReading;
    };
    // `onread` works for every socket, but the types know it for `connect` only.
    const reading: SocketConstructorOpts & Pick<TcpSocketConnectOpts, 'onread'> = {
      onread: { buffer: this.#buffer, callback },
    };
    const { fd } = options;
    this.#stream =
      options.kind === 'terminal'
        ? new ReadStream(fd, reading)
        : new SocketClass({ fd, readable: true, writable: false, ...reading });
    this.#stream.pause(); // a socket would begin by itself
    // Stop reading after an error; the exit of the program ends the session.
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

  /**
   * Reads once the output that is available now.
   * @returns Number of bytes.
   */
  poll(): number {
    if (this.#isClosed) return 0;
    const count = this.#read();
    if (count > 0) this.#options.onBytes(this.#buffer.subarray(0, count));
    return Math.max(0, count);
  }

  /**
   * After the exit: reads the rest of the output, up to DRAIN_BYTES or DRAIN_MS if another process continues to print.
   */
  async drain(): Promise<void> {
    this.pause();
    const until = this.#now() + DRAIN_MS;
    for (let total = 0, slice = 0; total < DRAIN_BYTES; ) {
      const count = this.poll();
      if (count <= 0) return;
      total += count;
      slice += count;
      if (slice < DRAIN_SLICE_BYTES) continue;
      slice = 0;
      if (this.#now() > until) return;
      await new Promise(setImmediate);
    }
  }

  /**
   * Closes both sides.
   * @returns True if another process still holds the other side.
   */
  async close(): Promise<boolean> {
    if (this.#isClosed) return false;
    this.pause();
    this.#isClosed = true;
    closeSync(this.#options.holder);
    // Once the other side is closed, a read returns nothing, or fails with EIO (Linux, terminals). While a process
    // holds it open, a read returns output or fails with EAGAIN.
    const until = this.#now() + DOUBT_MS;
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const isForking = hasStartingProcess() && this.#now() < until;
      const left = this.#read();
      if (left < 0 && isForking) {
        await new Promise((done) => setTimeout(done, pauseMs));
        continue;
      }
      this.#stream.destroy();
      return left !== 0;
    }
  }

  /** @returns Number of bytes in the buffer; -1 if there are none at present; 0 at the end of the output. */
  #read(): number {
    const { stackTraceLimit } = Error;
    // Reading an empty terminal throws, and the stack of that error would cost twice as much as the rest.
    Error.stackTraceLimit = 0;
    try {
      return readSync(this.#options.fd, this.#buffer, 0, this.#buffer.length, null);
    } catch (cause) {
      return isAgain(cause) ? -1 : 0;
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }
}
