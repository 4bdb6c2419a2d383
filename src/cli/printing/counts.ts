/** Formats counts and byte sizes. */
import { counted } from '../../protocol/index.js';

const UNITS = ['KB', 'MB', 'GB', 'TB'] as const;

/** Returns, for example, `512 bytes` or `1.5 MB`. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte');
  let value = bytes;
  let unit = -1;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toPrecision(3)} ${UNITS[unit]}`;
}
