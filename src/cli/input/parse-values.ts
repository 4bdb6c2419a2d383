/** Parses the values of options. An invalid value is rejected with an example of a valid one. */
import { OrchdError } from '../../protocol/index.js';

/** Parses a size such as `80x24`. */
export function parseSize(value: string): { cols: number; rows: number } {
  const match = /^(\d{1,4})x(\d{1,4})$/.exec(value);
  const [cols, rows] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || cols < 1 || rows < 1 || cols > 1000 || rows > 1000) {
    throw new OrchdError(
      'ORCHD_USAGE',
      `'${value}' is not a size; it is COLSxROWS, each from 1 to 1000, such as 120x40`,
    );
  }
  return { cols, rows };
}

/** Parses the key that messages must contain, with the same rule as `session.start`. */
export function parseKey(value: string | undefined): string | undefined {
  if (value === undefined || /^\S{4,128}$/.test(value)) return value;
  throw new OrchdError('ORCHD_USAGE', 'a key has 4 to 128 characters and no blanks');
}

export function parseWhole(
  option: string,
  value: string,
  bounds?: { readonly least: number; readonly most: number },
): number {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= (bounds?.least ?? 0) && number <= (bounds?.most ?? number)) return number;
  const range = bounds ? ` from ${bounds.least} to ${bounds.most}` : '';
  throw new OrchdError('ORCHD_USAGE', `${option} takes a whole number${range}, not '${value}'`);
}

/** Parses a state that has an entry in `looks`. */
export function parseState<S extends string>(states: Readonly<Record<S, unknown>>, value: string): S {
  if (Object.hasOwn(states, value)) return value as S; // the check above proves it
  throw new OrchdError('ORCHD_USAGE', `'${value}' is not a state; states are ${Object.keys(states).join(', ')}`);
}

/** Parses `500ms`, `60s`, `5m`, `2h` or `30d` to milliseconds. A bare number is seconds. */
export function parseDuration(option: string, value: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(value);
  if (!match)
    throw new OrchdError('ORCHD_USAGE', `${option} takes a duration such as 500ms, 60s or 5m, not '${value}'`);
  const unit = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2] ?? 's'] ?? 1_000;
  return Math.round(Number(match[1]) * unit);
}

/** Parses a size such as `512KB`, `1MB` or `10GB` to bytes. */
export function parseByteSize(option: string, value: string): number {
  const match = /^(\d+(?:\.\d+)?)(KB|MB|GB|TB)$/i.exec(value);
  if (!match) throw new OrchdError('ORCHD_USAGE', `${option} takes a size such as 512KB, 1MB or 10GB, not '${value}'`);
  const power = ['KB', 'MB', 'GB', 'TB'].indexOf((match[2] ?? '').toUpperCase()) + 1;
  return Math.round(Number(match[1]) * 1024 ** power);
}

/**
 * Parses an age such as `12h` or `30d`. The unit is required, because deleting data older than N seconds is hardly ever
 * meant.
 */
export function parseAge(option: string, value: string): number {
  if (/\d(?:ms|s|m|h|d)$/.test(value)) return parseDuration(option, value);
  throw new OrchdError('ORCHD_USAGE', `${option} takes an age with its unit, such as 30d or 12h, not '${value}'`);
}

type Moment = { readonly kind: 'since'; readonly ms: number } | { readonly kind: 'time'; readonly time: number };

/** Parses a moment: a duration since the beginning (`90s`, `1:30`, `1:02:03`), or a timestamp as in events. */
export function parseMoment(option: string, value: string): Moment {
  const clock = /^(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d+)?)$/.exec(value);
  if (clock) {
    const [hours, minutes, seconds] = [clock[1] ?? 0, clock[2], clock[3]].map(Number);
    return { kind: 'since', ms: Math.round(((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)) * 1000) };
  }
  const time = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return { kind: 'time', time };
  if (/^\d+(\.\d+)?(ms|s|m|h)?$/.test(value)) return { kind: 'since', ms: parseDuration(option, value) };
  throw new OrchdError(
    'ORCHD_USAGE',
    `${option} takes a moment such as 90s, 1:30 or 2026-11-21T10:15:30Z, not '${value}'`,
  );
}
