import { expect, test } from 'vitest';
import { cursorText, parseCursor } from './cursor.js';

test('a cursor is the same after it was written and read', () => {
  const place = { incarnation: 1_795_000_000_123, sequence: 4_711, time: 1_795_000_111_222 };
  expect(parseCursor(cursorText(place))).toEqual(place);
  expect(parseCursor(cursorText({ ...place, taken: 17 }))).toEqual({ ...place, taken: 17 });
  expect(cursorText(place)).toMatch(/^\S+$/);
});

test.each(['', '12', 'a.b', 'a.b.c.d', 'A.b.c', 'a.b.c.1.2', '../x', 'a.b.c.-1'])('%j is no cursor', (text) => {
  expect(() => parseCursor(text)).toThrow(expect.objectContaining({ code: 'ORCHD_INVALID' }));
});
