import { expect, test } from 'vitest';
import { isAsciiLocale } from '../../protocol/index.js';
import { asciiOf, inLocale } from './ascii.js';
import { widthOf } from './text.js';

test.each([
  [{ LANG: 'C' }, true],
  [{ LANG: 'POSIX' }, true],
  [{ LANG: 'de_DE.ISO-8859-1' }, true],
  [{ LANG: 'de_DE.UTF-8', LC_ALL: 'C' }, true],
  [{ LANG: 'C', LC_CTYPE: 'UTF-8' }, false],
  [{ LANG: 'C.utf8' }, false],
  [{ LANG: 'C', LC_ALL: '' }, true],
  [{}, false],
])('%j is a locale without UTF-8: %s', (env, isAscii) => expect(isAsciiLocale(env)).toBe(isAscii));

test('borders and marks become ASCII signs of the same width', () => {
  const rows = ['╭─ Inbox 6 ─╮', '│› ? asks… ● │', '╰─ ↓ 2 more ─╯', '✓ accepted → · written', '日本 🚀 e\u0301 “x”'];
  const drawn = rows.map(asciiOf);
  expect(drawn).toEqual([
    '+- Inbox 6 -+',
    '|> ? asks~ * |',
    '+- v 2 more -+',
    '+ accepted > . written',
    '???? ?? e "x"',
  ]);
  expect(drawn.map(widthOf)).toEqual(rows.map(widthOf));
});

test('control sequences and texts in a UTF-8 locale stay as they are', () => {
  expect(asciiOf('\x1b[1;1H\x1b[7m─\x1b[0m')).toBe('\x1b[1;1H\x1b[7m-\x1b[0m');
  expect(inLocale('─', { LANG: 'C.UTF-8' })).toBe('─');
  expect(inLocale('─', { LANG: 'C' })).toBe('-');
});
