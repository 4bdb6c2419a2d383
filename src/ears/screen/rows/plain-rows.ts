/** Converts the rows of a screen to plain text. Most rows stay between two looks, so each text is converted once. */
import type { ScreenRules } from './look.js';
import { type PlainRow, plainRow, type ScreenRow } from './rows.js';

/** The rows of a few screens. */
const MAX_ROWS = 256;

export class PlainRows {
  /** Rows by text, one map for each combination of the other attributes of a row. */
  readonly #byText = Array.from({ length: 16 }, () => new Map<string, PlainRow>());

  of(row: ScreenRow, rules: ScreenRules): PlainRow {
    if (row.plain && row.plainBy === rules) return row.plain;
    row.plain = this.#byTextOf(row, rules);
    row.plainBy = rules;
    return row.plain;
  }

  /** Called when the rules have changed, so that all cached rows are invalid. */
  clear(): void {
    for (const rows of this.#byText) rows.clear();
  }

  #byTextOf(row: ScreenRow, rules: ScreenRules): PlainRow {
    const kind = (row.isSoft ? 1 : 0) + (row.isShaded ? 2 : 0) + (row.goesOn ? 4 : 0) + (row.isStyled ? 8 : 0);
    const rows = this.#byText[kind] ?? new Map<string, PlainRow>();
    const before = rows.get(row.text);
    if (before) return before;
    const plain = plainRow(row, rules.voices);
    if (rows.size >= MAX_ROWS) rows.clear();
    rows.set(row.text, plain);
    return plain;
  }
}
