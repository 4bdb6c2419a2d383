/**
 * Journal writer: appends a session's records to its segments. The only writer of that directory.
 *
 * In:   entries (`append`), output in a buffer with room for a header (`appendOut`).
 * Out:  bytes in files; `written`, the end of the whole records in the files.
 *
 * An appended record is in the page cache once `written` has passed it: a crash of this process loses nothing, a power
 * cut may (there is no fsync). If the disk is full, the rest is kept in memory in order, `onStuck` is called, and the
 * writer tries again every RETRY_MS until all of it is written (`onFreed`). Nothing is dropped. The caller must stop
 * reading the pty meanwhile.
 */
import { closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { encodeRecord, HEADER_BYTES, type JournalEntry, sealHeader } from './record-codec.js';
import { encodeSegmentHeader, listSegments, SEGMENT_BYTES, SEGMENT_HEADER_BYTES, segmentPath } from './segment.js';

const RETRY_MS = 1000;

export interface JournalWriterOptions {
  readonly directory: string;
  /** True if an existing journal continues, in a new segment after everything that is there, including a torn tail. */
  readonly goesOn?: boolean;
  readonly now?: () => number;
  /** A monotonic clock, in milliseconds. */
  readonly ranMs?: () => number;
  /** Replaces fs.writeSync: returns the number of bytes written, or throws. Tests simulate a full disk with it. */
  readonly write?: (fd: number, bytes: Uint8Array, offset: number, length: number) => number;
  readonly segmentBytes?: number;
  readonly retryMs?: number;
  readonly onStuck?: (cause: unknown) => void;
  readonly onFreed?: () => void;
}

/** Data that could not be written yet: bytes, or a segment that has to be opened before them. */
type Waiting =
  | { readonly kind: 'open'; readonly first: number }
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly end: number };

/** Writes the journal of one session. */
export class JournalWriter {
  /** Position of the next record. */
  position = 0;
  /** End of the complete records in the files. */
  written = 0;
  /** Time of the last record. */
  time = 0;
  #tickedMs = 0;
  /** Number of bytes that wait for room on the disk. */
  waitingBytes = 0;
  readonly #options: JournalWriterOptions;
  readonly #write: NonNullable<JournalWriterOptions['write']>;
  #fd = -1;
  #segmentFirst = 0;
  /** Position at which this writer's first segment begins. */
  readonly #first: number;
  #waiting: Waiting[] = [];
  #retry: NodeJS.Timeout | null = null;
  #isClosing = false;

  /**
   * Makes the directory (0700) and the first segment (0600).
   *
   * @throws The system's error: EEXIST if there is a journal already, ENOENT if there is none to continue. Nothing new
   * is left behind.
   */
  constructor(options: JournalWriterOptions) {
    this.#options = options;
    this.#write = options.write ?? writeSync;
    this.#tickedMs = this.#ranMs();
    const last = listSegments(options.directory).at(-1);
    const goesOn = options.goesOn ?? false;
    if (goesOn !== (last !== undefined)) {
      const [code, what] = goesOn ? ['ENOENT', 'no'] : ['EEXIST', 'already'];
      throw Object.assign(new Error(`${code}: there are ${what} segments in ${options.directory}`), { code });
    }
    this.#first = last === undefined ? 0 : this.#goOnBehind(last);
    this.position = this.#first;
    this.#segmentFirst = this.#first;
    this.#open(this.#first);
    try {
      this.#attempt({ kind: 'bytes', bytes: encodeSegmentHeader(this.#first), end: this.#first });
    } catch (cause) {
      this.discard();
      throw cause;
    }
  }

  get isStuck(): boolean {
    return this.#waiting.length > 0;
  }

