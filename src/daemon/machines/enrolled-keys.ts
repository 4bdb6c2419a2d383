/**
 * The keys of other machines whose commands this machine checks (`orchd hub enroll`), in a file with mode 0600.
 *
 * Without an enrolled key no command of another machine is carried out.
 */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { readOwnFile } from '../../host/index.js';
import { errorMessage, OrchdError } from '../../protocol/index.js';

interface EnrolledKey {
  readonly name: string;
  /** The public key (`U…`). */
  readonly key: string;
}

export class EnrolledKeys {
  readonly #file: string;
  #keys: readonly EnrolledKey[] | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** @throws {OrchdError} ORCHD_FILE */
  list(): readonly EnrolledKey[] {
    this.#keys ??= this.#read();
    return this.#keys;
  }

  /** True if the key is the one that was enrolled for a machine. */
  has(name: string, key: string): boolean {
    return this.list().some((one) => one.name === name && one.key === key);
  }

  /** True if any key was enrolled for a machine. */
  isEnrolled(machine: string): boolean {
    return this.list().some(({ name }) => name === machine);
  }

  /** Enrols a key. It replaces an earlier key of the same machine. */
  add(added: EnrolledKey): void {
    this.#write([...this.list().filter(({ name }) => name !== added.name), added]);
  }

  /** @throws {OrchdError} ORCHD_MACHINE_UNKNOWN if the machine has no enrolled key. */
  remove(name: string): void {
    const kept = this.list().filter((one) => one.name !== name);
    if (kept.length === this.list().length) {
      throw new OrchdError('ORCHD_MACHINE_UNKNOWN', `no key of a machine '${name}' is enrolled`);
    }
    this.#write(kept);
  }

  #read(): readonly EnrolledKey[] {
    if (!existsSync(this.#file)) return [];
    try {
      const keys = JSON.parse(readOwnFile(this.#file)) as EnrolledKey[]; // checked below
      const isKey = (one: EnrolledKey): boolean => typeof one.name === 'string' && typeof one.key === 'string';
      if (Array.isArray(keys) && keys.every(isKey)) return keys;
    } catch (cause) {
      const reason = errorMessage(cause);
      throw new OrchdError('ORCHD_FILE', `${this.#file} cannot be read: ${reason}`, undefined, cause);
    }
    throw new OrchdError('ORCHD_FILE', `${this.#file} is not a list of keys`);
  }

  #write(keys: readonly EnrolledKey[]): void {
    const next = `${this.#file}.new`;
    writeFileSync(next, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    renameSync(next, this.#file);
    this.#keys = keys;
  }
}
