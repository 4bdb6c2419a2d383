import { expect, it } from 'vitest';
import { isSmeared } from './row-texts.js';

const question = (text: string): string => `{"type":"QUESTION","data":{"question":"${text}"}}`;
const TEXT =
  'Soll ich die Größe der 12 Bilder ändern, oder lieber alle 👨‍👩‍👧‍👦 im Ordner „Fotos“ so lassen, wie sie sind?';

it.each([
  ['the same text', TEXT, true],
  ['the text without two of its characters', TEXT.replace('ö', '').replace('„', ''), true],
  ['the text with other characters in a few places', TEXT.replace('ö', ' ').replace('ä', '_'), true],
  ['the text with another number', TEXT.replace('12', '13'), false],
  ['the text without its end', TEXT.slice(0, 60), false],
  [
    'another text',
    'Welche Datenbank soll es für die 12 Bilder in „Fotos“ werden: SQLite, PostgreSQL, oder doch lieber keine?',
    false,
  ],
])('compares a text of unsure width with %s', (_, other, isSame) => {
  expect(isSmeared(question(TEXT), question(other))).toBe(isSame);
  expect(isSmeared(question(other), question(TEXT))).toBe(isSame);
});

it('compares texts of ASCII characters never, because their widths are sure', () => {
  expect(isSmeared(question('Shall I go on?'), question('Shall I go on?'))).toBe(false);
});
