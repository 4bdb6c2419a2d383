/**
 * Returns random bytes in hexadecimal from the system's random source. Loading node:crypto would take a tenth of a
 * short command's time.
 */
import { closeSync, openSync, readSync } from 'node:fs';

const SOURCE = '/dev/urandom';

export function randomHex(bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  const source = openSync(SOURCE, 'r');
  try {
    for (let at = 0; at < bytes; ) at += readSync(source, buffer, at, bytes - at, null);
  } finally {
    closeSync(source);
  }
  return buffer.toString('hex');
}
