/** A certificate and its key. Their files are read again when they change, because certificates are renewed often. */
import { X509Certificate } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { readRegularFile } from '../../host/index.js';
import { errorMessage, OrchdError } from '../../protocol/index.js';
import { isNamed } from '../access/index.js';

interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

export interface Loaded {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly certificate: X509Certificate;
}

/** Interval for checking whether the files have changed. */
const LOOK_MS = 30_000;

/** A chain of certificates has a few KB. A device in its place would never end. */
const MAX_BYTES = 1024 * 1024;
const read = (file: string): Buffer => Buffer.from(readRegularFile(file, MAX_BYTES));

/** @throws {OrchdError} ORCHD_WEB_LISTEN */
export function loadCertificate({ cert, key }: CertificateFiles): Loaded {
  try {
    const loaded = { cert: read(cert), key: read(key) };
    createSecureContext(loaded); // throws if the key does not belong to the certificate
    return { ...loaded, certificate: new X509Certificate(loaded.cert) };
  } catch (error) {
    const why = errorMessage(error);
    throw new OrchdError('ORCHD_WEB_LISTEN', `the certificate ${cert} and key ${key} cannot be used: ${why}`);
  }
}

/**
 * Calls `use` when the files have changed, with a certificate that works.
 * @returns A function that ends this.
 */
export function watchCertificate(
  files: CertificateFiles,
  use: (loaded: Loaded) => void,
  onProblem: (error: unknown) => void,
  lookMs = LOOK_MS,
): () => void {
  const load = (): void => {
    try {
      use(loadCertificate(files));
    } catch (error) {
      onProblem(error); // The old certificate stays. One of the files may not be written yet.
    }
  };
  const names = [files.cert, files.key];
  for (const name of names) watchFile(name, { interval: lookMs, persistent: false }, load);
  return () => {
    for (const name of names) unwatchFile(name, load);
  };
}

/**
 * Returns the name that a link to a certificate's server has: the address it listens on if the certificate has that,
 * else the first name or address in the certificate. Null if it has none.
 */
export function nameOf(certificate: X509Certificate, host: string): string | null {
  const shown = host.includes(':') ? `[${host}]` : host;
  if (isNamed(certificate, shown)) return shown;
  const names = (certificate.subjectAltName ?? '').split(', ');
  const [name] = names.flatMap((entry) => /^DNS:([^*]+)$/.exec(entry)?.[1] ?? []);
  const [address] = names.flatMap((entry) => /^IP Address:(.+)$/.exec(entry)?.[1] ?? []);
  if (name !== undefined) return name;
  return address === undefined ? null : address.includes(':') ? `[${address}]` : address;
}
