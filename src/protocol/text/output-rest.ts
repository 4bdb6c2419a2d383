/**
 * Tracks if raw output is between two sequences and two characters. Only then may orchd write its own bytes, which
 * would end or damage an open sequence. Only then may it also keep a snapshot, which does not contain an open sequence.
 *
 * In:   the output as it is written (`take`), cut anywhere.
 * Only the part after the last Escape of a chunk is parsed, so the cost does not depend on the chunk's length.
 */

interface OutputRest {
  take(bytes: Uint8Array): void;
  readonly isAtRest: boolean;
}

type State = 'ground' | 'escape' | 'intermediate' | 'csi' | 'osc' | 'string';

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
/** Maximum number of bytes of an incomplete UTF-8 character. */
const MAX_CUT_BYTES = 3;
/** The state after an Escape and this byte. Every other byte ends the sequence. */
const BEGINS: Readonly<Record<number, State>> = {
  91: 'csi', // [
  93: 'osc', // ]
  80: 'string', // P: DCS
  88: 'string', // X: SOS
  94: 'string', // ^: PM
  95: 'string', // _: APC
};

export function createOutputRest(): OutputRest {
  let state: State = 'ground';
  /** The last bytes of the output: a character may arrive in several chunks. */
  let tail: readonly number[] = [];
  return {
    take(bytes) {
      if (bytes.length === 0) return;
      const last = bytes.lastIndexOf(ESC);
      if (last >= 0) state = 'escape';
      state = stateAfter(state, bytes, last + 1);
      tail = [...tail, ...bytes.subarray(-MAX_CUT_BYTES)].slice(-MAX_CUT_BYTES);
    },
    get isAtRest() {
      return state === 'ground' && !endsInsideChar(tail);
    },
  };
}

/** Returns the state after the bytes from `from` on, which contain no Escape. */
function stateAfter(before: State, bytes: Uint8Array, from: number): State {
  let state = before;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (state === 'ground' || state === 'string') return state; // a string ends only with an Escape
    if (state === 'osc') return bytes.indexOf(BEL, at) >= 0 ? 'ground' : state;
    if (byte === CAN || byte === SUB) state = 'ground';
    else if (state === 'escape') state = BEGINS[byte] ?? (byte >= 0x20 && byte <= 0x2f ? 'intermediate' : 'ground');
    else if (state === 'csi') state = byte >= 0x40 && byte <= 0x7e ? 'ground' : state;
    else state = byte >= 0x30 ? 'ground' : state;
  }
  return state;
}

/** True if the last UTF-8 character is incomplete. */
function endsInsideChar(bytes: readonly number[]): boolean {
  for (let back = 1; back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return false;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);
  }
  return false;
}
