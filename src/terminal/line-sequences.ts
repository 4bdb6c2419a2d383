/**
 * Classifies the sequences of output that may have printed lines, and tracks the states that they set.
 *
 *     ESC [ 1 ; 31 m      the pen                 ESC ] 0 ; title BEL       the title
 *     ESC [ 2 K           within the row          ESC ] 8 ; ; link ESC \    the link
 *     ESC [ ? 25 l        a mode of `MODES`       ESC ( B                   nothing, if only this set is ever chosen
 *
 * In:   output, beginning with the rest of an incomplete sequence, if there was one (`read`).
 * Out:  its kind; the beginning of an incomplete sequence; all states as one string (`states`).
 */

import { Pen } from './pen.js';
import { ESC } from './sequences.js';

export type Kind = 'lines' | 'painting' | 'asking';

interface Reading {
  readonly kind: Kind;
  /** Offset at which an incomplete sequence begins; the length of the output if there is none. */
  readonly cut: number;
  /** The states before the first sequence behind `place`. */
  readonly statesAtPlace: string;
}

/** The state of a terminal, as far as it is needed here. */
export interface Seen {
  readonly isBetween: boolean;
  readonly hasApplicationCursor: boolean;
  readonly hasBracketedPaste: boolean;
}

/** Longer strings are not waited for: they are emulated. */
const MAX_STRING_BYTES = 4096;
/** Modes that change nothing of what is printed. */
const MODES = ['1', '12', '25', '1004', '2004', '2026'];
/** The sequences of each, by its number. */
const MODE_SEQUENCES = new Map(
  MODES.map((name) => [Number(name), { name, set: modeOf(name, true), reset: modeOf(name, false) }]),
);
/** A parameter without digits, and one that is no mode. */
const NO_NUMBER = -1;
const NO_MODE = 10_000;
const QUESTION = 0x3f;
const SEMICOLON = 0x3b;
/**
 * OSC numbers that a terminal does not answer, whatever the payload: title, directory, notifications, prompts,
 * progress.
 */
const SILENT = new Set(['0', '1', '2', '7', '8', '9', '133', '633', '777', '1337']);
/** Final bytes of control sequences that stay in the row: ICH, CUF, CUB, CHA, EL, DCH, ECH. */
const IN_ROW = bytesOf('@CDGKPX');
/** Of those that may be answered: DA, DSR, DECRQM, size reports. */
const ANSWERED = bytesOf('cnpt');
/** Queries that every screen answers in the same way: DA1, DA2, the device status, XTVERSION, the default colours. */
const FIXED_QUERY = /^(?:\x1b\[(?:0?c|>0?c|5n|>0?q)|\x1b\]1[012];\?(?:\x07|\x1b\\))$/;
const NO_QUERIES: readonly string[] = [];
/** Cancels a sequence that is cut, and returns. */
const BEGIN = '\x18\r';
const RANKS: Readonly<Record<Kind, number>> = { lines: 0, painting: 1, asking: 2 };
const BEL = 7;
const SHIFT_OUT = 14;
const SHIFT_IN = 15;
const LEAD_C1 = 0xc2;
const FINAL_M = 0x6d;

function modeOf(name: string, isSet: boolean): string {
  return `\x1b[?${name}${isSet ? 'h' : 'l'}`;
}

function bytesOf(text: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const char of text) table[char.charCodeAt(0)] = 1;
  return table;
}

export class Sequences {
  /** Inside of something that is not understood: nothing is known before a parser says that it is over. */
  #isLost = false;
  readonly #pen = new Pen();
  readonly #modes = new Map<string, string>();
  #title: string | null = null;
  #link: string | null = null;
  #kind: Kind = 'lines';
  #fixedQueries: string[] = [];
  /**
   * Start and end of SGR parameters that the pen has not applied yet; the leading entries belong to those since the
   * last reset.
   */
  readonly #colours: number[] = [];
  #colourCount = 0;

  /**
   * Queries in the last output whose answer is always the same, in order. Empty if the output is `asking`: then the
   * screen answers them.
   */
  get fixedQueries(): readonly string[] {
    return this.#kind === 'asking' ? NO_QUERIES : this.#fixedQueries;
  }

  mode(name: string): boolean | null {
    const sequence = this.#modes.get(name);
    return sequence === undefined ? null : sequence.endsWith('h');
  }

