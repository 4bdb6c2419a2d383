/**
 * Escape reader: where control sequences begin and end in a terminal's output, cut anywhere.
 *
 *     ESC [ ? 1049 h        control sequence: private mark, parameters, final byte
 *     ESC ] 133 ; A BEL     string (OSC; DCS, SOS, PM and APC look alike): ends with BEL or ESC \, or is given up
 *     ESC ( B               escape with intermediate bytes
 *     ESC M                 escape
 *
 * Keeps at most MAX_PARAMETERS characters of a sequence and MAX_PAYLOAD of a string (MAX_NOTIFICATION of a notification
 * or a title). A string that does not end is given up after MAX_STRING_BYTES: otherwise, noise that looks like its
 * beginning would hide all later output from the ears.
 */
import { BEL, ESC } from '../../terminal/index.js';
export interface EscapeSink {
  /**
   * Called for `ESC final`, without intermediate bytes. `position`: journal position of the last byte; `began`: of the
   * ESC.
   */
  escape(final: number, position: number, began: number): void;
  /**
   * @param mark  The private mark (`?`, `>`, …) or ''.
   * @param parameters  The parameters without it, valid only during the call; `-1` stands for a missing one.
   */
  control(final: number, mark: string, parameters: readonly number[], position: number, began: number): void;
  /** @param payload  The beginning of an OSC string. */
  command(payload: string, position: number): void;
  /** Called for a control character inside a sequence; it acts as if it came before the sequence. */
  single(code: number, position: number): void;
}

/** Maximum number of characters in the parameters of a sequence. */
export const MAX_PARAMETERS = 64;
/** A larger parameter counts as this number. */
export const MAX_NUMBER = 65535;
const NO_PARAMETERS: readonly number[] = [-1];
const MAX_PAYLOAD = 32;
const MAX_NOTIFICATION = 1024;
const MAX_STRING_BYTES = 64 * 1024;

const CAN = 0x18;
const SUB = 0x1a;

type State = 'ground' | 'escape' | 'intermediate' | 'control' | 'string' | 'string_escape';
export interface EscapeState {
  state: State;
  /** The parameters of the open control sequence, or the beginning of the open OSC string. */
  text: string;
  isCommand: boolean;
  hasIntermediate: boolean;
  length: number;
  /** Position at which the open sequence began. Absent in checkpoints of older versions. */
  began?: number;
}

export class EscapeReader {
  #state: State = 'ground';
  #text = '';
  #isCommand = false;
  #hasIntermediate = false;
  #length = 0;
  /** Maximum number of characters that are kept of an unfinished string sequence (OSC, DCS). */
  #limit = MAX_PAYLOAD;
  /** The numeric parameters of the unfinished sequence. */
  readonly #numbers: number[] = [];
  /** Journal position of the byte at index 0 of the output that is being read. */
  base = 0;
  /** Position of the byte that is being read. */
  #position = 0;
  /** Position at which the open sequence began. */
  #began = 0;
  readonly #sink: EscapeSink;

  constructor(sink: EscapeSink, state?: EscapeState) {
    this.#sink = sink;
    if (!state) return;
    this.#state = state.state;
    this.#text = state.text;
    this.#isCommand = state.isCommand;
    this.#hasIntermediate = state.hasIntermediate;
    this.#length = state.length;
    this.#began = state.began ?? 0;
    if (state.length >= MAX_PAYLOAD) this.#limit = limitOf(state.text);
  }

  state(): EscapeState {
    // Between sequences, the state contains nothing of the last one.
    if (!this.isOpen) return { state: 'ground', text: '', isCommand: false, hasIntermediate: false, length: 0 };
    return {
      state: this.#state,
      text: this.#text,
      isCommand: this.#isCommand,
      hasIntermediate: this.#hasIntermediate,
      length: this.#length,
      began: this.#began,
    };
  }

  get isOpen(): boolean {
    return this.#state !== 'ground';
  }

  /** Called at an ESC outside of any sequence. */
  begin(position: number): void {
    this.#state = 'escape';
    this.#began = position;
  }

