/**
 * Recent output: the last rows that a program printed before it began to paint. A new emulator needs them, because
 * programs move the cursor up into rows that they have printed as lines.
 *
 * It keeps the last KEPT_ROWS in at most MAX_BYTES. It depends on the bytes alone, however they were cut. It is small,
 * because it is part of every checkpoint.
 */
import { LF } from '../../terminal/index.js';

const MAX_BYTES = 6 * 1024;
const KEPT_ROWS = 32;
/** Maximum count of dropped rows: no terminal is taller, so more of them make no difference. */
const MAX_DROPPED_ROWS = 1000;
/** A smaller number of bytes is copied one by one. */
const FEW_BYTES = 32;

export interface RecentOutputState {
  /** Base 64. */
  readonly bytes: string;
  readonly dropped: number;
  /** Number of bytes since the last submitted input; undefined if there was none. */
  readonly sinceInput?: number;
}

export class RecentOutput {
  /**
   * The kept output, from `#from` to `#to`. The buffer may have twice the limit, so that not every write moves all
   * bytes.
   */
  #buffer: Buffer = Buffer.alloc(0);
  #from = 0;
  #to = 0;
  /** Number of rows before the kept ones. */
  #dropped = 0;
  #sinceInput: number | null = null;

  constructor(state?: RecentOutputState) {
    if (!state) return;
    this.#sinceInput = state.sinceInput ?? null;
    this.#buffer = Buffer.from(state.bytes, 'base64');
    this.#to = this.#buffer.length;
    this.#dropped = state.dropped;
  }

  state(): RecentOutputState {
    const sinceInput = this.#sinceInput;
    const bytes = this.#trimmed().toString('base64');
    return { bytes, dropped: this.#dropped, ...(sinceInput !== null && { sinceInput }) };
  }

  /** Called when an input is submitted. */
  beginTurn(): void {
    this.#sinceInput = 0;
  }

  add(bytes: Uint8Array): void {
    if (this.#sinceInput !== null) this.#sinceInput += bytes.length;
    const skipped = Math.max(0, bytes.length - MAX_BYTES);
    const count = bytes.length - skipped;
    if (this.#to + count > this.#buffer.length) this.#makeRoom(count);
    if (skipped > 0) {
      this.#cut(0);
      this.#drop(bytes, 0, skipped);
    }
    const [kept, to] = [this.#buffer, this.#to];
    if (count < FEW_BYTES)
      for (let at = 0; at < count; at++) kept[to + at] = bytes[at] as number; // within bounds
    else kept.set(skipped > 0 ? bytes.subarray(skipped) : bytes, to);
    this.#to = to + count;
  }

  /** Starts again after other output. */
  clear(): void {
    this.#from = this.#to;
    this.#dropped = MAX_DROPPED_ROWS;
  }

  /** Number of bytes of the output that `replay` returns. */
  get length(): number {
    return this.#trimmed().length;
  }

  /**
   * Returns the output that brings an empty terminal of `rows` rows to the screen at the last submitted input, and from
   * there to the current screen.
   */
  replay(rows: number): readonly [Buffer, Buffer] {
    const bytes = this.#trimmed();
    const inputAt = Math.max(0, bytes.length - (this.#sinceInput ?? bytes.length));
    const dropped = Buffer.from('\n'.repeat(Math.min(rows, this.#dropped)));
    return [Buffer.concat([dropped, bytes.subarray(0, inputAt)]), bytes.subarray(inputAt)];
  }

  /** Makes room for `count` bytes after the kept ones, by dropping the oldest. */
  #makeRoom(count: number): void {
    this.#cut(MAX_BYTES - count);
    const kept = this.#buffer.subarray(this.#from, this.#to);
    const wanted = 2 * (kept.length + count);
    if (wanted > this.#buffer.length) this.#buffer = Buffer.alloc(wanted);
    this.#buffer.set(kept);
    this.#from = 0;
    this.#to = kept.length;
  }

  #cut(limit: number): void {
    const from = Math.max(this.#from, this.#to - limit);
    this.#drop(this.#buffer, this.#from, from);
    this.#from = from;
  }

  #trimmed(): Buffer {
    this.#cut(MAX_BYTES);
    let feed = this.#to;
    let rows = 0;
    while (rows <= KEPT_ROWS && feed > this.#from) {
      feed = this.#buffer.lastIndexOf(LF, feed - 1);
      if (feed < this.#from) break;
      rows++;
    }
    if (rows > KEPT_ROWS) this.#cut(this.#to - feed - 1);
    return this.#buffer.subarray(this.#from, this.#to);
  }

  #drop(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    while (at < to && this.#dropped < MAX_DROPPED_ROWS) {
      const feed = bytes.indexOf(LF, at);
      if (feed === -1 || feed >= to) return;
      this.#dropped++;
      at = feed + 1;
    }
  }
}
