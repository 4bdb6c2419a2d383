/** Converts the rows of a screen to plain text. Most rows stay between two looks, so each text is converted once. */
import { withoutBlanks } from '../../../protocol/index.js';
import { LeftOverCells } from './left-over-cells.js';
import type { ScreenRules } from './look.js';
import { type PlainRow, plainRow, type ScreenRow } from './rows.js';

/** The rows of a few screens. */
const MAX_ROWS = 256;

export class PlainRows {
  /** Rows by text, one map for each combination of the other attributes of a row. */
  readonly #byText = Array.from({ length: 16 }, () => new Map<string, PlainRow>());

  readonly #leftOver: LeftOverCells;
  /** The rules of the cached rows, and an object that identifies these rows in the cache of the emulator. */
  #rules: ScreenRules | null = null;
  #by: object = {};

  /** @param state  The result of an earlier `state()`. */
  constructor(state?: readonly string[]) {
    this.#leftOver = new LeftOverCells(state);
  }

  state(): readonly string[] {
    return this.#leftOver.state();
  }

  of(row: ScreenRow, rules: ScreenRules): PlainRow {
    if (this.#rules !== rules) this.#by = {};
    this.#rules = rules;
    if (row.plain && row.plainBy === this.#by) return row.plain;
    row.plain = this.#byTextOf(row, rules);
    row.plainBy = this.#by;
    return row.plain;
  }

  /** Called when the rules have changed, so that all cached rows are invalid. */
  clear(): void {
    for (const rows of this.#byText) rows.clear();
    this.#by = {};
  }

  #byTextOf(row: ScreenRow, rules: ScreenRules): PlainRow {
    const kind = (row.isSoft ? 1 : 0) + (row.isShaded ? 2 : 0) + (row.goesOn ? 4 : 0) + (row.isStyled ? 8 : 0);
    const rows = this.#byText[kind] ?? new Map<string, PlainRow>();
    const before = rows.get(row.text);
    if (before) return before;
    const plain = this.#withoutLeftOver(plainRow(row, rules.voices));
    // A row with such characters may be in the cache with them.
    if (this.#leftOver.add(plain)) this.clear();
    if (rows.size >= MAX_ROWS) rows.clear();
    rows.set(row.text, plain);
    return plain;
  }

  #withoutLeftOver(row: PlainRow): PlainRow {
    const text = this.#leftOver.without(row.text);
    return text === row.text
      ? row
      : { ...row, squashed: withoutBlanks(text), ...(text === '' && { isOrnament: true }) };
  }
}
