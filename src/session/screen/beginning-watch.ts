/**
 * Beginning watch: tells whether text was printed that could begin or end a message.
 *
 *     {     }       an object
 *     ```   ~~~     a fence
 *     <o    </      `<output>`, and its end; in upper or lower case
 *     :o            a marker
 *     ⎿ └ ╰ ├ ↳     a branch: the text after it belongs to a tool; not where a border of a box begins (`╰──────╯`)
 *
 * In:   the text that a terminal prints, cut anywhere; control sequences between two characters are ignored.
 * Out:  `hasCome`, true from such a character on until `forget` is called.
 */
/** Kinds of bytes: of no interest, the beginning of a pattern, the last byte of a pattern. */
const OTHER = 0;
const BEGINS = 1;
const ENDS = 2;
const KINDS = new Uint8Array(256);
const code = (character: string): number => character.charCodeAt(0);
KINDS[code('{')] = BEGINS;
KINDS[code('}')] = BEGINS;
/** Patterns of three bytes. A first byte of 0 matches every byte. */
const BEGINNINGS: ReadonlySet<number> = new Set([
  ...['```', '~~~'].map((text) => Buffer.from(text).readUIntBE(0, 3)),
  ...['<o', '<O', '</', ':o', ':O'].map((text) => Buffer.from(text).readUIntBE(0, 2)),
]);
/** The bytes of `─`. After a character that may be a branch, a long run of it is the border of a box: `╰──────╯`. */
const [DASH_1, DASH_2, DASH_3] = [0xe2, 0x94, 0x80];
const BRANCHES: ReadonlySet<number> = new Set(
  ['⎿', '└', '╰', '├', '↳'].map((glyph) => Buffer.from(glyph).readUIntBE(0, 3)),
);
/**
 * Maximum number of dashes in a branch. The dashes may be followed by something other than a blank, because a cursor
 * movement may have left a gap.
 */
const SHORT_DASHES = 4;
for (const beginning of [...BEGINNINGS, ...BRANCHES]) KINDS[beginning & 0xff] = ENDS;
const SPACE = 0x20;
const TAIL_BITS = 0x1000000;

export class BeginningWatch {
  #hasCome = false;
  /** The last three bytes, as one number, except those of a pattern that was already found. */
  #tail = 0;
  /** After a character that may be a branch: 1, plus one for each dash, up to SHORT_DASHES + 2. Otherwise 0. */
  #dashes = 0;
  /** Number of bytes of the next dash so far. */
  #dashBytes = 0;

  get hasCome(): boolean {
    return this.#hasCome;
  }

  /** The state as one number, for a checkpoint; 0 for a new watch. */
  get state(): number {
    return this.#tail + (this.#dashes * 4 + this.#dashBytes) * TAIL_BITS;
  }

  set state(state: number) {
    const rest = Math.floor(state / TAIL_BITS);
    this.#tail = state % TAIL_BITS;
    this.#dashes = rest >> 2;
    this.#dashBytes = rest & 3;
  }

  take(bytes: Uint8Array, start: number, end: number): void {
    if (this.#hasCome) return;
    let tail = this.#tail;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number; // within bounds
      tail = ((tail << 8) | byte) & 0xffffff;
      if (this.#dashes > 0 && this.#isBranch(byte)) {
        this.come();
        return;
      }
      const kind = KINDS[byte];
      if (kind === OTHER) continue;
      if (kind === BEGINS || BEGINNINGS.has(tail) || BEGINNINGS.has(tail & 0xffff)) {
        this.come();
        return;
      }
      if (BRANCHES.has(tail)) this.#dashes = 1;
    }
    this.#tail = tail;
  }

  forget(): void {
    this.#hasCome = false;
    this.state = 0;
  }

  /** Called when such a character came. */
  come(): void {
    this.#hasCome = true;
    this.state = 0;
  }

  /**
   * Called after a character that may be a branch.
   * @returns True if it is one, as far as this byte shows.
   */
  #isBranch(byte: number): boolean {
    const expected = this.#dashBytes === 0 ? DASH_1 : this.#dashBytes === 1 ? DASH_2 : DASH_3;
    if (byte === expected) {
      this.#dashBytes = (this.#dashBytes + 1) % 3;
      if (this.#dashBytes === 0) this.#dashes = Math.min(this.#dashes + 1, SHORT_DASHES + 2);
      return false;
    }
    const isBranch = byte === SPACE || this.#dashes <= SHORT_DASHES + 1;
    this.#dashes = 0;
    this.#dashBytes = 0;
    return isBranch;
  }
}
