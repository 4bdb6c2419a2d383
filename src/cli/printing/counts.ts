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

/** Returns how long something took, or has taken so far. */
export function formatElapsed({
  started_at,
  ended_at,
}: {
  started_at: string | null;
  ended_at: string | null;
}): string {
  if (started_at === null) return '-';
  const ms = (ended_at === null ? Date.now() : Date.parse(ended_at)) - Date.parse(started_at);
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
