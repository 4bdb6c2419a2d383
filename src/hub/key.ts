/**
 * The key of this machine: an Ed25519 user key of NATS. The seed stays in a file with mode 0600. The public key goes
 * into the configuration of the server.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createUser, fromSeed } from '@nats-io/nkeys';
import { OrchdError } from '../protocol/index.js';

const PUBLIC_KEY = /^U[A-Z2-7]{55}$/;
const SEED = /^SU[A-Z2-7]{56}$/m;

/** Returns the public key of a seed file, which is created if it is missing. */
export function publicKey(file: string): string {
  try {
    writeFileSync(file, `${new TextDecoder().decode(createUser().getSeed())}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return fromSeed(readSeed(file)).getPublicKey();
}

/** @throws {OrchdError} ORCHD_INVALID for a text that is not a public key of a machine. */
export function checkPublicKey(key: string): string {
  if (PUBLIC_KEY.test(key)) return key;
  throw new OrchdError('ORCHD_INVALID', `'${key}' is not a public key: \`orchd hub key\` prints one, beginning with U`);
}

/** @throws {OrchdError} ORCHD_FILE if the file holds no seed. */
export function readSeed(file: string): Uint8Array {
  const [seed] = SEED.exec(readFileSync(file, 'utf8')) ?? [];
  if (seed === undefined) throw new OrchdError('ORCHD_FILE', `${file} holds no seed of a user key (SU…)`);
  return new TextEncoder().encode(seed);
}

const BASE_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const KEY_BYTES = 32;

/**
 * Returns the 32 bytes of a public key: `U…` is base 32 of the kind (1 byte), the key, and a checksum (2 bytes).
 *
 * @throws {OrchdError} ORCHD_INVALID for a text that is not a public key of a machine.
 */
export function rawPublicKey(key: string): Buffer {
  let bits = 0n;
  for (const char of checkPublicKey(key)) bits = (bits << 5n) | BigInt(BASE_32.indexOf(char));
  return Buffer.from(bits.toString(16).padStart(70, '0'), 'hex').subarray(1, 1 + KEY_BYTES);
}
