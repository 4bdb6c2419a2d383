/**
 * Reads the whole new lines of a file that another program appends to.
 *
 * In:   a path and an offset: everything before it is known.
 * Out:  lines (without their end, invalid UTF-8 replaced), each with the offset behind it; a line without an end waits for it.
 * The file may not be there yet, be replaced by another or begin anew (then it is read from its beginning, and that is said), or hold
 * lines of megabytes. However large it is, one look reads one gulp. It is opened for reading only, and only while it is read.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

export interface TailLine {
  readonly text: string;
  /** File offset behind the line and its end. */
  readonly end: number;
}

/** What one look has found. */
export interface TailLook {
  readonly lines: readonly TailLine[];
  /** More stands there: look again in another turn of the event loop. */
  readonly isMore: boolean;
  /** It is another file than at the last look, or has become shorter: its lines come from its beginning. */
  readonly isAnew: boolean;
}

const CHUNK_BYTES = 64 * 1024;
/** One look reads no more, whether it finds a line or not. */
const GULP_BYTES = 1024 * 1024;
/** No message is as long as this: a longer line is passed over. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** What goes on for so long without a line end holds no lines (a file with a hole of terabytes): the end is looked for in the last gulp. */
const MAX_SEARCH_BYTES = 256 * 1024 * 1024;
const NO_NEWS: TailLook = { lines: [], isMore: false, isAnew: false };
const NEWLINE = 0x0a;

export class FileTail {
  readonly path: string;
  /** Behind the last line given. */
  #offset: number;
  /** How far the file has been read; what lies between is the beginning of a line. */
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
   * @returns The next lines of one gulp.
   * @throws  {Error} What the system says if it cannot be read; nothing is lost by looking again.
   */
  read(): TailLook {
    const fd = this.#open();
    if (fd === null) return NO_NEWS;
    try {
      const { ino, size } = fstatSync(fd);
      const isAnew = (this.#inode !== null && ino !== this.#inode) || size < this.#scanned;
      if (isAnew) this.#beginAnew();
      this.#inode = ino;
      const before = this.#scanned;
      const lines = this.#readLines(fd, size);
      // A file that is shorter than it says gives nothing.
      return { lines, isMore: this.#scanned > before && this.#scanned < size, isAnew };
    } finally {
      closeSync(fd);
    }
  }

  /** What stands behind the last line end; for when nobody writes any more. */
  rest(): TailLine[] {
    if (this.#begunBytes === 0 || this.#begunBytes > MAX_LINE_BYTES) return [];
    const line = { text: toText(this.#begun), end: this.#scanned };
    this.#offset = this.#scanned;
    this.#begun = [];
    this.#begunBytes = 0;
    return [line];
  }

  #open(): number | null {
    try {
      // A pipe without a writer would hold up the whole daemon.
      const fd = openSync(this.path, constants.O_RDONLY | constants.O_NONBLOCK);
      if (fstatSync(fd).isFile()) return fd;
      closeSync(fd);
    } catch {
      // not there (yet), or not ours to read
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
    const end = Math.min(size, this.#scanned + GULP_BYTES);
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    while (this.#scanned < end) {
      const bytes = readSync(fd, buffer, 0, Math.min(CHUNK_BYTES, end - this.#scanned), this.#scanned);
      if (bytes === 0) break;
      this.#take(buffer.subarray(0, bytes), lines);
    }
    if (this.#begunBytes > MAX_SEARCH_BYTES) this.#scanned = Math.max(this.#scanned, size - GULP_BYTES);
    return lines;
  }

  #take(chunk: Buffer, lines: TailLine[]): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      this.#offset = this.#scanned + end + 1;
      lines.push({ text: this.#begunBytes > MAX_LINE_BYTES ? '' : toText(this.#begun), end: this.#offset });
      this.#begun = [];
      this.#begunBytes = 0;
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    this.#scanned += chunk.length;
  }

  #keep(part: Buffer): void {
    this.#begunBytes += part.length;
    if (this.#begunBytes > MAX_LINE_BYTES) this.#begun = [];
    else if (part.length > 0) this.#begun.push(Buffer.from(part)); // the chunk is used again
  }
}

const toText = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString('utf8').replace(/\r$/, '');
