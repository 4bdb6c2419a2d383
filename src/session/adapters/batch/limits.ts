/**
 * Recognizes the usage limit of an agent's account, and its end. Pure.
 *
 * In:   the words of an error, and their time.
 * Out:  the limit, with the time at which it ends, if that is named. A passing overload is not a limit.
 */

interface Limit {
  readonly resetsAt: number | null;
}

const LIMITED = new RegExp(
  [
    'usage.limit', // Codex, pi, OpenCode, older Claude Code
    String.raw`you[\u2019']ve (?:hit|reached) your .{0,40}limit`, // Claude Code: session, weekly, Opus limit
    String.raw`\b(?:5-hour|five-hour|session|weekly|monthly|daily) limit reached`,
    'rate.?limit', // rate_limit_error, Rate limit reached
    String.raw`\b429\b`,
    'too many requests',
    'RESOURCE_EXHAUSTED',
    String.raw`exhausted your (?:\w+ ){0,2}(?:quota|capacity)`, // Gemini CLI
    'quota exceeded|exceeded your current quota|insufficient_quota|quota_exceeded',
    'premium request (?:limit|allowance)', // Copilot CLI
    'FreeUsageLimitError',
  ].join('|'),
  'i',
);

export function limitIn(words: string, now: number): Limit | null {
  return LIMITED.test(words) ? { resetsAt: resetIn(words, now) } : null;
}

const MAX_WAIT_MS = 40 * 24 * 3_600_000;
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const SPAN = String.raw`\d+(?:\.\d+)?\s*(?:ms|[a-z]+)\b(?:[\s,]*(?:and\s+)?\d+(?:\.\d+)?\s*[a-z]+\b)*|(?:\d+(?:\.\d+)?(?:ms|[dhms]))+`;
/**
 * `retry in 34.07s`, `try again in 2 days 3 hours`, `reset after 3h12m5s`, `"retryDelay":"34s"`, `Try again in ~34
 * min.`
 */
const IN_SPAN = new RegExp(
  String.raw`(?:again|retry|resets?|access) (?:in|after) ~?(${SPAN})|"?retryDelay"?:\s*["'](${SPAN})["']`,
  'i',
);
/** `reached|1755806400`, `"resets_at":1755806400`, `"resetsAt": …` */
const AT_EPOCH = /(?:reached\||resets_?at\\?"?:\s*)(\d{10,13})\b/i;
const IN_SECONDS = /resets_?in_?seconds\\?"?:\s*(\d{1,8})\b/i;
/** `resets 3pm (Europe/Paris)`, `try again at Sep 29th, 2026 12:55 AM`, `resets Oct 9, 5pm`, `resets Oct 9 at 5pm`. */
const AT_CLOCK =
  /(?:resets?|again)(?: at)? (?:([A-Z][a-z]{2})[a-z]* (\d{1,2})(?:st|nd|rd|th)?,?(?: (\d{4}),?)?(?: at)? )?(\d{1,2})(?::(\d{2}))? ?([ap]m)(?: \(([\w+\-/]{1,40})\))?/i;
const DAILY = /exhausted your daily quota/;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

function resetIn(words: string, now: number): number | null {
  const epoch = AT_EPOCH.exec(words)?.[1];
  if (epoch) return epoch.length > 11 ? Number(epoch) : Number(epoch) * 1_000;
  // Gemini's server also says `retry in 34s` for a daily quota, although the retry would be refused.
  if (DAILY.test(words)) return atClock(words, now);
  const seconds = IN_SECONDS.exec(words)?.[1];
  const span = IN_SPAN.exec(words);
  const wait = seconds ? Number(seconds) * 1_000 : span && spanMs(span[1] ?? span[2] ?? '');
  if (wait !== null) return wait > 0 && wait <= MAX_WAIT_MS ? now + Math.ceil(wait) : null;
  return atClock(words, now);
}

function spanMs(span: string): number {
  const parts = [...span.matchAll(/(?<!\d)(\d+(?:\.\d+)?)\s*(ms|mo|[a-z])/gi)];
  return parts.reduce((all, [, count, unit = '']) => all + Number(count) * (UNITS[unit.toLowerCase()] ?? 0), 0);
}

/** Returns the next occurrence of the time if the date is missing. Without a time zone, this machine's zone is used. */
function atClock(words: string, now: number): number | null {
  const found = AT_CLOCK.exec(words);
  if (!found) return null;
  const [, month, day, year, hour, minute = '0', half = '', zone] = found;
  const at = (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  const shift = zone === undefined ? 0 : zoneShift(zone, now);
  if (shift === null) return null;
  const wall = new Date(now + shift);
  if (month !== undefined) {
    wall.setMonth(MONTHS.indexOf(month.toLowerCase()), Number(day));
    if (year !== undefined) wall.setFullYear(Number(year));
  }
  wall.setHours(at, Number(minute), 0, 0);
  const time = wall.getTime() - shift;
  if (time > now || year !== undefined) return time;
  if (month === undefined) wall.setDate(wall.getDate() + 1);
  else wall.setFullYear(wall.getFullYear() + 1);
  return wall.getTime() - shift;
}

/** Returns the difference of a zone's clock to this machine's, in milliseconds; null for an unknown zone. */
function zoneShift(timeZone: string, now: number): number | null {
  try {
    const there = new Date(new Date(now).toLocaleString('en-US', { timeZone }));
    const here = new Date(new Date(now).toLocaleString('en-US'));
    return there.getTime() - here.getTime();
  } catch {
    return null;
  }
}
