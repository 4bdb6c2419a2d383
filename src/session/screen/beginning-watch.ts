/**
 * Beginning watch: has anything been printed that could begin or end a message?
 *
 *     {     }       an object
 *     ```   ~~~     a fence
 *     <o    </      `<output>`, and its end; in whatever case
 *     :o            a marker
 *     ⎿ └ ╰ ├ ↳     a branch: what stands behind it is a tool's; not where a border of a box begins (`╰──────╯`)
 *
 * In:   the text that a terminal prints, cut anywhere; control sequences between two characters do not count.
 * Out:  `hasCome`, from such a character on until it is forgotten.
 */
/** Kinds of bytes: of no interest, the beginning of a pattern, the last byte of a pattern. */
const OTHER = 0;
const BEGINS = 1;
const ENDS = 2;
const KINDS = new Uint8Array(256);
const code = (character: string): number => character.charCodeAt(0);
KINDS[code('{')] = BEGINS;
KINDS[code('}')] = BEGINS;
/** Of three bytes, of which the first does not count where it is 0. */
const BEGINNINGS: ReadonlySet<number> = new Set([
  ...['```', '~~~'].map((text) => Buffer.from(text).readUIntBE(0, 3)),
  ...['<o', '<O', '</', ':o', ':O'].map((text) => Buffer.from(text).readUIntBE(0, 2)),
]);
/** The bytes of `─`. Behind a glyph that may be a branch, a long run of it is the border of a box: `╰──────╯`. */
const [DASH_1, DASH_2, DASH_3] = [0xe2, 0x94, 0x80];
const BRANCHES: ReadonlySet<number> = new Set(
  ['⎿', '└', '╰', '├', '↳'].map((glyph) => Buffer.from(glyph).readUIntBE(0, 3)),
);
/** A branch may have so many dashes and then something else than a blank: a cursor movement may have left a gap. */
const SHORT_DASHES = 4;
for (const beginning of [...BEGINNINGS, ...BRANCHES]) KINDS[beginning & 0xff] = ENDS;
const SPACE = 0x20;
const TAIL_BITS = 0x1000000;

export class BeginningWatch {
  #hasCome = false;
  /** The last three bytes, as one number; none of them is part of what has begun. */
  #tail = 0;
  /** Behind a glyph that may be a branch: one, and one for each dash, up to SHORT_DASHES + 2; 0 elsewhere. */
  #dashes = 0;
  /** Bytes of the next dash that have come. */
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

  /** Such a character has come. */
  come(): void {
    this.#hasCome = true;
    this.state = 0;
  }

  /** Behind a glyph that may be a branch. @returns True where it is one, as far as this byte shows. */
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