  /**
   * Reads a complete control sequence at `at` in one step, because most of what programs paint are control sequences.
   * @returns The index after it; 0 for another kind of sequence, or an incomplete or unusual one, which `read` handles.
   */
  readWhole(bytes: Uint8Array, at: number): number {
    const begin = at + 2;
    if (begin >= bytes.length || bytes[at + 1] !== 0x5b) return 0;
    const first = bytes[begin] as number; // within bounds
    if (first >= 0x40 && first < 0x7f) {
      this.#sink.control(first, '', NO_PARAMETERS, this.base + begin, this.base + at);
      return begin + 1;
    }
    const isMarked = first >= 0x3c && first <= 0x3f;
    let numbers: number[] | null = null;
    let number = -1;
    for (let end = isMarked ? begin + 1 : begin; end < bytes.length && end - begin < MAX_PARAMETERS; end++) {
      const byte = bytes[end] as number; // within bounds
      if (byte >= 0x30 && byte <= 0x39) number = Math.min(Math.max(number, 0) * 10 + byte - 0x30, MAX_NUMBER);
      else if (byte === 0x3b) {
        if (!numbers) {
          numbers = this.#numbers;
          numbers.length = 0;
        }
        numbers.push(number);
        number = -1;
      } else if (byte >= 0x40 && byte < 0x7f) {
        numbers?.push(number);
        const parameters = numbers ?? (number < 0 ? NO_PARAMETERS : [number]);
        this.#sink.control(
          byte,
          isMarked ? String.fromCharCode(first) : '',
          parameters,
          this.base + end,
          this.base + at,
        );
        return end + 1;
      } else return 0;
    }
    return 0;
  }

  /**
   * Reads the rest of the open sequence.
   * @returns The index of the first byte that is not part of it.
   */
  read(bytes: Uint8Array, from: number): number {
    let at = from;
    while (at < bytes.length && this.#state !== 'ground') {
      const byte = bytes[at] ?? 0;
      if (byte === ESC && this.#state === 'escape') {
        this.#began = this.base + at++; // begins anew
        continue;
      }
      this.#position = this.base + at;
      const isTaken = this.#state === 'string' ? this.#readString(byte) : this.#readByte(byte);
      if (!isTaken) return at;
      at++;
    }
    return at;
  }

  #readByte(byte: number): boolean {
    if (this.#state === 'string_escape') {
      //  ESC ] … ESC \      the string ends; any other byte begins a sequence of its own
      //              ^
      this.#endString();
      this.#began = this.#position - 1;
      this.#state = byte === 0x5c ? 'ground' : 'escape';
      return byte === 0x5c || this.#readByte(byte);
    }
    if (byte === ESC) {
      this.begin(this.#position);
      return true;
    }
    if (byte === CAN || byte === SUB) {
      this.#state = 'ground';
      return true;
    }
    if (byte < 0x20) {
      this.#sink.single(byte, this.#position);
      return true;
    }
    if (byte >= 0x7f) {
      //  ESC [ 3 é      a byte above DEL ends the sequence and is text; DEL is ignored
      if (byte > 0x7f) this.#state = 'ground';
      return byte === 0x7f;
    }
    if (this.#state === 'control') this.#readControl(byte);
    else this.#readEscape(byte);
    return true;
  }

  //  ESC [    ESC ]    ESC ( B
  //      ^        ^        ^
  #readEscape(byte: number): void {
    if (byte < 0x30) {
      this.#state = 'intermediate';
      return;
    }
    const isPlain = this.#state === 'escape';
    this.#state = 'ground';
    if (!isPlain) return;
    if (byte === 0x5b) {
      this.#state = 'control';
      this.#text = '';
      this.#hasIntermediate = false;
    } else if (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) {
      this.#state = 'string';
      this.#isCommand = byte === 0x5d;
      this.#text = '';
      this.#length = 0;
      this.#limit = MAX_PAYLOAD;
    } else this.#sink.escape(byte, this.#position, this.#began);
  }

  //  ESC [ 2 ; 1 H
  //        ^-----^
  #readControl(byte: number): void {
    if (byte >= 0x40) {
      this.#state = 'ground';
      if (this.#hasIntermediate || this.#text.length >= MAX_PARAMETERS) return;
      const mark = /^[<=>?]/.exec(this.#text)?.[0] ?? '';
      const numbers = this.#text.slice(mark.length).split(';');
      this.#sink.control(
        byte,
        mark,
        numbers.map((number) => (/^\d+/.test(number) ? Math.min(Number.parseInt(number, 10), MAX_NUMBER) : -1)),
        this.#position,
        this.#began,
      );
    } else if (byte < 0x30) this.#hasIntermediate = true;
    else if (this.#text.length < MAX_PARAMETERS) this.#text += String.fromCharCode(byte);
  }

  //  ESC ] 133;A BEL
  //        ^---^
  #readString(byte: number): boolean {
    if (byte === ESC) {
      this.#state = 'string_escape';
      return true;
    }
    if (byte === CAN || byte === SUB || (byte === BEL && this.#isCommand)) {
      if (byte === BEL) this.#endString();
      this.#state = 'ground';
      return true;
    }
    if (this.#length < this.#limit && this.#isCommand) this.#text += String.fromCharCode(byte);
    if (++this.#length === MAX_PAYLOAD) this.#limit = limitOf(this.#text);
    if (this.#length > MAX_STRING_BYTES) this.#state = 'ground';
    return true;
  }

  #endString(): void {
    if (this.#isCommand) this.#sink.command(this.#text, this.#position);
  }
}

function limitOf(text: string): number {
  return isNotification(text) || titleOf(text) !== null ? MAX_NOTIFICATION : MAX_PAYLOAD;
}

/** True if an OSC string is a notification: `9;…`, `777;…`. */
export function isNotification(payload: string): boolean {
  return payload.startsWith('9;') || payload.startsWith('777;');
}

/** Returns the window title that an OSC string sets, one character per byte: `0;…`, `2;…`. Null for another string. */
export function titleOf(payload: string): string | null {
  return /^[02];/.test(payload) ? payload.slice(2) : null;
}

/**
 * Finds the end of a sequence that sets colours, `ESC [ 1 ; 32 m` or `ESC ( B`. Half of all sequences are such ones,
 * and they have no effect here.
 * @returns The index after the sequence at `at`; 0 for another sequence, or an incomplete one.
 */
export function colourEnd(bytes: Uint8Array, at: number): number {
  if (at + 2 >= bytes.length) return 0;
  if (bytes[at + 1] === 0x28) return bytes[at + 2] === 0x42 ? at + 3 : 0;
  if (bytes[at + 1] !== 0x5b) return 0;
  let end = at + 2;
  while (end < bytes.length && (bytes[end] as number) >= 0x30 && (bytes[end] as number) <= 0x3b) end++; // within bounds
  return end < bytes.length && bytes[end] === 0x6d ? end + 1 : 0;
}