  append(entry: JournalEntry): { position: number; end: number } {
    const record = encodeRecord(entry, this.#tick());
    return this.#place(record);
  }

  /**
   * Appends an `out` record without copying the output.
   *
   * @param buffer  Output from HEADER_BYTES on; the bytes before it are overwritten. The caller may reuse the buffer
   *   afterwards.
   * @param bytes   Length of the output.
   */
  appendOut(buffer: Buffer, bytes: number): { position: number; end: number } {
    sealHeader(buffer, 'out', bytes, this.#tick());
    return this.#place(buffer.subarray(0, HEADER_BYTES + bytes));
  }

  /** Closes the file once everything is written. On a full disk this happens later. */
  close(): void {
    this.#isClosing = true;
    if (!this.isStuck) this.#closeFile();
  }

  /**
   * Closes the file and drops the data that waits for room.
   * @returns Number of dropped bytes.
   */
  abandon(): number {
    if (this.#retry) clearTimeout(this.#retry);
    const lost = this.waitingBytes;
    this.#waiting = [];
    this.waitingBytes = 0;
    this.#closeFile();
    return lost;
  }

  /** Removes the files that this writer has created, because the program could not be started. */
  discard(): void {
    this.abandon();
    const { directory } = this.#options;
    if (this.#first === 0) rmSync(directory, { recursive: true, force: true });
    else rmSync(segmentPath(directory, this.#first), { force: true });
  }

  /**
   * @returns The position at which a continued journal begins. It follows the whole file of the last segment, so that
   * torn bytes there are skipped.
   */
  #goOnBehind(last: number): number {
    const path = segmentPath(this.#options.directory, last);
    const { size, mtimeMs } = statSync(path);
    this.time = Math.floor(mtimeMs);
    // A segment without a record is removed, because the new segment would have the same name.
    if (size <= SEGMENT_HEADER_BYTES) rmSync(path);
    return last + Math.max(0, size - SEGMENT_HEADER_BYTES);
  }

  /**
   * Returns the time for the next record: never less than that of the last record. If the clock was set back, the time
   * goes on from that record until the clock has reached it.
   */
  #tick(): number {
    const now = (this.#options.now ?? Date.now)();
    const ranMs = this.#ranMs();
    if (now >= this.time) {
      this.time = now;
      this.#tickedMs = ranMs;
    } else {
      const passed = Math.floor(ranMs - this.#tickedMs);
      this.time += passed;
      this.#tickedMs += passed;
    }
    return this.time;
  }

  #ranMs(): number {
    return (this.#options.ranMs ?? (() => performance.now()))();
  }

  #place(record: Buffer): { position: number; end: number } {
    const inSegment = this.position - this.#segmentFirst;
    if (inSegment > 0 && inSegment + record.length > (this.#options.segmentBytes ?? SEGMENT_BYTES)) this.#roll();
    const position = this.position;
    this.position += record.length;
    this.#put(record, this.position);
    return { position, end: this.position };
  }

  #roll(): void {
    this.#segmentFirst = this.position;
    this.#do({ kind: 'open', first: this.position });
    this.#put(encodeSegmentHeader(this.position), this.position);
  }

  #put(bytes: Buffer, end: number): void {
    this.#do({ kind: 'bytes', bytes, end });
  }

  /** Carries out a step, or queues it after the steps that already wait. */
  #do(step: Waiting): void {
    if (this.isStuck) {
      this.#keep(step, 0);
      return;
    }
    try {
      this.#attempt(step);
    } catch (cause) {
      this.#keep(step, this.#partial);
      this.#options.onStuck?.(cause);
    }
  }

  /** Number of bytes that the last attempt has written. */
  #partial = 0;

  #attempt(step: Waiting): void {
    this.#partial = 0;
    if (step.kind === 'open') {
      this.#open(step.first);
      return;
    }
    while (this.#partial < step.bytes.length) {
      const count = this.#write(this.#fd, step.bytes, this.#partial, step.bytes.length - this.#partial);
      if (count <= 0) throw new Error('the disk took nothing');
      this.#partial += count;
    }
    this.written = step.end;
  }

  #keep(step: Waiting, done: number): void {
    // A copy: the caller's buffer is free again when `append` returns.
    const kept = step.kind === 'open' ? step : { ...step, bytes: Buffer.from(step.bytes.subarray(done)) };
    this.#waiting.push(kept);
    if (kept.kind === 'bytes') this.waitingBytes += kept.bytes.length;
    this.#retry ??= setTimeout(() => this.#again(), this.#options.retryMs ?? RETRY_MS);
  }

  #again(): void {
    this.#retry = null;
    for (let step = this.#waiting[0]; step; step = this.#waiting[0]) {
      try {
        this.#attempt(step);
      } catch {
        if (step.kind === 'bytes') {
          this.#waiting[0] = { ...step, bytes: step.bytes.subarray(this.#partial) };
          this.waitingBytes -= this.#partial;
        }
        this.#retry = setTimeout(() => this.#again(), this.#options.retryMs ?? RETRY_MS);
        return;
      }
      this.#waiting.shift();
      if (step.kind === 'bytes') this.waitingBytes -= step.bytes.length;
    }
    this.#options.onFreed?.();
    if (this.#isClosing && !this.isStuck) this.#closeFile();
  }

  #open(first: number): void {
    // The directory may have been removed; the session continues.
    mkdirSync(this.#options.directory, { recursive: true, mode: 0o700 });
    const fd = openSync(segmentPath(this.#options.directory, first), 'ax', 0o600);
    this.#closeFile();
    this.#fd = fd;
  }

  #closeFile(): void {
    if (this.#fd >= 0) closeSync(this.#fd);
    this.#fd = -1;
  }
}
