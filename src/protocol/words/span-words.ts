/** Returns for how long a machine of the hub has not reported, for example `away 12m`. */
export const awayWords = (ageMs: number): string => `away ${spanWords(ageMs / 1000)}`;

/** Returns a span of time in its largest whole unit, for example `40s`, `12m`, `3h` or `5d`. */
export function spanWords(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}
