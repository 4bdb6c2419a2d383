/**
 * Frames of a WebSocket (RFC 6455, 5.2): writing those of a client, and reading those of a server. Pure.
 *
 *     byte 0      F000OOOO    F: the last frame of its message; O: the opcode
 *     byte 1      MLLLLLLL    M: masked, as all of a client's are and none of a server's; L: the length,
 *                             126: it is in the 2 bytes that follow, 127: in 8
 *     4 bytes     the mask, if there is one
 *     the payload
 *
 * A mask prevents scripts in browsers from writing bytes that a proxy would read as a request. Neither exists here, so
 * the mask is 0, which leaves the payload unchanged.
 */

export const OPCODE = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface Frame {
  readonly opcode: number;
  /** True for the last frame of its message. */
  readonly isLast: boolean;
  readonly payload: Buffer;
}

/** The received bytes break the protocol. */
export class BrokenFrame extends Error {}

/** Maximum size of a message over all its frames. The daemon's are smaller. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const MAX_CONTROL_BYTES = 125;
const [LAST, RESERVED, CONTROL, MASKED, LENGTH_IN_2, LENGTH_IN_8] = [0x80, 0x70, 0x08, 0x80, 126, 127];
const MASK = Buffer.alloc(4);

/** Encodes a whole message, or a control frame, for the daemon. */
export function frameOf(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const size = length < LENGTH_IN_2 ? 2 : length <= 0xffff ? 4 : 10;
  const head = Buffer.alloc(size);
  head[0] = LAST | opcode;
  head[1] = MASKED | (size === 2 ? length : size === 4 ? LENGTH_IN_2 : LENGTH_IN_8);
  if (size === 4) head.writeUInt16BE(length, 2);
  if (size === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, MASK, payload]);
}

/**
 * Parses frames from bytes that are cut anywhere. A payload is a part of the received bytes and belongs to the caller.
 */
export class FrameReader {
  #rest: Buffer;
  readonly #more: Buffer[] = [];
  #bytes: number;
  /** Number of bytes needed before anything can be parsed, so that a large frame is joined only once. */
  #needed = 2;
  /** Number of bytes of the message whose last frame has not arrived. */
  #begun = 0;

  constructor(rest: Buffer) {
    this.#rest = rest;
    this.#bytes = rest.length;
  }

  push(chunk: Buffer): void {
    this.#more.push(chunk);
    this.#bytes += chunk.length;
  }

  /**
   * @returns Null until more bytes have arrived.
   * @throws {BrokenFrame}
   */
  next(): Frame | null {
    if (this.#bytes < this.#needed) return null;
    if (this.#more.length > 0) {
      const [first] = this.#more;
      const isAlone = this.#rest.length === 0 && this.#more.length === 1;
      this.#rest = isAlone && first ? first : Buffer.concat([this.#rest, ...this.#more]);
      this.#more.length = 0;
    }
    const bytes = this.#rest;
    const head = readHead(bytes);
    const isControl = (head.opcode & CONTROL) !== 0;
    if (!isControl && this.#begun + head.length > MAX_MESSAGE_BYTES) {
      throw new BrokenFrame(`a message of more than ${MAX_MESSAGE_BYTES} bytes`);
    }
    const end = head.at + head.length;
    if (bytes.length < end) {
      this.#needed = end;
      return null;
    }
    this.#rest = bytes.subarray(end);
    this.#bytes = this.#rest.length;
    this.#needed = 2;
    if (!isControl) this.#begun = head.isLast ? 0 : this.#begun + head.length;
    return { opcode: head.opcode, isLast: head.isLast, payload: bytes.subarray(head.at, end) };
  }
}

interface Head extends Omit<Frame, 'payload'> {
  /** Offset of the payload. */
  readonly at: number;
  /** Length of the payload; 0 while it is unknown. */
  readonly length: number;
}

function readHead(bytes: Buffer): Head {
  const [first = 0, second = 0] = bytes;
  const opcode = first & 0x0f;
  const isLast = (first & LAST) !== 0;
  if ((first & RESERVED) !== 0) throw new BrokenFrame('a frame of an extension that was not asked for');
  if ((second & MASKED) !== 0) throw new BrokenFrame('a masked frame');
  const short = second & ~MASKED;
  if ((opcode & CONTROL) !== 0 && (!isLast || short > MAX_CONTROL_BYTES)) {
    throw new BrokenFrame('a control frame that is too long, or in pieces');
  }
  const at = short === LENGTH_IN_2 ? 4 : short === LENGTH_IN_8 ? 10 : 2;
  if (bytes.length < at) return { opcode, isLast, at, length: 0 };
  const length = at === 2 ? short : at === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return { opcode, isLast, at, length };
}
