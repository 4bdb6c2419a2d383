/**
 * Line cursor: reads one line from left to right as CommonMark does: a tab stands for the blanks up to the next
 * multiple of four columns.
 *
 *     "- →foo"     after the bullet, two columns of the tab belong to the item's padding and the rest to its content,
 *       ^          so a tab may be consumed in part: then `pending` columns of it are still to come.
 */
const TAB_STOP = 4;
const SPACE = 32;
const TAB = 9;
const QUOTE = 0x3e;
/** A line with more blanks than this before a mark is indented code. */
export const MAX_INDENT = 3;

export class LineCursor {
  readonly text: string;
  offset = 0;
  column = 0;
  /** Columns of the tab at `offset - 1` that were not consumed yet. */
  pending = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Columns of blanks from here to the next other character. */
  indent(): number {
    let columns = this.pending;
    let column = this.column + this.pending;
    for (let at = this.offset; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at);
      if (code === SPACE) {
        columns++;
        column++;
      } else if (code === TAB) {
        const width = TAB_STOP - (column % TAB_STOP);
        columns += width;
        column += width;
      } else break;
    }
    return columns;
  }

  /** Index of the next character that is not a blank; the text's length if there is none. */
  nextVisible(): number {
    let at = this.offset;
    while (at < this.text.length && isBlankCode(this.text.charCodeAt(at))) at++;
    return at;
  }

  isBlank(): boolean {
    return this.nextVisible() === this.text.length;
  }

  /** Consumes up to `columns` columns of blanks. */
  skipColumns(columns: number): void {
    let left = columns;
    while (left > 0) {
      if (this.pending > 0) {
        const taken = Math.min(left, this.pending);
        this.pending -= taken;
        this.column += taken;
        left -= taken;
        continue;
      }
      const code = this.text.charCodeAt(this.offset);
      if (code === SPACE) {
        this.offset++;
        this.column++;
        left--;
      } else if (code === TAB) {
        this.pending = TAB_STOP - (this.column % TAB_STOP);
        this.offset++;
      } else return;
    }
  }

  /** Consumes all blanks. */
  skipBlanks(): void {
    const columns = this.indent();
    this.offset = this.nextVisible();
    this.column += columns;
    this.pending = 0;
  }

  /**
   * Consumes a quote's mark, the blanks before it and one column of blanks behind it, if there is a mark here.
   *
   *     "   > text"
   *      ^---^        at most three columns before the mark
   */
  skipQuoteMark(): boolean {
    if (this.pending > 0 || this.text.charCodeAt(this.offset) !== QUOTE) {
      if (this.text.charCodeAt(this.nextVisible()) !== QUOTE || this.indent() > MAX_INDENT) return false;
      this.skipBlanks();
    }
    this.skipChars(1);
    if (this.text.charCodeAt(this.offset) === SPACE) this.skipChars(1);
    else this.skipColumns(1);
    return true;
  }

  /** Consumes `count` characters of one column each. */
  skipChars(count: number): void {
    this.offset += count;
    this.column += count;
  }

  /** The rest of the line. A tab that was consumed in part becomes the blanks that are left of it. */
  rest(): string {
    const text = this.offset === 0 ? this.text : this.text.slice(this.offset);
    return this.pending > 0 ? ' '.repeat(this.pending) + text : text;
  }
}

export function isBlankCode(code: number): boolean {
  return code === SPACE || code === TAB;
}
