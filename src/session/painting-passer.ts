/**
 * Painting passer: the shortest way through control sequences that stand one behind the other while a program paints.
 * There is no row that they could edit then: all that counts is whether the cursor left its place.
 *
 *     ESC [ 5 A ESC [ 2 K ESC [ m text
 *                                ^      returned; the rows were painted on
 *
 * In:   output, and where a sequence begins in it.
 * Out:  where the first one begins that has to be read: one with a private mark, or cut, or odd.
 */
import { BY_CODE, ERASE_DISPLAY, RESTORE } from './row-controls.js';

const ESC = 0x1b;
const BRACKET = 0x5b;
/** As many characters of parameters are read of a sequence anywhere. */
const MAX_PARAMETERS = 64;

const NOTHING = 0;
const JUMPS = 1;
const PAINTS = 2;
/** Its meaning depends on its parameters. */
const DEPENDS = 4;
const UNKNOWN = 8;
/** Kinds of control sequences, indexed by final byte. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x40 || byte >= 0x7f) return UNKNOWN;
  if (byte === ERASE_DISPLAY || byte === RESTORE) return DEPENDS;
  const control = BY_CODE[byte];
  if (control === 'up' || control === 'down' || control === 'paint') return PAINTS;
  return control === 'back' || control === 'column' ? JUMPS : NOTHING;
});

export class PaintingPasser {
  #kinds = NOTHING;

  /** Of those that were passed the last time, one moved the cursor to another row, or what stands there. */
  get paints(): boolean {
    return (this.#kinds & PAINTS) !== 0;
  }

  /** … moved the cursor within its row. */
  get jumps(): boolean {
    return (this.#kinds & JUMPS) !== 0;
  }

  /** @returns The index after them; `from` if there are none. */
  pass(bytes: Uint8Array, from: number): number {
    const { length } = bytes;
    let kinds = NOTHING;
    let at = from;
    while (at + 2 < length && bytes[at] === ESC && bytes[at + 1] === BRACKET) {
      const begin = at + 2;
      let end = begin;
      while (end < length && (bytes[end] as number) >= 0x30 && (bytes[end] as number) <= 0x3b) end++; // within bounds
      if (end === length || end - begin >= MAX_PARAMETERS) break;
      const kind = KINDS[bytes[end] as number] as number;
      if (kind >= DEPENDS) break;
      kinds |= kind;
      at = end + 1;
    }
    this.#kinds = kinds;
    return at;
  }
}
