/**
 * The frames of a terminal channel, before they are sealed (seal.ts). The first byte is the kind.
 *
 *   0 text, 1 bytes    a piece of a message; kind + 128 if more pieces of it follow
 *   2 taken            number of payload bytes that the receiver has handled since the beginning (6 bytes, big-endian)
 *   3 beat             nothing: the sender is there
 *   4 close            the closing code (2 bytes, big-endian), then the reason in UTF-8
 */
export type Frame =
  | { readonly kind: 'piece'; readonly isBinary: boolean; readonly isLast: boolean; readonly bytes: Buffer }
  | { readonly kind: 'taken'; readonly total: number }
  | { readonly kind: 'beat' }
  | { readonly kind: 'close'; readonly code: number; readonly reason: string };

const [TEXT, BYTES, TAKEN, BEAT, CLOSE] = [0, 1, 2, 3, 4];
const MORE = 0x80;
const TAKEN_BYTES = 6;
const CODE_BYTES = 2;
/** Bytes of a frame beside its payload. */
export const KIND_BYTES = 1;

export function encodeFrame(frame: Frame): Buffer {
  switch (frame.kind) {
    case 'piece': {
      const kind = (frame.isBinary ? BYTES : TEXT) | (frame.isLast ? 0 : MORE);
      return Buffer.concat([Buffer.of(kind), frame.bytes]);
    }
    case 'taken': {
      const bytes = Buffer.alloc(KIND_BYTES + TAKEN_BYTES, TAKEN);
      bytes.writeUIntBE(frame.total, KIND_BYTES, TAKEN_BYTES);
      return bytes;
    }
    case 'beat':
      return Buffer.of(BEAT);
    case 'close': {
      const head = Buffer.alloc(KIND_BYTES + CODE_BYTES, CLOSE);
      head.writeUInt16BE(frame.code, KIND_BYTES);
      return Buffer.concat([head, Buffer.from(frame.reason)]);
    }
  }
}

/** Returns null for a frame of a kind that this version does not know. */
export function decodeFrame(frame: Buffer): Frame | null {
  const kind = frame[0] ?? Number.NaN;
  const rest = frame.subarray(KIND_BYTES);
  const base = kind & ~MORE;
  if (base === TEXT || base === BYTES) {
    return { kind: 'piece', isBinary: base === BYTES, isLast: base === kind, bytes: rest };
  }
  if (kind === TAKEN && rest.length === TAKEN_BYTES) return { kind: 'taken', total: rest.readUIntBE(0, TAKEN_BYTES) };
  if (kind === BEAT) return { kind: 'beat' };
  if (kind !== CLOSE || rest.length < CODE_BYTES) return null;
  return { kind: 'close', code: rest.readUInt16BE(0), reason: rest.toString('utf8', CODE_BYTES) };
}
