import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../../test/harness/tries.js';
import { displayLine, displayText } from './display.js';

test('shows an invisible character as its code point', () => {
  for (const [code, shown] of [
    [0x200b, '‹U+200B›'],
    [0x200d, '‹U+200D›'],
    [0x3164, '‹U+3164›'],
    [0x2800, '‹U+2800›'],
    [0xfeff, '‹U+FEFF›'],
    [0x00ad, '‹U+00AD›'],
    [0xe0041, '‹U+E0041›'],
    [0xfe0f, '‹U+FE0F›'],
    [0x1b, '‹U+001B›'],
    [0x7, '‹U+0007›'],
    [0x202e, '‹U+202E›'],
    [0x200e, '‹U+200E›'],
    [0xd800, '‹U+D800›'],
    [0xa0, '‹U+00A0›'],
    [0x3000, '‹U+3000›'],
  ] as const)
    expect(displayLine(`Yes${String.fromCodePoint(code)}`)).toBe(`Yes${shown}`);
});

test('keeps characters that a script or an emoji needs', () => {
  for (const text of [
    'Straße, naïve, Ελληνικά, 日本語の\u3000テキスト',
    '👨‍👩‍👧‍👦 👩🏽‍🚒 ❤️ ☎︎ 1️⃣ 🇩🇪 🏳️‍🌈',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', // England
    'می\u200cخواهم', // Persian with a non-joiner
    'क्\u200dष', // Devanagari with a joiner
    '葛\u{e0100}城', // a variant of a Han character
    'e\u0301\u0323 ก็้ ཧཱུྃ',
    '10\u202f000 km, 5\u00a0%',
    'two\nlines\tand a tab',
  ])
    expect(displayText(text)).toBe(text);
});

test('removes only the bidi controls from right-to-left text', () => {
  expect(displayText('\u200fשלום\u200e, \u2067עולם\u2069!')).toBe('שלום, עולם!');
});

test('cuts a long sequence of combining marks, and shows the number of those cut', () => {
  const shown = displayText(`e${'\u0301'.repeat(5_000)}!`);
  expect(shown).toBe(`e${'\u0301'.repeat(8)}‹4992 marks›!`);
});

test('turns CRLF into newlines, and removes a leading byte order mark', () => {
  expect(displayText('\ufeffone\r\ntwo\r\n')).toBe('one\ntwo\n');
});

/** Letters, and characters that are often invisible. */
const tricky = fc.oneof(
  fc.constantFrom('a', 'b', ' ', '\n', 'é', '日', 'ש', '👍', '❤', '葛'),
  fc.constantFrom(
    '\u200b',
    '\u200d',
    '\u2800',
    '\u3164',
    '\u202e',
    '\u0301',
    '\ufe0f',
    '\u{e0041}',
    '\x1b',
    '\x9b',
    '\u00a0',
    '\ufeff',
    '\r',
  ),
  fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
);

test('shows no hidden character and no control character, whatever the text', () => {
  const text = fc.array(tricky, { maxLength: 40 }).map((characters) => characters.join(''));
  fc.assert(
    fc.property(text, (given) => {
      const shown = displayText(given);
      expect(shown).not.toMatch(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2066-\u2069\u2800\u3164]/u,
      );
      expect(shown).not.toMatch(/\p{M}{9}/u);
      expect(displayText(shown)).toBe(shown);
    }),
    tries(3_000),
  );
});

test('shows options that differ in an invisible character differently', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('\u200b', '\u200c', '\u2060', '\u00ad', '\u034f', '\u115f', '\u3164', '\u2800'),
      (hidden) => {
        expect(new Set(['Yes', `Yes${hidden}`, `${hidden}Yes`, `Y${hidden}es`].map(displayLine)).size).toBe(4);
      },
    ),
  );
});
