import { expect, test } from 'vitest';
import { keyBytes } from './keys.js';

test.each([
  ['a', 'a'],
  ['é', 'é'],
  ['🙂', '🙂'],
  ['Enter', '\r'],
  ['Return', '\r'],
  ['Escape', '\x1b'],
  ['Space', ' '],
  ['BSpace', '\x7f'],
  ['S-Tab', '\x1b[Z'],
  ['C-c', '\x03'],
  ['C-C', '\x03'],
  ['^C', '\x03'],
  ['C-Space', '\0'],
  ['C-?', '\x7f'],
  ['C-[', '\x1b'],
  ['M-x', '\x1bx'],
  ['M-Enter', '\x1b\r'],
  ['M-C-c', '\x1b\x03'],
  ['PgUp', '\x1b[5~'],
  ['F1', '\x1bOP'],
  ['F12', '\x1b[24~'],
  ['Up', '\x1b[A'],
])('encodes %s as a terminal does', (key, bytes) => {
  expect(keyBytes(key, false)).toBe(bytes);
});

test('encodes cursor keys in the mode that the program has set', () => {
  expect(keyBytes('Up', true)).toBe('\x1bOA');
  expect(keyBytes('M-Up', true)).toBe('\x1b\x1bOA');
});

test.each(['Entr', 'C-', 'C-é', 'M-', 'F13', ''])("refuses '%s' and names valid keys", (key) => {
  expect(() => keyBytes(key, false)).toThrow(/is not a key; .*Enter/);
});
