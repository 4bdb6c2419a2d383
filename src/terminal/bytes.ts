/** Control characters, by their usual names. */
export const BEL = 0x07;
export const LF = 0x0a;
export const CR = 0x0d;
export const ESC = 0x1b;

/** The byte after ESC that begins a sequence of each kind. */
export const CSI = 0x5b;
export const OSC = 0x5d;
export const DCS = 0x50;
export const SOS = 0x58;
export const PM = 0x5e;
export const APC = 0x5f;
