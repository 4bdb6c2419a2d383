/**
 * Seals the frames of a terminal channel, so that only the two machines can read, make or repeat them.
 *
 *   sealed frame   sequence number (8 bytes, big-endian, from 0) · ciphertext · tag (16 bytes)
 *   cipher         AES-256-GCM; nonce: 4 zero bytes and the sequence number
 *   key            HKDF-SHA-256 of X25519(own private key, public key of the other); salt: the id of the channel;
 *                  info: `orchd terminal FROM>TO`, so each direction has its own
 *
 * The public key of the viewer is in its signed command. So the other machine accepts frames of that viewer only, even
 * if the server is not trusted or lets every client publish.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { OrchdError } from '../../protocol/index.js';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const SEQUENCE_BYTES = 8;
const NONCE_PAD_BYTES = 4;
const TAG_BYTES = 16;
/** Bytes that sealing adds to a frame. */
export const SEAL_BYTES = SEQUENCE_BYTES + TAG_BYTES;

interface KeyPair {
  /** The 32 bytes of the public key in base64url. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

interface Opened {
  readonly sequence: number;
  readonly frame: Buffer;
}

/** The two machines of a channel: this one and the other one. */
interface Ends {
  readonly own: string;
  readonly peer: string;
  readonly id: string;
}

export function createKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return { publicKey: publicKey.export({ format: 'jwk' }).x ?? '', privateKey };
}

export class Seal {
  readonly #sendKey: Buffer;
  readonly #receiveKey: Buffer;
  #next = 0n;

  /** @throws {OrchdError} ORCHD_INVALID if the public key of the other machine is malformed. */
  constructor({ own, peer, id }: Ends, { privateKey }: KeyPair, peerKey: string) {
    const secret = sharedSecret(privateKey, peerKey);
    const derive = (from: string, to: string): Buffer =>
      Buffer.from(hkdfSync('sha256', secret, id, `orchd terminal ${from}>${to}`, KEY_BYTES));
    this.#sendKey = derive(own, peer);
    this.#receiveKey = derive(peer, own);
  }

  seal(frame: Uint8Array): Buffer {
    const head = Buffer.alloc(SEQUENCE_BYTES);
    head.writeBigUInt64BE(this.#next++);
    const cipher = createCipheriv(CIPHER, this.#sendKey, nonceOf(head));
    return Buffer.concat([head, cipher.update(frame), cipher.final(), cipher.getAuthTag()]);
  }

  /** Returns null for bytes that the other machine has not sealed for this channel. */
  open(sealed: Uint8Array): Opened | null {
    if (sealed.length < SEAL_BYTES) return null;
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length);
    const head = bytes.subarray(0, SEQUENCE_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#receiveKey, nonceOf(head), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const frame = Buffer.concat([decipher.update(bytes.subarray(SEQUENCE_BYTES, -TAG_BYTES)), decipher.final()]);
      return { sequence: Number(head.readBigUInt64BE()), frame };
    } catch {
      return null; // the tag does not fit
    }
  }
}

const nonceOf = (head: Buffer): Buffer => Buffer.concat([Buffer.alloc(NONCE_PAD_BYTES), head]);

function sharedSecret(privateKey: KeyObject, peerKey: string): Buffer {
  try {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: peerKey }, format: 'jwk' });
    return diffieHellman({ privateKey, publicKey });
  } catch (cause) {
    throw new OrchdError('ORCHD_INVALID', 'the key of the terminal channel is no X25519 key', undefined, cause);
  }
}
