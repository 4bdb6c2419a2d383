/** How xterm.js 6.0.0 stores a cell of a line (`Line._data`); see its `Constants.ts` and `BufferLine.ts`. */

/** Numbers of a cell: content, text colour and flags, background and flags. */
export const CELL = 3;
/** Index of the background in a cell. */
export const BACKGROUND = 2;

/** Parts of the content. IS_COMBINED: the cell holds several code points, which are stored in `Line._combined`. */
export const IS_COMBINED = 0x200000;
export const CODE_POINT = 0x1fffff;
export const HAS_CONTENT = CODE_POINT | IS_COMBINED;
export const WIDTH_SHIFT = 22;

/** Kinds of colours: the palette of 16, that of 256, and RGB. */
export const KIND = 0x3000000;
export const DEFAULT = 0;
export const IS_RGB = KIND;
export const RGB = 0xffffff;
/** The number of a colour in its palette. */
export const NUMBER = 0xff;

/** Flags of the text colour. */
export const INVERSE = 0x4000000;
export const BOLD = 0x8000000;
export const UNDERLINE = 0x10000000;
export const BLINK = 0x20000000;
export const INVISIBLE = 0x40000000;
export const STRIKETHROUGH = 0x80000000;

/** Flags of the background. */
export const ITALIC = 0x4000000;
export const DIM = 0x8000000;
export const HAS_EXTENDED = 0x10000000;
export const OVERLINE = 0x40000000;
