/**
 * The browsers that may use the dashboard.
 *
 * A link carries a code, which works once and expires after CODE_MS. The browser that opens the link gets a token: it
 * is then a device with a role. The file of the devices has mode 0600. It contains hashes of the tokens, so that the
 * next daemon knows the devices as well. Codes are in memory only.
 */
import { createHash, randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { readOwnFile } from '../../host/index.js';
import { timestamp } from '../../lifecycle/index.js';
import {
  type OperationEntry,
  OrchdError,
  WEB_ROLES,
  type WebDevice,
  type WebRole,
  webRoleOf,
} from '../../protocol/index.js';

export const CODE_MS = 60_000;
/** Lifetime of a device's token. It fits into one timer of Node, whose maximum is 24 days. */
export const DEVICE_MS = 14 * 24 * 3_600_000;
/** Maximum number of codes. If there are more, the oldest ones become invalid. */
const MAX_CODES = 100;
/** Maximum number of devices. If there are more, the least recently used ones are signed out. */
const MAX_DEVICES = 100;
/** `last_seen_at` is written when the stored one is older than this. */
const SEEN_MS = 60_000;

interface Link {
  readonly role: WebRole;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

interface DevicesPorts {
  readonly file: string;
  readonly now: () => number;
  readonly log: { info(message: string, about?: object): void };
}

type Stored = WebDevice & { readonly token_hash: string };
interface Kept {
  device: Stored;
  /** Functions that end the WebSockets of the device. */
  readonly ends: Set<() => void>;
}

const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');
const secret = (bytes: number): string => randomBytes(bytes).toString('base64url');
const publicPart = ({ token_hash: _hash, ...device }: Stored): WebDevice => device;

/** Creates the codes of links, and knows the browsers that have used one. */
export class Devices {
  readonly #ports: DevicesPorts;
  readonly #codes = new Map<string, Link>();
  readonly #byHash = new Map<string, Kept>();

  constructor(ports: DevicesPorts) {
    this.#ports = ports;
    for (const device of read(ports)) this.#byHash.set(device.token_hash, { device, ends: new Set() });
    this.#forgetExpired();
  }

  /** Creates a code, which `enter` accepts once. */
  invite(role: WebRole, name: string): { readonly code: string; readonly expiresAt: number } {
    const code = secret(24);
    const expiresAt = this.#ports.now() + CODE_MS;
    this.#codes.set(hash(code), { role, name, expiresAt });
    for (const [key, link] of this.#codes) {
      if (this.#codes.size <= MAX_CODES && link.expiresAt > this.#ports.now()) break; // The codes are ordered by age.
      this.#codes.delete(key);
    }
    return { code, expiresAt };
  }

  /** @throws {OrchdError} ORCHD_WEB_CODE for a code that was used, has expired, or does not exist. */
  enter(code: string): { readonly token: string; readonly device: WebDevice } {
    const key = hash(code);
    const link = this.#codes.get(key);
    this.#codes.delete(key);
    const now = this.#ports.now();
    if (!link || link.expiresAt <= now)
      throw new OrchdError('ORCHD_WEB_CODE', 'the link was used before, or is older than a minute');
    const token = `web_${secret(32)}`;
    const at = timestamp(now);
    const device: Stored = {
      id: `dev_${secret(9).replaceAll(/[-_]/g, '0')}`,
      name: link.name,
      role: link.role,
      created_at: at,
      last_seen_at: at,
      expires_at: timestamp(now + DEVICE_MS),
      token_hash: hash(token),
    };
    this.#byHash.set(device.token_hash, { device, ends: new Set() });
    this.#forgetExpired();
    this.#save();
    return { token, device: publicPart(device) };
  }

  /** Returns the device with this token; undefined if it is unknown, revoked or expired. */
  byToken(token: string): WebDevice | undefined {
    const kept = this.#byHash.get(hash(token));
    const now = this.#ports.now();
    if (!kept || Date.parse(kept.device.expires_at) <= now) return undefined;
    if (now - Date.parse(kept.device.last_seen_at) > SEEN_MS) {
      kept.device = { ...kept.device, last_seen_at: timestamp(now) };
      this.#save();
    }
    return publicPart(kept.device);
  }

  /** Returns the devices, newest first. */
  list(): WebDevice[] {
    this.#forgetExpired();
    return [...this.#byHash.values()].map(({ device }) => publicPart(device)).reverse();
  }

  /** @throws {OrchdError} ORCHD_WEB_DEVICE */
  revoke(id: string): WebDevice {
    const found = [...this.#byHash.values()].find(({ device }) => device.id === id);
    if (!found) throw new OrchdError('ORCHD_WEB_DEVICE', `there is no device '${id}'`);
    this.#forget(found);
    this.#save();
    return publicPart(found.device);
  }

  /** Calls `end` when the device is revoked or expires. Returns a function that cancels this. */
  whileValid({ id, expires_at }: WebDevice, end: () => void): () => void {
    const kept = [...this.#byHash.values()].find(({ device }) => device.id === id);
    if (!kept) {
      end();
      return () => {};
    }
    const timer = setTimeout(end, Math.max(0, Date.parse(expires_at) - this.#ports.now()));
    timer.unref();
    kept.ends.add(end);
    return () => {
      clearTimeout(timer);
      kept.ends.delete(end);
    };
  }

  #forget({ device, ends }: Kept): void {
    this.#byHash.delete(device.token_hash);
    for (const end of ends) end();
  }

  #forgetExpired(): void {
    const all = [...this.#byHash.values()];
    for (const kept of all) if (Date.parse(kept.device.expires_at) <= this.#ports.now()) this.#forget(kept);
    const rest = [...this.#byHash.values()].sort((a, b) =>
      a.device.last_seen_at < b.device.last_seen_at ? -1 : a.device.last_seen_at > b.device.last_seen_at ? 1 : 0,
    );
    for (const kept of rest.slice(0, Math.max(0, rest.length - MAX_DEVICES))) this.#forget(kept);
  }

  #save(): void {
    const { file } = this.#ports;
    const text = JSON.stringify({ devices: [...this.#byHash.values()].map(({ device }) => device) }, null, 2);
    writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
}

/** Reads the devices. A missing or damaged file contains none; the people then open a new link. */
function read({ file, log }: DevicesPorts): Stored[] {
  let text: string;
  try {
    text = readOwnFile(file);
  } catch {
    return [];
  }
  try {
    const { devices } = JSON.parse(text) as { devices: unknown };
    if (Array.isArray(devices) && devices.every(isStored)) return devices;
  } catch {
    // Reported below.
  }
  log.info('the file of the dashboard devices is damaged: they must enter again', { file });
  return [];
}

function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  const names = ['id', 'name', 'token_hash', 'created_at', 'last_seen_at', 'expires_at'];
  return names.every((name) => typeof fields[name] === 'string') && WEB_ROLES.some((role) => role === fields['role']);
}

/** @throws {OrchdError} ORCHD_WEB_ROLE unless a device may call an operation. */
export function permitDevice({ id, role }: WebDevice, entry: OperationEntry, input: object): void {
  const needed = webRoleOf(entry);
  if (needed === 'own' && (role === 'all' || (input as { device?: unknown }).device === id)) return;
  if (needed !== 'none' && needed !== 'own' && WEB_ROLES.indexOf(role) >= WEB_ROLES.indexOf(needed)) return;
  throw new OrchdError('ORCHD_WEB_ROLE', `this browser may not do that: ${MAY[role]}`, { role });
}

/** The name of a browser in answers and events. */
export const clientOf = ({ name }: WebDevice): string => (name === '' ? 'web' : `web:${name}`);

/** @throws {OrchdError} ORCHD_WEB_ROLE unless a device may type into terminals. */
export function permitTyping({ role }: WebDevice): void {
  if (role !== 'all') throw new OrchdError('ORCHD_WEB_ROLE', `this browser may not type: ${MAY[role]}`, { role });
}

const MAY: Readonly<Record<WebRole, string>> = {
  read: 'its link lets it read only',
  answer: 'its link lets it read and answer',
  all: 'only a terminal on the machine may',
};
