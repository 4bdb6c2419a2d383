/**
 * Collects the standard error of a program on pipes: pieces of text, in order, with a limit.
 *
 * In:   bytes as they arrive.
 * Out:  text through `tell`: the first FIRST_BYTES at once, in whole characters. Of the rest, the last LAST_BYTES
 *       at the end, with the number of dropped bytes before them, because the last words of a program usually explain
 *       its end.
 */
import { StringDecoder } from 'node:string_decoder';

const FIRST_BYTES = 256 * 1024;
const LAST_BYTES = 64 * 1024;

export class ErrorText {
  readonly #tell: (text: string, dropped: number) => void;
  readonly #decoder = new StringDecoder('utf8');
  /** Number of bytes that may still be reported at once. */
  #room = FIRST_BYTES;
  /** Received bytes; the end of them becomes the last part. */
  #last: Buffer[] = [];
  #lastBytes = 0;
  #dropped = 0;

  constructor(tell: (text: string, dropped: number) => void) {
    this.#tell = tell;
  }

  /** @param bytes  Borrowed: valid only during the call. */
  push(bytes: Buffer): void {
    const first = bytes.subarray(0, this.#room);
    this.#room -= first.length;
    if (first.length > 0) this.#say(this.#decoder.write(first), 0);
    if (bytes.length > first.length) this.#keep(Buffer.from(bytes.subarray(first.length)));
  }

  /** Called when the stream has ended. Reports the last part. */
  end(): void {
    const last = Buffer.concat(this.#last);
    const isWhole = this.#dropped === 0 && last.length <= LAST_BYTES;
    const from = isWhole ? 0 : firstCharacter(last, last.length - LAST_BYTES);
    const decoder = isWhole ? this.#decoder : new StringDecoder('utf8');
    this.#say(decoder.write(last.subarray(from)) + decoder.end(), this.#dropped + from);
  }

  #keep(bytes: Buffer): void {
    this.#last.push(bytes);
    this.#lastBytes += bytes.length;
    for (let oldest = this.#last[0]; oldest && this.#lastBytes - oldest.length >= LAST_BYTES; oldest = this.#last[0]) {
      this.#last.shift();
      this.#lastBytes -= oldest.length;
      this.#dropped += oldest.length;
    }
  }

  #say(text: string, dropped: number): void {
    if (text !== '' || dropped > 0) this.#tell(text, dropped);
  }
}

/** @returns The index at which the next UTF-8 character begins: `from`, or at most three bytes later. */
function firstCharacter(bytes: Buffer, from: number): number {
  const start = Math.max(0, from);
  for (let at = start; at < start + 4; at++) if (((bytes[at] ?? 0) & 0xc0) !== 0x80) return at;
  return start;
}
