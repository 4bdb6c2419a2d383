/**
 * The newest events as serialized lines: at most RING_EVENTS, with at most RING_CHARS.
 *
 * In:   committed events, in order.
 * Out:  the lines after a position, while the ring still has them.
 */
import type { EventLine } from '../../store/index.js';

export interface RingEntry extends EventLine {
  readonly type: string;
  readonly sessionId: string | undefined;
}

/** Lines, and the `seq` up to which the log was read for them. */
export interface Page {
  readonly lines: EventLine[];
  readonly upTo: number;
}

const RING_EVENTS = 8_192;
/** The size limit of the ring in characters, because a message may have 256 KiB. */
const RING_CHARS = 8 * 1024 * 1024;
/** Maximum number of events of one page. */
export const READ_EVENTS = 1_000;
/** Maximum size of one page. A single longer line is read whole. */
export const READ_CHARS = 1024 * 1024;

export class EventRing {
  /** The newest events, oldest first. */
  readonly #entries: RingEntry[] = [];
  #chars = 0;

  push(entry: RingEntry): void {
    this.#entries.push(entry);
    this.#chars += entry.line.length;
  }

  /** Trims to half of either limit if one is exceeded. A single large splice is cheap. */
  trim(): void {
    const entries = this.#entries;
    if (entries.length <= RING_EVENTS && this.#chars <= RING_CHARS) return;
    let count = Math.max(0, entries.length - RING_EVENTS / 2);
    for (let i = 0; i < entries.length && (i < count || this.#chars > RING_CHARS / 2); i++) {
      this.#chars -= entries[i]?.line.length ?? 0;
      count = Math.max(count, i + 1);
    }
    entries.splice(0, count);
  }

  /** Removes the events before `seq`. */
  forget(beforeSeq: number): void {
    const found = this.#entries.findIndex(({ seq }) => seq >= beforeSeq);
    const removed = this.#entries.splice(0, found < 0 ? this.#entries.length : found);
    for (const { line } of removed) this.#chars -= line.length;
  }

  /**
   * Returns one page of the matching events after `since`.
   * @returns Null if the ring does not have the event after `since` any more.
   */
  read(since: number, lastSeq: number, matches: (entry: RingEntry) => boolean): Page | null {
    const first = this.#entries[0]?.seq ?? lastSeq + 1;
    if (since + 1 < first) return null;
    const lines: EventLine[] = [];
    let [upTo, chars] = [since, 0];
    for (let i = since + 1 - first; lines.length < READ_EVENTS && chars < READ_CHARS; i++) {
      const entry = this.#entries[i];
      if (!entry) break;
      upTo = entry.seq;
      if (!matches(entry)) continue;
      lines.push(entry);
      chars += entry.line.length;
    }
    return { lines, upTo };
  }
}
