/** Digest: a short name for a long text, to know it again by. Not cryptographic: who finds two texts of one digest deceives himself alone. */
/** 128 bits of a text, as 32 hexadecimal digits (cyrb128: four multiplicative lanes). */
export function digest(text: string): string {
  let a = 1779033703;
  let b = 3144134277;
  let c = 1013904242;
  let d = 2773480762;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
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

const hex = (lane: number): string => (lane >>> 0).toString(16).padStart(8, '0');
