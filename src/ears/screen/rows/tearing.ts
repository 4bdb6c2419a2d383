/**
 * Screen tearing: decides if a screen is half painted, so that it shows rows of two pictures at once.
 *
 *     before          half painted, from below      whole
 *       one             one        stale              two
 *       two             two        stale              three
 *       three           four       painted            four
 *       > |composer     > composer                    > |composer      | the cursor
 *
 * A program that does not use synchronized updates paints row after row, in any order, and the ear may look in between.
 * A screen is whole if the program has parked its cursor: in a row that it did not paint since the last look, away from
 * the end of its text. A program that never parks its cursor is judged by its rows: its screen is torn if rows were
 * overwritten with other text, other rows still show the old text, and no single shift explains both. If such screens
 * show that the program paints in no fixed order, the screen counts as whole only after a moment of quiet.
 */
import { columns, type PlainRow, type Rows } from './rows.js';
import { isDistinct, MAX_COMPOSER_ROWS } from './scroll-shift.js';

/** Characters of clocks and spinners, which change without a new picture. */
const CHANGING = /[\d\u2800-\u28ff◐◑◒◓✶✻✽✢·|/\\-]/gu;
/**
 * Maximum number of looks, per row of the screen, for which a picture counts as torn. Programs that paint in no order
 * get more.
 */
const MAX_LOOKS_PER_ROW = 2;
const MAX_UNORDERED_LOOKS_PER_ROW = 8;
/** After this many looks at a screen that was painted in small steps, the program counts as painting in no order. */
const MIN_STEPS = 4;
const MAX_STEP_ROWS = 3;

export interface Cursor {
  readonly x: number;
  readonly y: number;
}

/** The state for a checkpoint. It contains only values that JSON can represent. */
export interface TearingState {
  readonly last: readonly PlainRow[];
  readonly whole: readonly PlainRow[];
  readonly looks: number;
  readonly parks: boolean;
  /** True if the program does not paint from top to bottom. This and the next are absent in older checkpoints. */
  readonly tears?: boolean;
  readonly steps?: number;
  readonly climbs?: number;
  readonly lastRow?: number;
}

export class Tearing {
  /** The rows of the last screen. `#whole` holds those of the last screen that was whole. */
  #last: readonly PlainRow[] = [];
  #whole: readonly PlainRow[] = [];
  /** Number of looks since the last whole screen. */
  #looks = 0;
  /** True if the program has parked its cursor at the end of its last pictures. */
  #parks = false;
  /**
   * True if the program does not paint from top to bottom. Its screen then counts as complete only after a short
   * silence.
   */
  #isUnordered = false;
  /** Number of torn screens since the last whole one, each painted one or a few rows further than the one before. */
  #steps = 0;
  /** Consecutive looks that showed a few rows painted above those of the look before, and the first of those rows. */
  #climbs = 0;
  #lastRow = -1;

  constructor(state?: TearingState) {
    if (!state) return;
    this.#last = state.last;
    this.#whole = state.whole;
    this.#looks = state.looks;
    this.#parks = state.parks;
    this.#steps = state.steps ?? 0;
    this.#isUnordered = state.tears ?? false;
    this.#climbs = state.climbs ?? 0;
    this.#lastRow = state.lastRow ?? -1;
  }

