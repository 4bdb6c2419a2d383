import { afterEach, expect, test } from 'vitest';
import { localTime, rowTime } from './local-time.js';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test.each([
  ['UTC', '2026-11-24 09:32:40 +00:00', '11-24 09:32:40.077 +00:00'],
  ['America/New_York', '2026-11-24 04:32:40 -05:00', '11-24 04:32:40.077 -05:00'],
  ['Asia/Kolkata', '2026-11-24 15:02:40 +05:30', '11-24 15:02:40.077 +05:30'],
  ['Pacific/Kiritimati', '2026-11-24 23:32:40 +14:00', '11-24 23:32:40.077 +14:00'],
])('shows a timestamp in the time zone %s with its offset', (name, full, row) => {
  process.env['TZ'] = name;
  expect(localTime('2026-11-24T09:32:40.077Z')).toBe(full);
  expect(rowTime('2026-11-24T09:32:40.077Z')).toBe(row);
});

test('does not change a text that is not a timestamp', () => {
  expect(localTime('soon')).toBe('soon');
  expect(rowTime('')).toBe('');
});
