/**
 * Recent output: the last rows that a program printed before it began to paint. An emulator that begins then needs them: programs go up
 * into rows that they have printed as lines.
 *
 * Kept are the last KEPT_ROWS of at most MAX_BYTES; a function of the bytes alone, however they were cut. Small, because it is part of
 * every checkpoint.
 */
const MAX_BYTES = 6 * 1024;
const KEPT_ROWS = 32;
/** Above this it makes no difference how many rows came before: no terminal is taller. */
const MAX_DROPPED_ROWS = 1000;
const LF = 10;

export interface RecentOutputState {
  /** Base 64. */
  readonly bytes: string;
  readonly dropped: number;
}

export class RecentOutput {
  #bytes: Buffer = Buffer.alloc(0);
  /** Rows that came before. */
  #dropped = 0;

  constructor(state?: RecentOutputState) {
    if (!state) return;
    this.#bytes = Buffer.from(state.bytes, 'base64');
    this.#dropped = state.dropped;
  }

  state(): RecentOutputState {
    this.#trim();
    return { bytes: this.#bytes.toString('base64'), dropped: this.#dropped };
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const skipped = Math.max(0, bytes.length - MAX_BYTES);
    const joined = Buffer.concat([this.#bytes, bytes.subarray(skipped)]);
    const cut = Math.max(0, joined.length - MAX_BYTES);
    if (skipped > 0) {
      this.#drop(this.#bytes, this.#bytes.length);
      this.#drop(bytes, skipped);
      this.#bytes = Buffer.from(bytes.subarray(skipped));
    } else {
      this.#drop(joined, cut);
      this.#bytes = cut > 0 ? Buffer.from(joined.subarray(cut)) : joined;
    }
  }

  /** Begins anew, behind other output. */
  clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.#dropped = MAX_DROPPED_ROWS;
  }

  /** What brings an empty terminal of so many rows to where the program stands now. */
  replay(rows: number): Buffer {
    this.#trim();
    return Buffer.concat([Buffer.from('\n'.repeat(Math.min(rows, this.#dropped))), this.#bytes]);
  }

  #trim(): void {
    let from = this.#bytes.length;
    for (let row = 0; row <= KEPT_ROWS && from > 0; row++) from = this.#bytes.lastIndexOf(LF, from - 1);
    if (from <= 0) return;
    this.#drop(this.#bytes, from + 1);
    this.#bytes = Buffer.from(this.#bytes.subarray(from + 1));
  }

  #drop(bytes: Uint8Array, count: number): void {
    for (let at = 0; at < count && this.#dropped < MAX_DROPPED_ROWS; at++) if (bytes[at] === LF) this.#dropped++;
  }
}
