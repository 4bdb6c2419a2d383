/** Formats milliseconds since the epoch as RFC 3339 with milliseconds and Z. Pure: the time is a parameter. */
export function timestamp(time: number): string {
  // biome-ignore lint/style/noRestrictedGlobals: formats the time that it is given, and reads no clock
  return new Date(time).toISOString();
}

/** Parses a timestamp to milliseconds since the epoch. */
export function timeOf(text: string): number {
  // biome-ignore lint/style/noRestrictedGlobals: reads the time that it is given, and no clock
  return Date.parse(text);
}
