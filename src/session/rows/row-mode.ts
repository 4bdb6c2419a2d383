/**
 * The mode of a row maker, with what it knows in this mode. row-maker.ts says when a mode begins and ends.
 *
 * A checkpoint has the fields of all modes beside one another, as `ModeState`. Those of other modes have no meaning.
 */

export interface LinesMode {
  readonly mode: 'lines';
  /**
   * Set while output up to the next line feed is ignored: the number of columns of the open row that were taken before
   * its line feed. The echo follows them.
   */
  taken: number | null;
  /** Number of rows from the cursor down to the lowest row that was printed. */
  depth: number;
  /** True if the lowest row had text, or was ignored, when the cursor left it upwards. */
  isTouched: boolean;
  /** The beginning of the text that was printed over a row; '' for none. One character per byte, also a last CR. */
  over: string;
  /** Journal position of its first byte. */
  overFrom: number;
}

interface ScreenMode {
  readonly mode: 'screen';
  /** Number of rows since the last repaint. */
  linear: number;
  isRowPainted: boolean;
  /**
   * True from the moment at which all modes of `HELD_MODES` ended, or at which input was submitted without them, to the
   * next painting.
   */
  isReleased: boolean;
  /** Time of the last repaint. */
  paintedAt: number;
}

interface AlternateMode {
  readonly mode: 'alternate';
  /** As in the lines before, which continue when the alternate screen ends. */
  readonly taken: number | null;
}

export type RowMode = LinesMode | ScreenMode | AlternateMode;

export interface ModeState {
  mode: RowMode['mode'];
  isIgnored: boolean;
  isTouched: boolean;
  depth: number;
  linear: number;
  isPainted: boolean;
  /** Absent in checkpoints of older versions, and while the program does not paint. */
  paintedAt?: number;
  /** Absent in checkpoints of older versions, and while the program has set none of `HELD_MODES`. */
  control?: TerminalControl;
  /** Absent if no row was taken before its line feed. */
  taken?: number;
  /** Absent if no text was printed over a row, and in checkpoints of older versions. */
  over?: string;
  overFrom?: number;
}

/** The terminal modes that a program sets while it reads keys, and whether it has reset them. */
interface TerminalControl {
  /** The modes of `HELD_MODES` that are set. */
  held: readonly number[];
  isReleased: boolean;
}

export const linesMode = (taken: number | null): LinesMode => ({
  mode: 'lines',
  taken,
  depth: 0,
  isTouched: false,
  over: '',
  overFrom: 0,
});
export const screenMode = (paintedAt: number): ScreenMode => ({
  mode: 'screen',
  linear: 0,
  isRowPainted: true,
  isReleased: false,
  paintedAt,
});

export function modeOf({
  mode,
  isIgnored,
  isTouched,
  depth,
  linear,
  isPainted,
  paintedAt = Number.NEGATIVE_INFINITY,
  control,
  taken = 0,
  over = '',
  overFrom = 0,
}: ModeState): RowMode {
  const ignored = isIgnored ? taken : null;
  if (mode === 'lines') return { mode, taken: ignored, depth, isTouched, over, overFrom };
  if (mode === 'alternate') return { mode, taken: ignored };
  return { mode, linear, isRowPainted: isPainted, isReleased: control?.isReleased ?? false, paintedAt };
}

export function modeState(at: RowMode, held: readonly number[]): ModeState {
  const { taken, depth, isTouched, over, overFrom, linear, isRowPainted, isReleased } = { ...NO_FIELDS, ...at };
  return {
    mode: at.mode,
    isIgnored: taken !== null,
    isTouched,
    depth,
    linear,
    isPainted: isRowPainted,
    ...(at.mode === 'screen' && Number.isFinite(at.paintedAt) && { paintedAt: at.paintedAt }),
    ...((held.length > 0 || isReleased) && { control: { held, isReleased } }),
    ...(taken !== null && taken > 0 && { taken }),
    ...(over !== '' && { over, overFrom }),
  };
}

const NO_FIELDS = { ...linesMode(null), linear: 0, isRowPainted: false, isReleased: false };
