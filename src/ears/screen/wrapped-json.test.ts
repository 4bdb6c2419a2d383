import { describe, expect, it } from 'vitest';
import { plainRow } from './rows.js';
import { readWrapped } from './wrapped-json.js';

/** Rows as a screen of so many columns shows them; the object begins at the first brace. */
function read(rows: readonly string[], cols = 40): unknown {
  const plain = rows.map((text) => plainRow({ text, isSoft: false }));
  const json = readWrapped(plain, 0, (plain[0]?.text ?? '').indexOf('{'), cols);
  return json.kind === 'closed' ? JSON.parse(json.text) : json.kind;
}

/** True if the strings are certain. */
function isExact(rows: readonly ({ text: string; isSoft: boolean } | string)[], cols = 40): boolean | null {
  const plain = rows.map((row) => plainRow(typeof row === 'string' ? { text: row, isSoft: false } : row));
  const json = readWrapped(plain, 0, (plain[0]?.text ?? '').indexOf('{'), cols);
  return json.kind === 'closed' ? json.isExact : null;
}

describe('wrapped JSON', () => {
  it('is joined with the blank that the wrap has eaten', () => {
    expect(read(['● {"a": "one two three four five six', '  seven"}'])).toEqual({
      a: 'one two three four five six seven',
    });
  });
  it('is joined without one where a word could not fit a row', () => {
    expect(read(['  {"a": "https/example/a/very/long/path/wi', '  thout/any/blanks/in/it"}'])).toEqual({
      a: 'https/example/a/very/long/path/without/any/blanks/in/it',
    });
  });
  it('is joined without one behind a hyphen or slash, and between ideographs', () => {
    expect(read(['  {"a": "this is a rather well-', '  known"}'])).toEqual({ a: 'this is a rather well-known' });
    expect(read(['  {"a": "日本語のファイル名を使', '  ってもよいですか"}'])).toEqual({
      a: '日本語のファイル名を使ってもよいですか',
    });
  });
  it('is joined without one within an escape, wherever it was cut', () => {
    const rows = ['  {"a": "C:\\\\temp, or \\\\', '  \\\\server"}'];
    expect(read(['  {"a": "the folder, or \\\\\\\\server\\', '  \\share"}'])).toEqual({
      a: 'the folder, or \\\\server\\share',
    });
    expect(read(['  {"a": "a small caf\\u00', '  e9"}'])).toEqual({ a: 'a small café' });
    expect(read(rows)).toEqual({ a: 'C:\\temp, or \\ \\server' });
  });
  it('loses its line numbers, which wrapped rows do not carry', () => {
    expect(
      read(['     1 {', '     2   "a": "one two three four five', '           six",', '     3   "b": 12', '    10 }']),
    ).toEqual({
      a: 'one two three four five six',
      b: 12,
    });
  });
  it('loses scrollbars and borders', () => {
    expect(
      read([
        '   {                       ┃',
        '     "a": tr               ┃',
        '   ue                      █',
        '   }                       ┃',
      ]),
    ).toEqual({ a: true });
  });
  it('is open, or broken, but never half', () => {
    expect(read(['{"a": ['])).toBe('open');
    expect(read(['{"a": "x', '', 'y"}'])).toBe('broken');
    expect(read(['{"a": 1', '> Type here!'])).toBe('broken');
  });
  it('is joined with a blank behind the dash of a list, and where the row had room for more', () => {
    expect(read(['  {"a": "# Heading and a list\\n-', '  [ ] todo\\n- [x] done"}'])).toEqual({
      a: '# Heading and a list\n- [ ] todo\n- [x] done',
    });
    const rows = ['  {"a": "one two three four five six', '  An agent', '  prints:\\nand_a_very_long_word_indeed"}'];
    expect(read(rows)).toEqual({ a: 'one two three four five six An agent prints:\nand_a_very_long_word_indeed' });
  });
  it('is exact where no string goes on in the next row, or only by an escape or the terminal itself', () => {
    expect(isExact(['  {', '    "a": "- [ ] x,   y",', '    "b": tr', '  ue', '  }'])).toBe(true);
    expect(isExact(['  {"a": "a small caf\\u00', '  e9"}'])).toBe(true);
    expect(isExact(['{"a": "one two three', { text: ' four"}', isSoft: true }])).toBe(true);
  });
  it('is not exact where a string goes on in a row of its own', () => {
    expect(isExact(['  {"a": "one two three four five six', '  seven"}'])).toBe(false);
    expect(isExact(['  {"a": "this is a rather well-', '  known"}'])).toBe(false);
    expect(isExact(['  {"a": "日本語のファイル名を使', '  ってもよいですか"}'])).toBe(false);
  });
  it('is not exact where a terminal shows other characters, or may have lost some', () => {
    const others = ['हिन्दी', 'กำ', 'z\u0338a', '\u202bשלום\u202c', 'a\u200bb'];
    for (const text of ['👨\u200d👩', '1\ufe0f\u20e3', '👍🏽', '🇩🇪', 'a\u00a0b', '☎\ufe0f', ...others])
      expect(isExact([`{"a": "${text}"}`]), text).toBe(false);
    for (const text of ['日本語', '🚀 é', 'نعم']) expect(isExact([`{"a": "${text}"}`]), text).toBe(true);
  });
});
