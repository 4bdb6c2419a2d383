/** The interface through which a row reader reports finished rows, ends of documents, and signs such as BEL. */
import type { Structure } from '../../ears/index.js';
import type { LookPacer } from '../screen/look-pacer.js';

/** The position of a row in the journal. */
export interface RowSpan {
  /** Journal position of the row's first byte. */
  readonly from: number;
  /** Journal position after the row's last byte, including the line feed. */
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
  /** @param hasText  True if one of the skipped rows was not blank. */
  skipped(hasText: boolean): void;
  /** Called for a row of plain text, as UTF-8; the bytes are valid only during the call. */
  plainRow(bytes: Buffer, start: number, end: number, from: number, to: number, line: number): void;
  /** Called with the beginning of a finished row. Returns true if the rest is not needed. */
  passes(head: Buffer): boolean;
  row(text: string, place: RowSpan, isCut: boolean): void;
  /**
   * `prompt`, `alternate`, `main`: a document ends here. The call comes before the reader continues, so that
   * `takePartial` still returns the row that has begun. `painting`: the program paints from here on. `lines`: it has
   * not painted for LINEAR_ROWS rows. `position` is the journal position after the sequence or line feed that caused
   * it.
   */
  mark(mark: RowMark, position: number): void;
  /**
   * True while the sink also needs what is painted: printed text, moves of the cursor (and whether the cursor left its
   * row), and line feeds. The rows of `plainRow` are excluded.
   */
  readonly isWatching: boolean;
  printed(bytes: Uint8Array, start: number, end: number): void;
  moved(to: 'row' | 'anywhere'): void;
  /**
   * The look pacer while there is an emulator. It receives all output before the sink does, and decides when the
   * emulator's screen is read.
   */
  readonly pacer: LookPacer | null;
  /** Called for BEL outside of any string. `position` is the journal position after it. */
  rang(position: number): void;
  /** Called with the beginning of a notification (OSC 9 or OSC 777), one character per byte. */
  notified(payload: string, position: number): void;
  /** Called with the beginning of a window title. */
  titled(title: string): void;
  /** Called for a line feed, also of an ignored row. */
  fed(): void;
}
