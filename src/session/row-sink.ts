import type { Structure } from '../ears/index.js';
import type { LookPacer } from './look-pacer.js';

/** What a row reader tells: finished rows, and where documents end. */
export interface RowPlace {
  /** Journal position of its first byte. */
  readonly from: number;
  /** Journal position after its last byte, the line feed included. */
  readonly to: number;
  /** From 1. */
  readonly line: number;
}

export type RowMark = 'prompt' | 'alternate' | 'main' | 'painting' | 'lines';

export interface RowSink {
  /**
   * The structure in which rows may be passed over that nothing can be heard in: then they come together, as `skipped`, and not as
   * `plainRow` or `row`. Null where each must come.
   */
  openRows(): Structure | null;
  /** @param hasText  One of them was not blank. */
  skipped(hasText: boolean): void;
  /** A row of plain text, as UTF-8; the bytes are borrowed until this returns. */
  plainRow(bytes: Buffer, start: number, end: number, from: number, to: number, line: number): void;
  /** The row that is finished begins with these bytes, and goes on: whether it was passed over, and need not come. */
  passes(head: Buffer): boolean;
  row(text: string, place: RowPlace, isCut: boolean): void;
  /**
   * `prompt`, `alternate`, `main`: a document ends here; called before the reader goes on, so that `takePartial` still gives the row
   * that has begun. `painting`: the program paints from here on. `lines`: for LINEAR_ROWS rows it has not. `position` is
   * the journal position after the sequence or line feed that made it.
   */
  mark(mark: RowMark, position: number): void;
  /** While `isWatching`: what is printed, that the cursor jumped (and whether out of its row), and line feeds (but those of `plainRow`). */
  readonly isWatching: boolean;
  printed(bytes: Uint8Array, start: number, end: number): void;
  moved(to: 'row' | 'anywhere'): void;
  /** While there is an emulator: decides where it is looked at, by what is read, and before it is acted on. */
  readonly pacer: LookPacer | null;
  /** BEL, outside of any string. `position` is the journal position after it. */
  rang(position: number): void;
  /** A notification: OSC 9 or OSC 777, a character a byte, its beginning. */
  notified(payload: string, position: number): void;
  /** The beginning of a window title. */
  titled(title: string): void;
  /** A line feed, also of a row that is nobody's. */
  fed(): void;
}
