/**
 * Plain bytes: where a run of text ends in a terminal's output.
 *
 * Text is everything but control characters, TAB among it. Eight bytes are looked at in one step; most of what programs print is such runs.
 */
/** 1 for bytes that are text. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => (byte === 9 || (byte >= 32 && byte !== 127) ? 1 : 0));
const TAB = 9;
/** A view costs more than it saves below this. */
const MIN_VIEWED_BYTES = 64;

/** Bytes, and the same memory to be read as words; null where they are few. */
export interface PlainBytes {
  readonly bytes: Buffer;
  readonly words: DataView | null;
}

export function plainBytes(output: Uint8Array): PlainBytes {
  const bytes = Buffer.isBuffer(output) ? output : Buffer.from(output.buffer, output.byteOffset, output.length);
  if (bytes.length < MIN_VIEWED_BYTES) return { bytes, words: null };
  return { bytes, words: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
}

/** The index of the first byte at or after `from` that is no text; the length if there is none. */
export function plainEnd({ bytes, words }: PlainBytes, from: number): number {
  let at = from;
  if (words) {
    const last = bytes.length - 8;
    while (at <= last) {
      const first = controls(words.getInt32(at));
      const second = controls(words.getInt32(at + 4));
      if ((first | second) === 0) at += 8;
      else {
        //  big end first: the leading zeros of the bits that are set say which byte is the first
        const end = first === 0 ? at + 4 + (Math.clz32(second) >> 3) : at + (Math.clz32(first) >> 3);
        if (bytes[end] !== TAB) return end;
        at = end + 1;
      }
    }
  }
  while (at < bytes.length && PLAIN[bytes[at] as number] === 1) at++; // within bounds
  return at;
}

/** @returns A word in which the high bit is set of each byte that is a control character. */
function controls(word: number): number {
  //  the low seven bits of each byte, so that no sum reaches the next one:
  //  + 0x60 has the high bit from 0x20 on, + 0x01 has it for 0x7f; bytes from 0x80 on are text, whatever the sums say
  const low = word & 0x7f7f7f7f;
  return (~(low + 0x60606060) | (low + 0x01010101)) & ~word & 0x80808080;
}