  state(): TearingState {
    const [last, whole, looks] = [this.#last, this.#whole, this.#looks];
    const [steps, climbs, lastRow] = [this.#steps, this.#climbs, this.#lastRow];
    return { last, whole, looks, parks: this.#parks, tears: this.#isUnordered, steps, climbs, lastRow };
  }

  /** True if the program is known to park its cursor, so that a whole screen can be recognized. */
  get parks(): boolean {
    return this.#parks;
  }

  /** True if the program does not paint from top to bottom. */
  get isUnordered(): boolean {
    return this.#isUnordered;
  }

  /**
   * True if a screen is half painted.
   *
   * @param cursor Null if the program is about to erase or move rows at the cursor: it went there to paint.
   * @param header Number of rows pinned at the top, which never move.
   */
  take(screen: readonly PlainRow[], cursor: Cursor | null, header: number): boolean {
    const isParked = cursor !== null && this.#isParked(screen, cursor);
    const isOther = screen.length !== this.#whole.length;
    const step = stepOf(this.#last, screen);
    this.#climb(step);
    this.#last = screen;
    this.#looks++;
    const maxLooks = this.#isUnordered && !this.#parks ? MAX_UNORDERED_LOOKS_PER_ROW : MAX_LOOKS_PER_ROW;
    const isDue = this.#looks > maxLooks * screen.length;
    if (isParked) this.#parks = true;
    else if (isDue) [this.#parks, this.#isUnordered] = [false, false];
    if (!isParked && !isDue && !isOther) {
      if (this.#parks || this.#isUnordered) return true;
      if (isTorn(this.#whole, screen, header)) {
        if (step && step.first >= header && step.last < screen.length - MAX_COMPOSER_ROWS) this.#steps++;
        this.#isUnordered ||= this.#steps >= MIN_STEPS;
        return true;
      }
    }
    this.settle();
    return false;
  }

  /** Called when the program itself marks a screen as whole. */
  begin(screen: readonly PlainRow[]): void {
    this.#last = screen;
    this.settle();
  }

  /** Called after a short silence: the last screen was complete. */
  settle(): void {
    this.#whole = this.#last;
    this.#looks = 0;
    this.#steps = 0;
  }

  /** Called when the next screen will be different and complete. */
  forget(): void {
    this.#last = [];
    this.#whole = [];
    this.#looks = 0;
    this.#steps = 0;
  }

  /** Recognizes a program that paints from bottom to top, before a row of another picture is left. */
  #climb(step: Step | null): void {
    this.#climbs = step && step.last < this.#lastRow ? this.#climbs + 1 : 0;
    this.#lastRow = step?.first ?? -1;
    this.#isUnordered ||= this.#climbs >= MIN_STEPS;
  }

  #isParked(screen: readonly PlainRow[], { x, y }: Cursor): boolean {
    const row = screen[y];
    if (!row || row.squashed !== this.#last[y]?.squashed) return false;
    return x !== columns(row.text.trimEnd());
  }
}

interface Step {
  readonly first: number;
  readonly last: number;
}

/** The rows that were painted, if they are few. */
function stepOf(before: Rows, screen: Rows): Step | null {
  let count = 0;
  let first = -1;
  let last = -1;
  for (let index = 0; index < screen.length; index++) {
    if (screen[index] === before[index] || screen[index]?.squashed === before[index]?.squashed) continue;
    if (++count > MAX_STEP_ROWS) return null;
    if (first === -1) first = index;
    last = index;
  }
  return count > 0 ? { first, last } : null;
}

function isTorn(previous: Rows, screen: Rows, header: number): boolean {
  const end = screen.length - MAX_COMPOSER_ROWS;
  const changes = screen.map((row, index) => changeOf(previous[index], row));
  if (!changes.slice(header, end).includes('none') || !changes.includes('other')) return false;
  for (let by = 1; by < end - header; by++) {
    if ([by, -by].some((shift) => isShifted(previous, screen, changes, { header, end, by: shift }))) return false;
  }
  return true;
}

type Change = 'none' | 'grown' | 'other' | 'blank';

function changeOf(before: PlainRow | undefined, now: PlainRow | undefined): Change {
  if (before?.squashed === now?.squashed) return isDistinct(now) ? 'none' : 'blank';
  return isSameOrGrown(before, now) ? 'grown' : 'other';
}

interface Shifted {
  readonly header: number;
  readonly end: number;
  readonly by: number;
}

/**
 * True if all rows that are on both screens have moved by this many rows, and there are more of them than stale ones
 * beside them.
 */
function isShifted(previous: Rows, screen: Rows, changes: readonly Change[], { header, end, by }: Shifted): boolean {
  let moved = 0;
  let stale = 0;
  for (let index = header; index < end; index++) {
    if (index + by < header || index + by >= end) stale += changes[index] === 'none' ? 1 : 0;
    else if (!isSameOrGrown(previous[index + by], screen[index])) return false;
    else if (changes[index] !== 'none') moved++;
  }
  return moved > stale;
}

/** True if a row has the same text, except for a time or spinner. */
export function isSame(before: PlainRow | undefined, now: PlainRow | undefined): boolean {
  return before?.squashed === now?.squashed || lasting(before) === lasting(now);
}

const lastingOf = new WeakMap<PlainRow, string>();

function lasting(row: PlainRow | undefined): string {
  if (!row) return '';
  const known = lastingOf.get(row) ?? row.squashed.replace(CHANGING, '');
  lastingOf.set(row, known);
  return known;
}

const isSameOrGrown = (before: PlainRow | undefined, now: PlainRow | undefined): boolean =>
  (now?.squashed ?? '').startsWith(before?.squashed ?? '') || isSame(before, now);