  /** Of what was painted a terminal has the states; of those that others ask for the last is remembered. */
  forget(): void {
    this.#pen.forget();
    this.#title = null;
    this.#link = null;
    for (const name of this.#modes.keys()) if (name !== '1' && name !== '2004') this.#modes.delete(name);
  }

  goOn({ isBetween, hasApplicationCursor, hasBracketedPaste }: Seen): void {
    if (!this.#isLost) return;
    this.#isLost = !isBetween;
    this.#set('1', hasApplicationCursor);
    this.#set('2004', hasBracketedPaste);
  }

  #set(name: string, isSet: boolean): void {
    this.#modes.set(name, modeOf(name, isSet));
  }

  states(): string {
    const pen = this.#pen.text;
    const title = this.#title === null ? '' : `\x1b]2;${this.#title}\x07`;
    return `${BEGIN}${pen === '' ? '' : `\x1b[${pen}m`}${this.#link ?? ''}${title}${[...this.#modes.values()].join('')}`;
  }

  read(bytes: Buffer, place: number): Reading {
    this.#kind = 'lines';
    if (this.#fixedQueries.length > 0) this.#fixedQueries = [];
    const last = bytes.length - 1;
    // Of a character whose other byte decides whether it is a control.
    const openAt = bytes[last] === LEAD_C1 ? last : bytes.length;
    if (this.#isLost) {
      this.#kind = 'asking';
      return { kind: this.#kind, cut: openAt, statesAtPlace: '' };
    }
    if (bytes.indexOf(SHIFT_OUT) >= 0 || bytes.indexOf(SHIFT_IN) >= 0) this.#raise('painting');
    if (hasC1(bytes)) this.#raise('asking');
    let statesAtPlace: string | null = null;
    let at = bytes.indexOf(ESC);
    while (at >= 0) {
      if (at >= place && statesAtPlace === null) {
        this.#applyColours(bytes);
        statesAtPlace = this.states();
      }
      const end = this.#sequence(bytes, at);
      if (end < 0) {
        if (bytes.length - at <= MAX_STRING_BYTES) break;
        this.#isLost = true;
        this.#raise('asking');
        at = -1;
      } else at = bytes[end] === ESC ? end : nextEscape(bytes, end);
    }
    this.#applyColours(bytes);
    statesAtPlace ??= this.states();
    return { kind: this.#kind, cut: at < 0 ? openAt : at, statesAtPlace };
  }

  #raise(kind: Kind): void {
    if (RANKS[kind] > RANKS[this.#kind]) this.#kind = kind;
  }

  /** @returns The index behind the sequence at `at`; -1 if its end has not come. */
  #sequence(bytes: Buffer, at: number): number {
    const second = bytes[at + 1];
    if (second === undefined) return -1;
    if (second === 0x5b) return this.#control(bytes, at);
    if (second === 0x5d) return this.#command(bytes, at);
    if (second === ESC) return at + 1;
    if (second === 0x50 || second === 0x58 || second === 0x5e || second === 0x5f) return this.#string(bytes, at);
    if (second >= 0x20 && second < 0x30) {
      const third = bytes[at + 2];
      if (third === undefined) return -1;
      this.#raise(second === 0x28 && third === 0x42 ? 'lines' : third < 0x30 || third > 0x7e ? 'asking' : 'painting');
      return third < 0x20 || third > 0x7e ? at + 2 : at + 3;
    }
    if (second === 0x3d || second === 0x3e) this.#modes.set('keypad', `\x1b${String.fromCharCode(second)}`);
    else this.#raise(second < 0x20 || second > 0x7e ? 'asking' : 'painting');
    if (second === 0x63) this.#reset(); // RIS
    return at + 2;
  }

  //  ESC [ ? 25 h
  //      ^
  #control(bytes: Buffer, at: number): number {
    let end = at + 2;
    let byte = bytes[end] as number; // undefined behind the end: compares as false
    while (byte >= 0x30 && byte <= 0x3b) byte = bytes[++end] as number;
    if (byte === FINAL_M) {
      // Everything before a reset is of no account.
      if (end === at + 2 || (end === at + 3 && bytes[at + 2] === 0x30)) this.#colourCount = 0;
      this.#colours[this.#colourCount++] = at + 2;
      this.#colours[this.#colourCount++] = end;
      return end + 1;
    }
    if (IN_ROW[byte] === 1) return end + 1;
    const isPlain = byte >= 0x40 && byte <= 0x7e;
    while (byte >= 0x20 && byte <= 0x3f) byte = bytes[++end] as number;
    if (byte === undefined) return -1;
    if (byte < 0x40 || byte > 0x7e) {
      // A control character acts within the sequence, which goes on: the emulator knows how.
      this.#isLost = true;
      this.#raise('asking');
      return bytes.length;
    }
    if (byte === 0x70 && bytes[end - 1] === 0x21) this.#reset(); // DECSTR
    if (!isPlain && this.#readModes(bytes, at + 2, end)) return end + 1;
    const isAnswered = ANSWERED[byte] === 1 || (byte === 0x71 && bytes[at + 2] === 0x3e); // XTVERSION
    if (!isAnswered || !this.#isFixedQuery(bytes, at, end + 1)) this.#raise(isAnswered ? 'asking' : 'painting');
    return end + 1;
  }

  #isFixedQuery(bytes: Buffer, at: number, end: number): boolean {
    const sequence = bytes.toString('latin1', at, end);
    const isFixed = FIXED_QUERY.test(sequence);
    if (isFixed) this.#fixedQueries.push(sequence);
    return isFixed;
  }

  //  ESC [ ? 25 ; 2004 h
  //      ^            ^ end
  /** Remembers the modes of `MODES` that a sequence sets or resets. @returns True if it names no others. */
  #readModes(bytes: Buffer, from: number, end: number): boolean {
    const final = bytes[end];
    if (bytes[from] !== QUESTION || (final !== 0x68 && final !== 0x6c)) return false;
    let areKnown = true;
    let number = NO_NUMBER;
    for (let at = from + 1; at <= end; at++) {
      const byte = bytes[at] as number; // within bounds
      if (byte >= 0x30 && byte <= 0x39) number = Math.min(Math.max(number, 0) * 10 + byte - 0x30, NO_MODE);
      else if (at < end && byte !== SEMICOLON) number = NO_MODE;
      else {
        const mode = MODE_SEQUENCES.get(number);
        if (mode) this.#modes.set(mode.name, final === 0x68 ? mode.set : mode.reset);
        else areKnown = false;
        number = NO_NUMBER;
      }
    }
    return areKnown;
  }

  #reset(): void {
    for (const name of ['1', '2004']) this.#set(name, false);
  }

  //  ESC ] 0 ; title BEL      ESC ] 8 ; ; https://… ESC \
  //      ^
  #command(bytes: Buffer, at: number): number {
    let end = at + 2;
    while (end < bytes.length && (bytes[end] as number) >= 0x20) end++; // within bounds
    if (end === bytes.length) return -1;
    const isEnded = bytes[end] === BEL || (bytes[end] === ESC && bytes[end + 1] === 0x5c);
    if (bytes[end] === ESC && bytes[end + 1] === undefined) return -1;
    if (!isEnded) {
      this.#isLost = true;
      this.#raise('asking');
      return bytes.length;
    }
    const after = bytes[end] === BEL ? end + 1 : end + 2;
    if (!this.#isFixedQuery(bytes, at, after)) this.#note(bytes.toString('utf8', at + 2, end));
    return after;
  }

  #note(payload: string): void {
    const [code = ''] = payload.split(';', 1);
    if (payload.includes('\ufffd') || payload === code) this.#raise('painting');
    if (!SILENT.has(code)) this.#raise(payload.includes('?') ? 'asking' : 'painting');
    else if (code === '0' || code === '2') this.#title = payload.slice(2);
    else if (code === '8') this.#link = `\x1b]${payload}\x07`;
  }

  /** DCS may be a question; the others are passed over, but may be long. */
  #string(bytes: Buffer, at: number): number {
    this.#raise('asking');
    const end = bytes.indexOf(ESC, at + 2);
    this.#isLost = end < 0;
    return end < 0 ? bytes.length : end;
  }

  #applyColours(bytes: Buffer): void {
    for (let index = 0; index < this.#colourCount && this.#kind === 'lines'; index += 2) {
      const parameters = bytes.toString('latin1', this.#colours[index], this.#colours[index + 1]);
      if (!this.#pen.apply(parameters)) this.#raise('painting');
    }
    this.#colourCount = 0;
  }
}

/** Near ones are the rule in coloured text, and cheaper to find than to ask for. */
function nextEscape(bytes: Buffer, from: number): number {
  const near = Math.min(bytes.length, from + 32);
  for (let at = from; at < near; at++) if (bytes[at] === ESC) return at;
  return near === bytes.length ? -1 : bytes.indexOf(ESC, near);
}

/** U+0080 to U+009F, which act as sequences of two bytes: C2 80 to C2 9F. */
function hasC1(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(LEAD_C1); at >= 0; at = bytes.indexOf(LEAD_C1, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next >= 0x80 && next < 0xa0) return true;
  }
  return false;
}
