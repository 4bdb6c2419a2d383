/** Finds the ends of escape sequences: enough of ECMA-48 to cut a stream between them. */
import { APC, CSI, DCS, ESC, OSC, PM, SOS } from './bytes.js';

/** Returns the position after the sequence that begins at `at`; -1 if it is incomplete. */
export function sequenceEnd(bytes: Uint8Array, at: number): number {
  const kind = bytes[at + 1];
  if (kind === undefined) return -1;
  if (kind === CSI) return finalByte(bytes, at + 2, 0x40);
  if (kind === OSC || kind === DCS || kind === APC || kind === PM || kind === SOS) return stringEnd(bytes, at + 2);
  return finalByte(bytes, at + 1, 0x30);
}

const CAN = 0x18;
const SUB = 0x1a;

/**
 * Returns the index after a sequence's final byte; -1 if it is incomplete. Control characters inside a sequence leave
 * it open; CAN, SUB and ESC cancel it.
 */
function finalByte(bytes: Uint8Array, from: number, lowest: number): number {
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte >= lowest && byte <= 0x7e) return i + 1;
    if (byte === ESC || byte === CAN || byte === SUB || byte > 0x7f) return i; // not a sequence after all
  }
  return -1;
}

/** Returns the index after a string sequence, such as OSC or DCS, which ends with BEL or ESC \. */
function stringEnd(bytes: Uint8Array, from: number): number {
  for (let i = from; i < bytes.length; i++) {
    if (bytes[i] === 0x07) return i + 1;
    if (bytes[i] === ESC) return bytes[i + 1] === undefined ? -1 : bytes[i + 1] === 0x5c ? i + 2 : i;
  }
  return -1;
}
