/**
 * A command of one machine to another, signed with the key of the machine that sends it.
 *
 * The signature covers the text of the whole command: its id, both machines, the operation with its input, and the time
 * at which it expires. That time is one of the server's clock, so the clocks of the machines may differ. The machine
 * that carries it out remembers the id until then. So a copy of an old command is either known or expired.
 */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { fromSeed } from '@nats-io/nkeys';
import { rawPublicKey } from '../key.js';

export interface Command {
  readonly id: string;
  /** The machine that sends it, and the one that carries it out. */
  readonly from: string;
  readonly to: string;
  /** The person, for the log. */
  readonly by: string;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The time of the server's clock at which it expires, in milliseconds since 1970. */
  readonly expires_at: number;
}

export interface SignedCommand {
  /** The command as JSON. The signature covers these characters. */
  readonly text: string;
  /** The public key of the machine that sends it (`U…`). */
  readonly key: string;
  /** The signature, in base 64. */
  readonly signature: string;
}

/** The outcome of a command: the output of the operation, or its error. */
export type Outcome =
  | { readonly output: unknown }
  | { readonly error: { readonly code: string; readonly message: string; readonly details?: Record<string, unknown> } };

/**
 * The outcome comes later. `taken`: the machine has begun the command, and tells so. `held`: it has told so when it
 * took the work from its queue.
 */
export type Later = 'taken' | 'held';

/** The delivery of a message for a label: the server gives it to another machine if the first one goes away. */
export interface Delivery {
  /** The sequence of the message in the stream. */
  readonly seq: number;
  /** How often the server has delivered it up to this time; 1 for the first machine. */
  readonly count: number;
}

/** Reports work for a label to the machine that has offered it. */
export interface WorkMail {
  taken(from: string, id: string, proof: string, delivery: Delivery): Promise<void>;
  outcome(from: string, id: string, outcome: Outcome, proof: string): Promise<void>;
}

/**
 * Shows that a machine has read the work for a label: ids are in events, but only the machines that the server lets
 * take the work can read its text.
 *
 * @param message  The signed command.
 */
export const proofOf = (message: string): string => createHash('sha256').update(message).digest('base64url');

/** `<seq>.<count>`, as a header. */
export const deliveryText = ({ seq, count }: Delivery): string => `${seq}.${count}`;

/** @returns Null for a header of an earlier version, which has none. */
export function parseDelivery(text: string | undefined): Delivery | null {
  const [seq, count] = (text ?? '').split('.').map(Number);
  return Number.isSafeInteger(seq) && Number.isSafeInteger(count) ? { seq: Number(seq), count: Number(count) } : null;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * Signs a command.
 *
 * @param seed  The seed of this machine's key.
 */
export function signCommand(command: Command, seed: Uint8Array): SignedCommand {
  const text = JSON.stringify(command);
  const pair = fromSeed(seed);
  return { text, key: pair.getPublicKey(), signature: Buffer.from(pair.sign(bytesOf(text))).toString('base64') };
}

/** @returns The command and the key that has signed it; null if a part is missing or the signature does not fit. */
export function verifyCommand(message: string): { readonly command: Command; readonly key: string } | null {
  try {
    const { text, key, signature } = JSON.parse(message) as Readonly<Record<keyof SignedCommand, unknown>>;
    if (typeof text !== 'string' || typeof key !== 'string' || typeof signature !== 'string') return null;
    if (!verify(null, bytesOf(text), keyObject(key), Buffer.from(signature, 'base64'))) return null;
    const command = JSON.parse(text) as Command; // checked below
    return isCommand(command) ? { command, key } : null;
  } catch {
    return null; // no JSON, or no key
  }
}

/** The head of a public Ed25519 key in DER (RFC 8410). The 32 bytes of the key follow. */
const DER_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Node verifies in a tenth of a millisecond, the package of NATS in several: a hostile machine could keep the daemon
 * busy.
 *
 * @throws {OrchdError} ORCHD_INVALID for a text that is not a public key.
 */
const keyObject = (key: string): KeyObject =>
  createPublicKey({ key: Buffer.concat([DER_HEAD, rawPublicKey(key)]), format: 'der', type: 'spki' });

function isCommand(value: Command | null): value is Command {
  if (typeof value !== 'object' || value === null) return false;
  const { id, from, to, by, operation, input, expires_at } = value;
  const texts: unknown[] = [id, from, to, by, operation];
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return texts.every((text) => typeof text === 'string') && isObject && Number.isFinite(expires_at);
}
