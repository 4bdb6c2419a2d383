/**
 * Collects a session's output into records: at once while it prints now and then, 64 KiB or 2 ms while it prints all the time.
 *
 * In:   chunks (`add`), copied once, behind the room for a record's header.
 * Out:  `append` with a buffer that is free again when it returns. `flush` sends what there is.
 * A session that prints nothing holds neither a buffer nor a timer.
 */
import { MAX_CHUNK_BYTES } from './program.js';
import { HEADER_BYTES } from './record-codec.js';

const BATCH_BYTES = 64 * 1024;
const BATCH_MS = 2;
/** So many are sent at once after a rest: what a key brings comes in several writes, and none of them waits. */
const BURST = 4;

/** Buffers of sessions that print at this moment. */
const pool: Buffer[] = [];
const POOLED = 8;

export class OutputBatch {
  /** How much waits. */
  bytes = 0;
  /** When output was sent last (the beginning counts), in ms of the monotonic clock. */
  flushedAt = performance.now();
  readonly #append: (buffer: Buffer, bytes: number) => void;
  #buffer: Buffer | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** How many may be sent at once: one more for each BATCH_MS. */
  #left = BURST;

  /** @param append  Takes output that begins at HEADER_BYTES of the buffer. */
  constructor(append: (buffer: Buffer, bytes: number) => void) {
    this.#append = append;
  }

  /** @param chunk  At most MAX_CHUNK_BYTES. */
  add(chunk: Buffer): void {
    this.#buffer ??= pool.pop() ?? Buffer.allocUnsafeSlow(HEADER_BYTES + BATCH_BYTES);
    this.#buffer.set(chunk, HEADER_BYTES + this.bytes);
    this.bytes += chunk.length;
    // Full when it might have no room for the next chunk.
    if (this.bytes + MAX_CHUNK_BYTES > BATCH_BYTES || this.#mayFlush()) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const { bytes } = this;
    const buffer = this.#buffer;
    if (!buffer) return;
    // Before the append, which may find the disk full and then flush again.
    this.#buffer = null;
    this.bytes = 0;
    const now = performance.now();
    this.#left = Math.max(0, this.#leftAt(now) - 1);
    this.flushedAt = now;
    this.#append(buffer, bytes);
    if (pool.length < POOLED) pool.push(buffer);
  }

  #mayFlush(): boolean {
    return this.#timer === null && this.#leftAt(performance.now()) >= 1;
  }

  #leftAt(now: number): number {
    return Math.min(BURST, this.#left + (now - this.flushedAt) / BATCH_MS);
  }
}
