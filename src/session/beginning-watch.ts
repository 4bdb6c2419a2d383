/**
 * Beginning watch: has anything been printed that could begin a message?
 *
 *     {             an object
 *     ```   ~~~     a fence
 *     <o    :o      `<output>`, a marker; in whatever case
 *     ⎿ └ ╰ ├ ↳     a branch: what stands behind it is a tool's
 *
 * In:   the text that a terminal prints, cut anywhere; control sequences between two characters do not count.
 * Out:  `hasCome`, from such a character on until it is forgotten.
 */
/** By byte: of no interest; something begins; the last one of several that are looked up together. */
const OTHER = 0;
const BEGINS = 1;
const ENDS = 2;
const KINDS = new Uint8Array(256);
const code = (character: string): number => character.charCodeAt(0);
KINDS[code('{')] = BEGINS;
/** Of three bytes, of which the first does not count where it is 0. */
const BEGINNINGS: ReadonlySet<number> = new Set([
  ...['```', '~~~', '⎿', '└', '╰', '├', '↳'].map((text) => Buffer.from(text).readUIntBE(0, 3)),
  ...['<o', '<O', ':o', ':O'].map((text) => Buffer.from(text).readUIntBE(0, 2)),
]);
for (const beginning of BEGINNINGS) KINDS[beginning & 0xff] = ENDS;

export class BeginningWatch {
  #hasCome = false;
  /** The last three bytes; none of them is part of what has begun. */
  tail = 0;

  get hasCome(): boolean {
    return this.#hasCome;
  }

  take(bytes: Uint8Array, start: number, end: number): void {
    if (this.#hasCome) return;
    let tail = this.tail;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number; // within bounds
      tail = ((tail << 8) | byte) & 0xffffff;
      const kind = KINDS[byte];
      if (kind === OTHER) continue;
      if (kind === BEGINS || BEGINNINGS.has(tail) || BEGINNINGS.has(tail & 0xffff)) {
        this.#hasCome = true;
        this.tail = 0;
        return;
      }
    }
    this.tail = tail;
  }

  forget(): void {
    this.#hasCome = false;
    this.tail = 0;
  }
}
