/** How xterm.js 6.0.0 stores a cell of a line (`Line._data`); see its `Constants.ts` and `BufferLine.ts`. */

/** Numbers of a cell: content, text colour and flags, background and flags. */
export const CELL = 3;
/** Index of the background in a cell. */
export const BACKGROUND = 2;
/** Flag of the content: the cell holds several code points, which are stored in `Line._combined`. */
export const IS_COMBINED = 0x200000;
