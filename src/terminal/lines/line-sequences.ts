/**
 * Classifies the sequences of output that may have printed lines, and tracks the states that they set.
 *
 *     ESC [ 1 ; 31 m      the pen                 ESC ] 0 ; title BEL       the title
 *     ESC [ 2 K           within the row          ESC ] 8 ; ; link ESC \    the link
 *     ESC [ ? 25 l        a mode of `MODES`       ESC ( B                   ASCII, the set of a new terminal
 *
 * In:   output, beginning with the rest of an incomplete sequence, if there was one (`read`).
 * Out:  its kind; the beginning of an incomplete sequence; all states as one string (`states`).
 */

import { APC, BEL, CSI, DCS, ESC, OSC, PM, SOS } from '../bytes.js';
import { Pen } from './pen.js';

export type Kind = 'lines' | 'painting' | 'asking';

interface Reading {
  readonly kind: Kind;
  /** Offset at which an incomplete sequence begins; the length of the output if there is none. */
  readonly cut: number;
  /** The states before the first sequence after `place`; '' if the output is not `lines`. */
  readonly statesAtPoint: string;
}

/** The parts of a terminal's state that are needed here. */
export interface Seen {
  readonly isBetween: boolean;
  readonly hasApplicationCursor: boolean;
  readonly hasBracketedPaste: boolean;
}

/** Maximum length of a string that is kept until it is complete; a longer one is emulated. */
const MAX_STRING_BYTES = 4096;
/** Modes that do not change how text is printed. */
const MODES = ['1', '12', '25', '1004', '2004', '2026'];
/** The sequences that set and reset each mode, by its number. */
const MODE_SEQUENCES = new Map(
  MODES.map((name) => [Number(name), { name, set: modeOf(name, true), reset: modeOf(name, false) }]),
);
/** Stands for a parameter without digits, and for one that is not a mode. */
const NO_NUMBER = -1;
const NO_MODE = 10_000;
const QUESTION = 0x3f;
const SEMICOLON = 0x3b;
/** OSC numbers to which a terminal never replies: title, directory, notifications, prompts, progress. */
const SILENT = new Set(['0', '1', '2', '7', '8', '9', '133', '633', '777', '1337']);
/** Final bytes of control sequences that stay in the row: ICH, CUF, CUB, CHA, EL, DCH, ECH. */
const IN_ROW = bytesOf('@CDGKPX');
/** Final bytes of control sequences to which a terminal may reply: DA, DSR, DECRQM, size reports. */
const ANSWERED = bytesOf('cnpt');
/**
 * Queries that every screen of a size answers in the same way: DA1, DA2, the device status, XTVERSION, sizes, the
 * default colours.
 */
