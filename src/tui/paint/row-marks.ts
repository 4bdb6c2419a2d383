/**
 * Lets Ink lay out rows without reading their text. Ink would measure and style each character of each row again for
 * every frame, which takes two thirds of the time of a frame. It gets one character for each row instead, the mark.
 *
 * In:   the text of each row while it is shown (`take`, `release`), and frames as Ink makes them (`expand`).
 * Out:  the same frames with the text of each row in place of its mark.
 */
import { SGR } from './rows.js';
import { widthOf } from './text.js';

/** The marks: the last private plane of Unicode. Ink counts one column for each; no terminal gets them. */
const FIRST = 0x100000;
const LAST = 0x10fffd;
const MARKS = /[\u{100000}-\u{10fffd}]/gu;

interface MarkedRow {
  readonly mark: string;
  /** Columns of the row. */
  readonly width: number;
}

export class RowMarks {
  readonly #rows = new Map<string, { readonly text: string; readonly width: number }>();
  readonly #columns: () => number;
  #next = FIRST;

  /** @param columns  Returns the columns of the terminal. */
  constructor(columns: () => number) {
    this.#columns = columns;
  }

  /**
   * Gives a row a mark. The row occupies the columns from the mark on, so Ink must lay out nothing else there.
   * @returns Null if the row is wider than the terminal, so that Ink must cut it, or if all marks are in use.
   */
  take(text: string): MarkedRow | null {
    const width = widthOf(text.replaceAll(SGR, ''));
    if (width === 0 || width > this.#columns() || this.#rows.size > LAST - FIRST) return null;
    let mark: string;
    do {
      mark = String.fromCodePoint(this.#next);
      this.#next = this.#next === LAST ? FIRST : this.#next + 1;
    } while (this.#rows.has(mark));
    this.#rows.set(mark, { text, width });
    return { mark, width };
  }

  release(mark: string): void {
    this.#rows.delete(mark);
  }

  /** @param frame  Rows of the terminal, joined by newlines. */
  expand(frame: string): string {
    return frame
      .split('\n')
      .map((line) => this.#expandLine(line))
      .join('\n');
  }

  #expandLine(line: string): string {
    let expanded = '';
    let end = 0;
    for (const { 0: mark, index } of line.matchAll(MARKS)) {
      const row = this.#rows.get(mark);
      if (row === undefined || index < end) continue; // a character of a text that Ink has drawn itself
      expanded += line.slice(end, index) + row.text;
      end = Math.min(line.length, index + mark.length + row.width - 1);
    }
    return end === 0 ? line : (expanded + line.slice(end)).trimEnd();
  }
}
