import { expect, test } from 'vitest';
import { createMouseReader } from './grid-mouse.js';

const TYPED = 'ab\x1b[<0;60;5Mcd\x1b[<0;60;5m\x1b[A\x1b[<64;1;1Me';

test('joins a split mouse report, and keeps the order of the other input', () => {
  for (let at = 0; at <= TYPED.length; at++) {
    const read = createMouseReader();
    const parts = [TYPED.slice(0, at), TYPED.slice(at)].map((text) => read(Buffer.from(text, 'latin1')));
    const rest = parts.map((part) => part.rest.toString('latin1')).join('');
    // A lone ESC or ESC [ may be a typed key and is passed on at once.
    const isKept = !/\x1b\[?$/.test(TYPED.slice(0, at));
    if (isKept) {
      expect(
        parts.flatMap(({ presses }) => presses),
        `cut at ${at}`,
      ).toEqual([
        { button: 0, x: 59, y: 4 },
        { button: 64, x: 0, y: 0 },
      ]);
      expect(rest).toBe('abcd\x1b[Ae');
    }
  }
});

test('passes on an incomplete report with the next bytes if it turns out to be none', () => {
  const read = createMouseReader();
  expect(read(Buffer.from('\x1b[<12;')).rest.toString()).toBe('');
  expect(read(Buffer.from('x')).rest.toString()).toBe('\x1b[<12;x');
});
