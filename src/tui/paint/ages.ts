/** Formats times for people. */
import { spanWords } from '../../protocol/index.js';

const SECOND = 1000;

/** Returns the age in at most four characters, such as `42s` or `3m`. */
export const age = (since: string, now: number): string => spanWords(Math.max(0, (now - Date.parse(since)) / SECOND));

/** Returns the time left, as `0:45` or `1:02:03`. */
export const countdown = (until: number, now: number): string => clockwork(Math.ceil((until - now) / SECOND));

/** Returns the time left in at most five characters, such as `0:45`, `2h29m`, `12h` or `3d`. */
export function shortCountdown(until: number, now: number): string {
  const seconds = Math.ceil((until - now) / SECOND);
  if (seconds < 3600) return clockwork(seconds);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours < 10) return `${hours}h${String(minutes % 60).padStart(2, '0')}m`;
  return hours < 100 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

/** Returns the duration from `from` to `to`, or to now if `to` is null, as `0:45` or `1:02:03`. */
export const elapsed = (from: string, to: string | null, now: number): string =>
  clockwork(Math.floor(((to === null ? now : Date.parse(to)) - Date.parse(from)) / SECOND));

function clockwork(wanted: number): string {
  const total = Math.max(0, wanted);
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor(total / 60) % 60;
  const seconds = String(total % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`;
}

/** Returns the local time of day, as `14:03:27`. */
export const clock = (timestamp: string): string => {
  const date = new Date(timestamp);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((n) => String(n).padStart(2, '0')).join(':');
};

/** Returns the local date and time of day, as `2026-03-01 14:03:27`. */
export function dateAndClock(timestamp: string): string {
  const date = new Date(timestamp);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((n) => String(n).padStart(2, '0'))
    .join('-');
  return `${day} ${clock(timestamp)}`;
}

/** Returns the local time of day; of an earlier day, its date and time, as `03-01 14:03`. */
export function shortTime(timestamp: string, now: number): string {
  const isToday = new Date(timestamp).toDateString() === new Date(now).toDateString();
  return isToday ? clock(timestamp) : dateAndClock(timestamp).slice('2026-'.length, -':27'.length);
}
