/**
 * Digests: short strings by which long texts are recognized. They are not cryptographic. A program that constructs two
 * texts with the same digest can only hide its own message.
 */
/** 128 bits of a text, as 32 hexadecimal digits (cyrb128: four multiplicative lanes). */
export function digest(text: string): string {
  return digestOf(text, false);
}

/** As `digest`, but ignores all blanks (`\s`) of the text. */
export function inkDigest(text: string): string {
  return digestOf(text, true);
}

function digestOf(text: string, isInkOnly: boolean): string {
  // Signed 32-bit numbers: all operations keep them so.
  let a = 1779033703 | 0;
  let b = 3144134277 | 0;
  let c = 1013904242 | 0;
  let d = 2773480762 | 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInkOnly && (code <= 32 || code >= 0xa0) && isBlank(code)) continue;
    a = b ^ Math.imul(a ^ code, 597399067);
    b = c ^ Math.imul(b ^ code, 2869860233);
    c = d ^ Math.imul(c ^ code, 951274213);
    d = a ^ Math.imul(d ^ code, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  return hex(a ^ b ^ c ^ d) + hex(b ^ a) + hex(c ^ a) + hex(d ^ a);
}

/** Matches what `\s` matches. */
function isBlank(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  if (code === 0xa0 || code === 0x1680 || code === 0x3000 || code === 0xfeff) return true;
  return code >= 0x2000 && (code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f);
}

/** The two hexadecimal digits of each byte. */
const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hex(lane: number): string {
  const high = `${DIGITS[lane >>> 24]}${DIGITS[(lane >>> 16) & 255]}`;
  return `${high}${DIGITS[(lane >>> 8) & 255]}${DIGITS[lane & 255]}`;
}