const FIXED_QUERY = /^(?:\x1b\[(?:0?c|>0?c|5n|>0?q|1[468]t)|\x1b\]1[012];\?(?:\x07|\x1b\\))$/;
/** DECRQM for a mode, except origin mode, which other sequences change as well (DECRC). */
const MODE_QUERY = /^\x1b\[\??(?!6\$)\d{1,5}\$p$/;
/** Sequences that look like queries, and have no reply: the colour scheme, the stack of titles, DECSTR. */
const SILENT_QUERY = /^\x1b\[(?:\?996n|2[23](?:;\d*)*t|!p)$/;
/** Commands to which the terminal may reply. */
const REPLYING = new Set(['10', '11', '12']);
/** Maximum number of different modes that are remembered, and of parameters that the emulator reads. */
const MAX_CHANGES = 256;
const MAX_PARAMETERS = 32;
const NO_QUERIES: readonly string[] = [];
/** Cancels an incomplete sequence, and returns the cursor. */
const BEGIN = '\x18\r';
const RANKS: Readonly<Record<Kind, number>> = { lines: 0, painting: 1, asking: 2 };
const SHIFT_OUT = 14;
const SHIFT_IN = 15;
const LEAD_C1 = 0xc2;
const FINAL_M = 0x6d;
const SET = 0x68;
const UNSET = 0x6c;
/** `(` chooses the character set G0; `B` is ASCII. */
const G0 = 0x28;
const ASCII = 0x42;
const KEYPAD_APPLICATION = 0x3d;
const KEYPAD_NUMERIC = 0x3e;
/** Resets the terminal. */
const RIS = 0x63;
const PLUS = 0x2b;
/** The longest command in FIXED_QUERY is shorter. */
const MAX_FIXED_BYTES = 16;

function modeOf(name: string, isSet: boolean): string {
  return `\x1b[?${name}${isSet ? 'h' : 'l'}`;
}

function bytesOf(text: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const char of text) table[char.charCodeAt(0)] = 1;
  return table;
}

export class LineSequences {
  /** True after an unknown sequence: the state is unknown until a parser has found the sequence's end. */
  #isLost = false;
  readonly #pen = new Pen();
  readonly #modes = new Map<string, string>();
  #title: string | null = null;
  #link: string | null = null;
  #kind: Kind = 'lines';
  #fixedQueries: string[] = [];
  /**
   * The sequences that set and reset modes, and those that reset the terminal, in the order in which each came last.
   * They decide the reply to DECRQM. Null if some are not known.
   */
  #changes: Map<string, string> | null;
  /**
   * Start and end of SGR parameters that the pen has not applied yet; the leading entries belong to those since the
   * last reset.
   */
  readonly #colours: number[] = [];
  #colourCount = 0;

  /** @param isFromStart  True if the output is that of a new terminal. */
  constructor(isFromStart: boolean) {
    this.#changes = isFromStart ? new Map() : null;
  }

  /**
   * Queries in the last output whose answer does not depend on the screen's content, in order. Each follows the
   * sequences that set the modes it asks for. Empty if the output is `asking`: then the screen answers them.
   */
  get fixedQueries(): readonly string[] {
    return this.#kind === 'asking' ? NO_QUERIES : this.#fixedQueries;
  }

  mode(name: string): boolean | null {
    const sequence = this.#modes.get(name);
    return sequence === undefined ? null : sequence.endsWith('h');
  }

  /** Forgets states that painting changes. Modes 1 and 2004 are kept, because callers ask for their last value. */
  forget(): void {
    this.#pen.forget();
    this.#title = null;
    this.#link = null;
    for (const name of this.#modes.keys()) if (name !== '1' && name !== '2004') this.#modes.delete(name);
  }

  goOn({ isBetween, hasApplicationCursor, hasBracketedPaste }: Seen): void {
    if (!this.#isLost) return;
    this.#isLost = !isBetween;
    this.#changes = null;
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
    // Index of the first byte of a character whose second byte decides whether it is a control.
    const openAt = bytes[last] === LEAD_C1 ? last : bytes.length;
    if (this.#isLost) {
      this.#kind = 'asking';
      return { kind: this.#kind, cut: openAt, statesAtPoint: '' };
    }
    if (bytes.indexOf(SHIFT_OUT) >= 0 || bytes.indexOf(SHIFT_IN) >= 0) this.#raise('painting');
    if (hasC1(bytes)) {
      this.#raise('asking');
      this.#changes = null;
    }
    let statesAtPoint: string | null = null;
    let at = bytes.indexOf(ESC);
    while (at >= 0) {
      if (at >= place && statesAtPoint === null) {
        this.#applyColours(bytes);
        statesAtPoint = this.#statesOfLines();
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
    statesAtPoint ??= this.#statesOfLines();
    return { kind: this.#kind, cut: at < 0 ? openAt : at, statesAtPoint };
  }

  /** Most output of an agent is painted, so that it has no place and needs no states. */
  #statesOfLines(): string {
    return this.#kind === 'lines' ? this.states() : '';
  }

  #raise(kind: Kind): void {
    if (RANKS[kind] > RANKS[this.#kind]) this.#kind = kind;
  }

  /** @returns The index after the sequence at `at`; -1 if it is incomplete. */
  #sequence(bytes: Buffer, at: number): number {
    const second = bytes[at + 1];
    if (second === undefined) return -1;
    if (second === CSI) return this.#control(bytes, at);
    if (second === OSC) return this.#command(bytes, at);
    if (second === ESC) return at + 1;
    if (second === DCS || second === SOS || second === PM || second === APC) return this.#string(bytes, at);
    if (second >= 0x20 && second < 0x30) {
      const third = bytes[at + 2];
      if (third === undefined) return -1;
      this.#raise(second === G0 && third === ASCII ? 'lines' : third < 0x30 || third > 0x7e ? 'asking' : 'painting');
      return third < 0x20 || third > 0x7e ? at + 2 : at + 3;
    }
    if (second === KEYPAD_APPLICATION || second === KEYPAD_NUMERIC) {
      const sequence = `\x1b${String.fromCharCode(second)}`;
      this.#modes.set('keypad', sequence);
      this.#changed('keypad', sequence);
    } else this.#raise(second < 0x20 || second > 0x7e ? 'asking' : 'painting');
    if (second === RIS) this.#reset('\x1bc');
    return at + 2;
  }

  //  ESC [ ? 25 h
  //      ^
  #control(bytes: Buffer, at: number): number {
    let end = at + 2;
    let byte = bytes[end] as number; // undefined behind the end: compares as false
    while (byte >= 0x30 && byte <= 0x3b) byte = bytes[++end] as number;
    if (byte === FINAL_M) {
      // Parameters before a reset have no effect.
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
      // A control character inside the sequence acts at once. Only the emulator handles that.
      this.#isLost = true;
      this.#raise('asking');
      return bytes.length;
    }
    if (byte === 0x70 && bytes[end - 1] === 0x21) this.#reset('\x1b[!p'); // DECSTR
    if (isPlain && (byte === SET || byte === UNSET)) this.#readAnsiModes(bytes.toString('latin1', at, end + 1));
    if (!isPlain && this.#readModes(bytes, at + 2, end)) return end + 1;
    const mayAnswer = ANSWERED[byte] === 1 || (byte === 0x71 && bytes[at + 2] === 0x3e); // XTVERSION
    if (mayAnswer) this.#query(bytes.toString('latin1', at, end + 1));
    else this.#raise('painting');
    return end + 1;
  }

  #query(sequence: string): void {
    const changes = this.#changes;
    if (FIXED_QUERY.test(sequence)) this.#fixedQueries.push(sequence);
    else if (changes && MODE_QUERY.test(sequence)) this.#fixedQueries.push([...changes.values(), sequence].join(''));
    else this.#raise(SILENT_QUERY.test(sequence) ? 'painting' : 'asking');
  }

  //  ESC [ ? 25 ; 2004 h
  //      ^            ^ end
  /**
   * Remembers the modes of `MODES` that a sequence sets or resets.
   * @returns True if the sequence names no other modes.
   */
  #readModes(bytes: Buffer, from: number, end: number): boolean {
    const final = bytes[end];
    if (bytes[from] !== QUESTION || (final !== SET && final !== UNSET)) return false;
    let areKnown = true;
    let count = 0;
    let number = NO_NUMBER;
    for (let at = from + 1; at <= end; at++) {
      const byte = bytes[at] as number; // within bounds
      if (byte >= 0x30 && byte <= 0x39) number = Math.min(Math.max(number, 0) * 10 + byte - 0x30, NO_MODE);
      else if (at < end && byte !== SEMICOLON) number = NO_MODE;
      else {
        const mode = MODE_SEQUENCES.get(number);
        if (mode) this.#modes.set(mode.name, final === SET ? mode.set : mode.reset);
        else areKnown = false;
        if (++count > MAX_PARAMETERS || number === NO_MODE) this.#changes = null;
        else if (number !== NO_NUMBER) {
          const name = mode?.name ?? String(number);
          this.#changed(`?${name}`, mode ? (final === SET ? mode.set : mode.reset) : modeOf(name, final === SET));
        }
        number = NO_NUMBER;
      }
    }
    return areKnown;
  }

  /** Remembers the modes of a sequence without a private mark. */
  #readAnsiModes(sequence: string): void {
    const numbers = sequence.slice(2, -1).split(';');
    if (numbers.length > MAX_PARAMETERS || sequence.includes(':')) this.#changes = null;
    for (const number of numbers) this.#changed(number, `\x1b[${number}${sequence.at(-1)}`);
  }

  #changed(name: string, sequence: string): void {
    const changes = this.#changes;
    if (!changes) return;
    changes.delete(name);
    changes.set(name, sequence);
    if (changes.size > MAX_CHANGES) this.#changes = null;
  }

  #reset(sequence: string): void {
    for (const name of ['1', '2004']) this.#set(name, false);
    this.#changed(sequence, sequence);
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
    const sequence = end - at < MAX_FIXED_BYTES ? bytes.toString('latin1', at, after) : '';
    if (FIXED_QUERY.test(sequence)) this.#fixedQueries.push(sequence);
    else this.#note(bytes.toString('utf8', at + 2, end));
    return after;
  }

  #note(payload: string): void {
    const [code = ''] = payload.split(';', 1);
    if (payload.includes('\ufffd') || payload === code) this.#raise('painting');
    if (!SILENT.has(code)) this.#raise(payload.includes('?') && REPLYING.has(code) ? 'asking' : 'painting');
    else if (code === '0' || code === '2') this.#title = payload.slice(2);
    else if (code === '8') this.#link = `\x1b]${payload}\x07`;
  }

  /** A DCS sequence may be a query. Other strings have no reply, and are skipped, even if they are long. */
  #string(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(ESC, at + 2);
    this.#isLost = end < 0;
    const isSilent = !this.#isLost && (bytes[at + 1] !== DCS || isSilentDcs(bytes, at + 2));
    this.#raise(isSilent ? 'painting' : 'asking');
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

/** True for XTGETTCAP and images, to which there is no reply. @param at  Index after the introducer. */
function isSilentDcs(bytes: Buffer, at: number): boolean {
  let end = at;
  let byte = bytes[end] as number; // undefined behind the end: compares as false
  while (byte >= 0x30 && byte <= 0x3f) byte = bytes[++end] as number;
  if (byte === PLUS) byte = bytes[++end] as number;
  return byte >= 0x40 && byte <= 0x7e;
}

/** In coloured text, the next escape is usually near. A short loop finds it faster than `indexOf`. */
function nextEscape(bytes: Buffer, from: number): number {
  const near = Math.min(bytes.length, from + 32);
  for (let at = from; at < near; at++) if (bytes[at] === ESC) return at;
  return near === bytes.length ? -1 : bytes.indexOf(ESC, near);
}

/**
 * True if the bytes contain C1 controls, U+0080 to U+009F in UTF-8 (C2 80 to C2 9F), which act as sequences of two
 * bytes.
 */
function hasC1(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(LEAD_C1); at >= 0; at = bytes.indexOf(LEAD_C1, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next >= 0x80 && next < 0xa0) return true;
  }
  return false;
}
