/** A look at the screen that an agent paints, and what the screen ear knows about its program. */
import type { ScreenRow, Voices } from './rows.js';
import type { Cursor } from './tearing.js';

export interface Look {
  /** Journal position of this look, and of the look before. */
  readonly at: number;
  readonly since: number;
  /** Time of the record at this look, in milliseconds; absent if there is none. */
  readonly timeMs?: number | undefined;
  readonly cols: number;
  /**
   * Number of the screen's rows, which are the last ones of `rows`. Rows that have left the screen since the last look
   * come before them, if they are known.
   */
  readonly size: number;
  readonly rows: readonly ScreenRow[];
  /** True if the rows continue where the last look ended. If not, their place must be searched. */
  readonly isContinued: boolean;
  /** True if a synchronized update ends here. The program thereby declares the screen complete. */
  readonly isFramed: boolean;
  /** True if the program is about to erase or move rows at the cursor. The cursor is then not parked. */
  readonly isErasing?: boolean | undefined;
  /** True if the program paused at this look, so that no picture is half painted. */
  readonly isAtRest?: boolean | undefined;
  /** Indices on the screen of the rows whose text differs from the last look; null if all rows may differ. */
  readonly changed: readonly number[] | null;
  /** True if rows are read in another way than at the last look: messages that were not seen before are not new. */
  readonly isReframed?: boolean | undefined;
  /** Position of the cursor on the screen. */
  readonly cursor: Cursor;
  /** True if a person's key made the program show these rows: messages that are complete at first sight may be old. */
  readonly isViewed?: boolean | undefined;
}

export interface ScreenRules {
  readonly fences: 'swallowed' | 'printed';
  /** True if the program draws markdown within messages, too: it may have left out marks. */
  readonly dropsMarks?: boolean;
  readonly isBoxed: boolean;
  readonly voices: Voices | null;
  /** True if the program has an adapter. */
  readonly isKnown: boolean;
}
