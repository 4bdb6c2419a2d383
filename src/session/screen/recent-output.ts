/**
 * Recent output: the last rows that a program printed before it began to paint. An emulator that begins then needs
 * them: programs go up into rows that they have printed as lines.
 *
 * Kept are the last KEPT_ROWS of at most MAX_BYTES; a function of the bytes alone, however they were cut. Small,
 * because it is part of every checkpoint.
 */
const MAX_BYTES = 6 * 1024;
const KEPT_ROWS = 32;
/** Above this it makes no difference how many rows came before: no terminal is taller. */
const MAX_DROPPED_ROWS = 1000;
const LF = 10;
/** Fewer are copied one by one. */
const FEW_BYTES = 32;

export interface RecentOutputState {
  /** Base 64. */
  readonly bytes: string;
  readonly dropped: number;
}

export class RecentOutput {
  /**
   * The kept output, from `#from` to `#to`. It may grow to twice the limit, so that not every write moves all bytes.
   */
  #buffer: Buffer = Buffer.alloc(0);
  #from = 0;
  #to = 0;
  /** Rows that came before. */
  #dropped = 0;

  constructor(state?: RecentOutputState) {
    if (!state) return;
    this.#buffer = Buffer.from(state.bytes, 'base64');
    this.#to = this.#buffer.length;
    this.#dropped = state.dropped;
  }

  state(): RecentOutputState {
    return { bytes: this.#trimmed().toString('base64'), dropped: this.#dropped };
  }

  add(bytes: Uint8Array): void {
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

  /** Begins anew, behind other output. */
  clear(): void {
    this.#from = this.#to;
    this.#dropped = MAX_DROPPED_ROWS;
  }

  /** Returns the output that brings an empty terminal of `rows` rows to the current screen. */
  replay(rows: number): Buffer {
    const bytes = this.#trimmed();
    return Buffer.concat([Buffer.from('\n'.repeat(Math.min(rows, this.#dropped))), bytes]);
  }

  /** Room for `count` bytes behind what is kept; what they push out is dropped. */
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
