/**
 * Formats timestamps for users: local time with its offset from UTC. `--json` prints timestamps as the daemon sends
 * them.
 */

const two = (value: number): string => String(value).padStart(2, '0');

/** Returns `2026-11-24 04:32:40 -05:00`. A text that is not a timestamp is returned unchanged. */
export function localTime(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp;
  return `${date.getFullYear()}-${monthAndDay(date)} ${clock(date)} ${offset(date)}`;
}

/** Returns `11-24 04:32:40.777 -05:00`, for the rows of a log. */
export function rowTime(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp;
  const millis = String(date.getMilliseconds()).padStart(3, '0');
  return `${monthAndDay(date)} ${clock(date)}.${millis} ${offset(date)}`;
}

const monthAndDay = (date: Date): string => `${two(date.getMonth() + 1)}-${two(date.getDate())}`;
const clock = (date: Date): string => [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');

function offset(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
