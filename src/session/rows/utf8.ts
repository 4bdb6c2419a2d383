/**
 * UTF-8, one character at a time, for rows whose columns are code points.
 *
 *     E2 82 AC     €
 *     E2 82 41     U+FFFD (two bytes), then A: a byte that cannot continue a character stands for itself
 *     E2 82        incomplete: the rest may come
 */
const REPLACEMENT = 0xfffd;
const SIZE_BITS = 3;
const SIZE_MASK = 7;

/** The result for a character that is incomplete at the end. */
export const CUT = -1;

/**
 * Reads the character at `at`. Bytes that cannot be the beginning of a character are read as one U+FFFD.
 * @returns A number for `codeOf` and `sizeOf`; or CUT.
 */
export function readCharacter(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] as number; // within bounds
  if (first < 0x80) return pack(first, 1);
  if (first < 0xc2 || first > 0xf4) return pack(REPLACEMENT, 1);
  if (at + 1 >= end) return CUT;
  const second = bytes[at + 1] as number;
  if (first < 0xe0) return isRest(second) ? pack(((first & 0x1f) << 6) | (second & 0x3f), 2) : pack(REPLACEMENT, 1);
  if (!isSecond(first, second)) return pack(REPLACEMENT, 1);
  if (at + 2 >= end) return CUT;
  const third = bytes[at + 2] as number;
  if (!isRest(third)) return pack(REPLACEMENT, 2);
  const most = ((second & 0x3f) << 6) | (third & 0x3f);
  if (first < 0xf0) return pack(((first & 0x0f) << 12) | most, 3);
  if (at + 3 >= end) return CUT;
  const fourth = bytes[at + 3] as number;
  return isRest(fourth) ? pack(((first & 0x07) << 18) | (most << 6) | (fourth & 0x3f), 4) : pack(REPLACEMENT, 3);
}

export const codeOf = (character: number): number => character >> SIZE_BITS;

/** Returns the number of bytes. */
export const sizeOf = (character: number): number => character & SIZE_MASK;

/**
 * True if `second` may follow the first byte of a character of three or four bytes: overlong forms, surrogates and code
 * points beyond Unicode are excluded.
 */
export function isSecond(first: number, second: number): boolean {
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high;
}

/** @returns The index after it. */
export function writeCharacter(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    bytes[at] = code;
    return at + 1;
  }
  if (code < 0x800) {
    bytes[at] = 0xc0 | (code >> 6);
    bytes[at + 1] = 0x80 | (code & 0x3f);
    return at + 2;
  }
  if (code < 0x10000) {
    bytes[at] = 0xe0 | (code >> 12);
    bytes[at + 1] = 0x80 | ((code >> 6) & 0x3f);
    bytes[at + 2] = 0x80 | (code & 0x3f);
    return at + 3;
  }
  bytes[at] = 0xf0 | (code >> 18);
  bytes[at + 1] = 0x80 | ((code >> 12) & 0x3f);
  bytes[at + 2] = 0x80 | ((code >> 6) & 0x3f);
  bytes[at + 3] = 0x80 | (code & 0x3f);
  return at + 4;
}

const isRest = (byte: number): boolean => (byte & 0xc0) === 0x80;

const pack = (code: number, size: number): number => (code << SIZE_BITS) | size;
