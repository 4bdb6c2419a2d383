/**
 * Near misses on a screen: rows that look like a marker and are not one. They count once the screen is unchanged for a
 * while.
 *
 *     **:ORCHESTRATOR: BLOCKED - no network     a marker in bold may continue in the rows below
 *     and no proxy**
 */
import { isMessageType } from '../../../protocol/index.js';
import { fenceHintIn, type Hint, hintIn, hintOf } from '../../grammar/index.js';
import type { Rows } from '../rows/index.js';

export interface NearMiss extends Hint {
  /** The line, as far as it was read. */
  readonly text: string;
  /** Index of the line's row. */
  readonly row: number;
}

export const DECORATED = /^\s*[*_~`]+:/;
/** Number of rows that are read for one near miss. */
export const NEAR_MISS_ROWS = 4;

/**
 * A row of a screen may begin in the middle of a sentence, and `|` may be the border of an input line with a person's
 * words.
 */
const NOT_ON_SCREEN: ReadonlySet<string> = new Set(['marker_inline', 'marker_table']);

/** Reads the row, together with those below if it begins with a decoration. Returns null if it is not a near miss. */
export function readNearMiss(rows: Rows, row: number): NearMiss | null {
  let text = rows[row]?.text.trim() ?? '';
  const first = hintIn(text) ?? fenceHintIn(text);
  const rest = DECORATED.test(text) ? NEAR_MISS_ROWS : 0;
  for (let below = row + 1; first?.hint !== 'marker_decorated' && below < row + rest; below++) {
    const next = rows[below]?.text.trim() ?? '';
    if (next === '') break;
    text += ` ${next}`;
    const hint = hintIn(text);
    if (hint?.hint === 'marker_decorated') return { ...hint, text, row };
  }
  return first && !NOT_ON_SCREEN.has(first.hint) ? { ...first, text, row } : null;
}

/** Hints about a message that is not reported: in a visible fence, on the screen from the start, or not readable. */
export type MissedHint = 'fence_shown' | 'old_screen' | 'screen_unsure' | 'json_damaged';
export const missOf = (hint: MissedHint, text: string, row: number): NearMiss => ({
  ...hintOf(hint, text.replace(/\s+/g, ' ')),
  text,
  row,
});

/** Maximum number of rows of a damaged object. */
export const DAMAGED_ROWS = 64;
/** Number of rows that are read for the type of an object. */
const TYPE_ROWS = 3;
const TYPE = /"type"\s*:\s*"([A-Z_]+)"/;
const MAX_DAMAGED_CHARS = 1_000;

/** True if the object that begins in a row has the type of a message in its first rows. */
export const isTyped = (rows: Rows, row: number): boolean =>
  rows.slice(row, row + TYPE_ROWS).some((each) => isMessageType(TYPE.exec(each?.text ?? '')?.[1]));

/**
 * Reads an object that is no JSON, from its brace to the one below it in the same column. A program that draws markdown
 * may have left out some of its characters or rows. Returns null if its end is not shown.
 */
export function readDamaged(rows: Rows, row: number, to: number): NearMiss | null {
  const column = rows[row]?.text.indexOf('{') ?? -1;
  const texts = rows.slice(row, Math.min(to, row + DAMAGED_ROWS)).map((each) => each?.text ?? '');
  const last = texts.findIndex((text, at) => at > 0 && /[{}]/.test(text.charAt(column)));
  if (last < 0 || texts[last]?.slice(column).trim() !== '}') return null;
  const text = texts.slice(0, last + 1).join(' ');
  return missOf('json_damaged', text.slice(0, MAX_DAMAGED_CHARS), row);
}

/** The state for a checkpoint: texts only. */
export interface NearMissState {
  readonly settled: readonly string[];
  readonly waiting: readonly NearMiss[];
  /** Near misses that count even if the next looks do not show them. Absent in checkpoints of older versions. */
  readonly added?: readonly NearMiss[];
}

/** A program that shows more near misses than this is quoting documentation, for example. */
const MAX_SETTLED = 64;

/** Near misses that wait until the screen is unchanged for a while. Each text is reported once. */
export class NearMisses {
  readonly #settled: Set<string>;
  #waiting: readonly NearMiss[];
  /** The near misses that `add` has added since the last `settle`. */
  #added: readonly NearMiss[];

  constructor(state?: NearMissState) {
    this.#settled = new Set(state?.settled);
    this.#waiting = state?.waiting ?? [];
    this.#added = state?.added ?? [];
  }

  state(): NearMissState {
    return { settled: [...this.#settled], waiting: this.#waiting, added: this.#added };
  }

  /** A damaged block waits longer (`hasDamaged`): the program may paint the rest of it later. */
  get isWaiting(): boolean {
    return this.#added.length > 0 || this.#waiting.some(({ hint }) => hint !== 'json_damaged');
  }

  get hasDamaged(): boolean {
    return this.#waiting.some(({ hint }) => hint === 'json_damaged');
  }

  /** @param seen  All near misses of the last look. */
  look(seen: readonly NearMiss[]): void {
    this.#waiting = this.#settled.size < MAX_SETTLED ? seen.filter(({ text }) => !this.#settled.has(text)) : [];
  }

  /** Adds a near miss that counts even if the next looks do not show it again. */
  add(miss: NearMiss): void {
    const isKnown = this.#settled.has(miss.text) || this.#added.some(({ text }) => text === miss.text);
    if (!isKnown && this.#settled.size + this.#added.length < MAX_SETTLED) this.#added = [...this.#added, miss];
  }

  /** Returns the near misses that have waited until the screen stayed unchanged for a while. */
  settle(): readonly NearMiss[] {
    const settled = [...this.#waiting, ...this.#added];
    for (const { text } of settled) this.#settled.add(text);
    this.#waiting = [];
    this.#added = [];
    return settled;
  }
}
