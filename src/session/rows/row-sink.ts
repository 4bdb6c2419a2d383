import type { Structure } from '../../ears/index.js';
import type { LookPacer } from '../screen/look-pacer.js';

/** The reports of a row reader: finished rows, and ends of documents. */
export interface RowPlace {
  /** Journal position of its first byte. */
  readonly from: number;
  /** Journal position after its last byte, the line feed included. */
  readonly to: number;
  /** Line number from 1. */
  readonly line: number;
}

export type RowMark = 'prompt' | 'alternate' | 'main' | 'painting' | 'lines';

export interface RowSink {
  /**
   * Returns the structure in which rows without messages may be skipped together, as `skipped` instead of `plainRow` or
   * `row`. Null if each row must be reported.
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
   * `prompt`, `alternate`, `main`: a document ends here. The call comes before the reader continues, so that
   * `takePartial` still returns the row that has begun. `painting`: the program paints from here on. `lines`: it has
   * not painted for LINEAR_ROWS rows. `position` is the journal position after the sequence or line feed that caused
   * it.
   */
  mark(mark: RowMark, position: number): void;
  /**
   * While true, the sink also gets printed text, jumps of the cursor (and if it left its row), and line feeds except
   * those of `plainRow`.
   */
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
  /** A line feed, also of an ignored row. */
  fed(): void;
}
