/**
 * Parses quiet hours such as `22:00-07:00` in local time. If the end is earlier than the start, they cover midnight.
 */

export interface QuietHours {
  /** Minutes of the day; `to` is the first minute that is not quiet. */
  readonly from: number;
  readonly to: number;
}

const MINUTES_PER_DAY = 24 * 60;

/** @returns Null unless the text contains two different times of day. */
export function parseQuietHours(text: string): QuietHours | null {
  const parts = /^([01]?\d|2[0-3]):([0-5]\d)-([01]?\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (!parts) return null;
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = parts.slice(1).map(Number);
  const hours = { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute };
  return hours.from === hours.to ? null : hours;
}

/**
 * @param minute Minute of the day, 0 to 1439.
 * @returns Minutes until quiet hours end; 0 outside them.
 */
export function minutesOfQuiet({ from, to }: QuietHours, minute: number): number {
  const since = (minute - from + MINUTES_PER_DAY) % MINUTES_PER_DAY;
  const length = (to - from + MINUTES_PER_DAY) % MINUTES_PER_DAY;
  return since < length ? length - since : 0;
}
