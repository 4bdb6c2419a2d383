/**
 * The position in copy mode: the row of the cursor, the first visible row, and the mark.
 *
 * In:   the rows without control sequences, moves, and the height of the view.
 * Out:  positions that are always inside the rows. The cursor is always visible.
 */
export type Move = 'up' | 'down' | 'pageup' | 'pagedown' | 'halfup' | 'halfdown' | 'first' | 'last';

const SCROLLING: readonly Move[] = ['pageup', 'pagedown', 'halfup', 'halfdown'];
/** Number of rows per step of the wheel. */
const WHEEL_ROWS = 3;

interface CursorOptions {
  readonly rows: readonly string[];
  /** True to begin with the first row. Otherwise the cursor begins on the last row with text. */
  readonly startsAtTop: boolean;
  /** True if the wheel opened copy mode: the view then begins WHEEL_ROWS higher. */
  readonly isByWheel: boolean;
}

/** Numbers of rows, from the first to the last. */
interface Range {
  readonly from: number;
  readonly to: number;
}

export class CopyCursor {
  readonly #rows: readonly string[];
  #height = 1;
  #at: number;
  /** The first visible row; null until the height is known. The view begins at the end of the rows. */
  #top: number | null = null;
  #mark: number | null = null;
  #scrollsAtStart: boolean;

  constructor({ rows, startsAtTop, isByWheel }: CursorOptions) {
    this.#rows = rows;
    this.#at = startsAtTop ? 0 : Math.max(0, lastWithText(rows));
    this.#scrollsAtStart = isByWheel;
  }

  get at(): number {
    return this.#at;
  }

  /** The rows between the mark and the cursor; null without a mark. */
  get marked(): Range | null {
    return this.#mark === null ? null : rangeOf(this.#mark, this.#at);
  }

  /** True if the view shows the last row. */
  get isAtEnd(): boolean {
    return (this.#top ?? this.#lowest) >= this.#lowest;
  }

  /**
   * Fits the view to a height.
   * @returns The first visible row.
   */
  fit(height: number): number {
    this.#height = height;
    let top = this.#top ?? this.#lowest;
    if (this.#scrollsAtStart) {
      this.#scrollsAtStart = false;
      top = Math.max(0, top - WHEEL_ROWS);
      this.#at = Math.min(this.#at, top + height - 1);
    }
    top = Math.max(0, Math.min(Math.max(top, this.#at - height + 1), this.#at));
    this.#top = Math.min(this.#lowest, top);
    return this.#top;
  }

  move(how: Move): void {
    const height = this.#height;
    const steps: Readonly<Record<Move, number>> = {
      up: -1,
      down: 1,
      pageup: -height,
      pagedown: height,
      halfup: -Math.ceil(height / 2),
      halfdown: Math.ceil(height / 2),
      first: -this.#rows.length,
      last: this.#rows.length,
    };
    const step = steps[how];
    // Pages scroll the view, and the cursor keeps its place in it. Otherwise the first page would show nothing new.
    if (SCROLLING.includes(how)) this.#scroll(step);
    this.#at = Math.min(this.#rows.length - 1, Math.max(0, this.#at + step));
  }

  /** Scrolls the view by one step of the wheel. The cursor stays inside it. */
  turnWheel(direction: 1 | -1): void {
    const step = direction * WHEEL_ROWS;
    const top = this.#scroll(step);
    this.#at = Math.min(top + this.#height - 1, Math.max(top, this.#at + step), this.#rows.length - 1);
  }

  /** Moves the cursor to a row, which becomes the first visible one. */
  goTo(row: number): void {
    this.#at = row;
    this.#top = row;
  }

  /**
   * Moves the cursor to the next row that contains a text. The search wraps around at the end.
   * @returns False if no row contains it.
   */
  search(text: string, isBackward: boolean): boolean {
    const count = this.#rows.length;
    for (let step = 1; step <= count; step++) {
      const row = (this.#at + (isBackward ? -step : step) + count * 2) % count;
      if (indexIn(this.#rows[row] ?? '', text) < 0) continue;
      this.#at = row;
      return true;
    }
    return false;
  }

  /** Sets the mark at the cursor, or removes it. */
  toggleMark(): void {
    this.#mark = this.#mark === null ? this.#at : null;
  }

  unmark(): void {
    this.#mark = null;
  }

  /** Returns the text of the marked rows, or of the cursor's row if none is marked. */
  selectedText(): string {
    const { from, to } = this.marked ?? { from: this.#at, to: this.#at };
    return this.#rows
      .slice(from, to + 1)
      .map((row) => row.trimEnd())
      .join('\n');
  }

  get #lowest(): number {
    return Math.max(0, this.#rows.length - this.#height);
  }

  #scroll(step: number): number {
    const top = Math.min(this.#lowest, Math.max(0, (this.#top ?? this.#lowest) + step));
    this.#top = top;
    return top;
  }
}

/** Returns the position of a text in a row. The search is case-sensitive if the text contains capitals. */
export function indexIn(row: string, text: string): number {
  return text === text.toLowerCase() ? row.toLowerCase().indexOf(text) : row.indexOf(text);
}

const rangeOf = (a: number, b: number): Range => ({ from: Math.min(a, b), to: Math.max(a, b) });

function lastWithText(rows: readonly string[]): number {
  let last = rows.length - 1;
  while (last > 0 && rows[last] === '') last--;
  return last;
}
