/** The interface through which a row reader reports finished rows, ends of documents, and signs such as BEL. */
import type { Structure, TextSpan } from '../../ears/index.js';

export type RowMark = 'prompt' | 'alternate' | 'main' | 'painting' | 'lines';

/** Receives the output of a program that paints, and decides from it when the screen is read (look-pacer.ts). */
export interface OutputPacer {
  /** @param position  Journal position of the byte at `start`. */
  text(bytes: Uint8Array, start: number, end: number, position: number): void;
  lineFeed(position: number): void;
  /** @param position  Journal position of the last byte. `began`: that of the first one. */
  escape(final: number, position: number, began: number): void;
  /** @param parameters  -1 stands for a missing one. `position`, `began`: as for `escape`. */
  control(final: number, mark: string, parameters: readonly number[], position: number, began: number): void;
  /** Called for a control sequence without a private mark; `first` is its first parameter, -1 if it is missing. */
  moved(final: number, first: number, position: number, began: number): void;
}

export interface RowSink {
  /** Returns the time of the record that is being read, in milliseconds. */
  now(): number;
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
  row(text: string, place: TextSpan, isCut: boolean): void;
  /**
   * `prompt`, `alternate`, `main`: a document ends here. The call comes before the reader continues, so that
   * `takePartial` still returns the row that has begun. `painting`: the program paints from here on. `lines`: it has
   * not painted for LINEAR_ROWS rows. `position` is the journal position after the sequence or line feed that caused
   * it. `isMessage` is true if the program has begun to paint a message.
   */
  mark(mark: RowMark, position: number, isMessage?: boolean): void;
  /**
   * Called when rows follow that the program may have printed before: it has cleared the screen, or painted over it, and
   * continues with lines. `paintedAt` is the time at which it painted.
   */
  reprinting(paintedAt: number): void;
  /**
   * True while the sink also needs what is painted: printed text, moves of the cursor (and whether the cursor left its
   * row), and line feeds. The rows of `plainRow` are excluded.
   */
  readonly isWatching: boolean;
  /** Called for a marker that is printed over a row. */
  rowOver(text: string, place: TextSpan, isCut: boolean): void;
  /**
   * Called when the cursor goes up to a printed row. Returns true if a message waits in it or below: it is repainted.
   * @param row  Its line number, without the line feeds that lead to rows that were printed before (`again`).
   */
  repaints(row: number): boolean;
  printed(bytes: Uint8Array, start: number, end: number): void;
  moved(to: 'row' | 'anywhere'): void;
  /** Set while there is an emulator. It receives all output before the sink does. */
  readonly pacer: OutputPacer | null;
  /** Called for BEL outside of any string. `position` is the journal position after it. */
  rang(position: number): void;
  /** Called with the beginning of a notification (OSC 9 or OSC 777), one character per byte. */
  notified(payload: string, position: number): void;
  /** Called with the beginning of a window title. */
  titled(title: string): void;
  /** Called for a line feed, also of an ignored row. */
  fed(): void;
}
