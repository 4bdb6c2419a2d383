/** Control characters, by their usual names. */
export const BEL = 0x07;
export const LF = 0x0a;
export const CR = 0x0d;
export const ESC = 0x1b;
