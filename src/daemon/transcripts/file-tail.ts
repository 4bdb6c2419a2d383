/**
 * Reads the new complete lines of a file to which another program appends.
 *
 * In:   a path and an offset up to which the file is known.
 * Out:  lines (without their end, invalid UTF-8 replaced), each with the offset after it. An incomplete line is
 *       returned when it is complete.
 * The file may not exist yet, may be replaced or truncated (then it is read from its beginning, and `isAnew` is set),
 * or may contain lines of megabytes. One call reads at most MAX_READ_BYTES. The file is opened read-only, and only
 * during a call.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { MAX_JSON_LINE_BYTES } from '../../protocol/index.js';

export interface TailLine {
  readonly text: string;
  /** File offset after the line and its line end. */
  readonly end: number;
}

/** The result of one read. */
export interface TailRead {
  readonly lines: readonly TailLine[];
  /** True if there is more to read: call again in another turn of the event loop. */
  readonly isMore: boolean;
  /** True if the file was replaced or truncated: the lines are from its beginning. */
  readonly isAnew: boolean;
}

const CHUNK_BYTES = 64 * 1024;
/** Maximum number of bytes read by one call, with or without a line. */
const MAX_READ_BYTES = 1024 * 1024;
/**
 * A file without a line end in this many bytes contains no lines (for example a sparse file of terabytes). Only its
 * last MAX_READ_BYTES are then searched.
 */
const MAX_SEARCH_BYTES = 256 * 1024 * 1024;
const NO_NEWS: TailRead = { lines: [], isMore: false, isAnew: false };
const NEWLINE = 0x0a;

export class FileTail {
  readonly path: string;
  /** Offset after the last returned line. */
  #offset: number;
  /** Offset up to which the file was read; the bytes in between begin an incomplete line. */
  #scanned: number;
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #inode: number | null = null;

  constructor(path: string, offset: number) {
    this.path = path;
    this.#offset = offset;
    this.#scanned = offset;
  }

  get offset(): number {
    return this.#offset;
  }

  /**
   * @returns The next lines, from at most MAX_READ_BYTES.
   * @throws {Error} The system's error if it cannot be read; a later call loses nothing.
   */
  read(): TailRead {
    const fd = this.#open();
    if (fd === null) return NO_NEWS;
    try {
      const { ino, size } = fstatSync(fd);
      const isAnew = (this.#inode !== null && ino !== this.#inode) || size < this.#scanned;
      if (isAnew) this.#beginAnew();
      this.#inode = ino;
      const before = this.#scanned;
      const lines = this.#readLines(fd, size);
      // A file that is shorter than its size returns nothing.
      return { lines, isMore: this.#scanned > before && this.#scanned < size, isAnew };
    } finally {
      closeSync(fd);
    }
  }

  /** Returns the text after the last line end, when no process writes to the file any more. */
  rest(): TailLine[] {
    if (this.#begunBytes === 0 || this.#begunBytes > MAX_JSON_LINE_BYTES) return [];
    const line = { text: toText(this.#begun), end: this.#scanned };
    this.#offset = this.#scanned;
    this.#begun = [];
    this.#begunBytes = 0;
    return [line];
  }

  #open(): number | null {
    try {
      // O_NONBLOCK, because opening a FIFO without a writer would block the daemon.
      const fd = openSync(this.path, constants.O_RDONLY | constants.O_NONBLOCK);
      if (fstatSync(fd).isFile()) return fd;
      closeSync(fd);
    } catch {
      // The file does not exist (yet), or is not readable.
    }
    return null;
  }

  #beginAnew(): void {
    this.#offset = 0;
    this.#scanned = 0;
    this.#begun = [];
    this.#begunBytes = 0;
  }

  #readLines(fd: number, size: number): TailLine[] {
    const lines: TailLine[] = [];
    const end = Math.min(size, this.#scanned + MAX_READ_BYTES);
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    while (this.#scanned < end) {
      const bytes = readSync(fd, buffer, 0, Math.min(CHUNK_BYTES, end - this.#scanned), this.#scanned);
      if (bytes === 0) break;
      this.#take(buffer.subarray(0, bytes), lines);
    }
    if (this.#begunBytes > MAX_SEARCH_BYTES) this.#scanned = Math.max(this.#scanned, size - MAX_READ_BYTES);
    return lines;
  }

  #take(chunk: Buffer, lines: TailLine[]): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      this.#offset = this.#scanned + end + 1;
      lines.push({ text: this.#begunBytes > MAX_JSON_LINE_BYTES ? '' : toText(this.#begun), end: this.#offset });
      this.#begun = [];
      this.#begunBytes = 0;
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    this.#scanned += chunk.length;
  }

  #keep(part: Buffer): void {
    this.#begunBytes += part.length;
    if (this.#begunBytes > MAX_JSON_LINE_BYTES) this.#begun = [];
    else if (part.length > 0) this.#begun.push(Buffer.from(part)); // the chunk's buffer is reused
  }
}

const toText = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString('utf8').replace(/\r$/, '');
