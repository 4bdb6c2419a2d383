import { describe, expect, it } from 'vitest';
import { plainRow, type ScreenRow } from '../rows/rows.js';
import { readWrapped } from './wrapped-json.js';

/** Reads rows as a screen of this width shows them. The object begins at the first brace. */
function read(rows: readonly (string | ScreenRow)[], cols = 40): unknown {
  const plain = rows.map((row) => plainRow(typeof row === 'string' ? { text: row, isSoft: false } : row));
  const json = readWrapped(plain, 0, (plain[0]?.text ?? '').indexOf('{'), cols);
  return json.kind === 'closed' ? JSON.parse(json.text) : json.kind;
}

/** As `read`, for an object that is restored: it is never exact, and may be half painted. */
function repair(rows: readonly string[], cols = 60): unknown {
  const plain = rows.map((text) => plainRow({ text, isSoft: false }));
  const json = readWrapped(plain, 0, 0, cols);
  if (json.kind !== 'closed') return json.kind;
  expect(json).toMatchObject({ isExact: false, hasGap: true, endRow: rows.length - 1 });
  expect(json.endColumn).toBe(plain.at(-1)?.text.length);
  return JSON.parse(json.text);
}

/** True if the strings are certain. */
function isExact(rows: readonly ({ text: string; isSoft: boolean } | string)[], cols = 40): boolean | null {
  const plain = rows.map((row) => plainRow(typeof row === 'string' ? { text: row, isSoft: false } : row));
  const json = readWrapped(plain, 0, (plain[0]?.text ?? '').indexOf('{'), cols);
  return json.kind === 'closed' ? json.isExact : null;
}

describe('wrapped JSON', () => {
  it('is joined with the blank that the wrap removed', () => {
    expect(read(['● {"a": "one two three four five six', '  seven"}'])).toEqual({
      a: 'one two three four five six seven',
    });
  });
  it('is joined without a blank if a word does not fit into a row', () => {
    expect(read(['  {"a": "https/example/a/very/long/path/wi', '  thout/any/blanks/in/it"}'])).toEqual({
      a: 'https/example/a/very/long/path/without/any/blanks/in/it',
    });
  });
  it('is joined without a blank after a hyphen or slash, and between ideographs', () => {
    expect(read(['  {"a": "this is a rather well-', '  known"}'])).toEqual({ a: 'this is a rather well-known' });
    expect(read(['  {"a": "日本語のファイル名を使', '  ってもよいですか"}'])).toEqual({
      a: '日本語のファイル名を使ってもよいですか',
    });
  });
  it('is joined without a blank within an escape, at any split', () => {
    const rows = ['  {"a": "C:\\\\temp, or \\\\', '  \\\\server"}'];
    expect(read(['  {"a": "the folder, or \\\\\\\\server\\', '  \\share"}'])).toEqual({
      a: 'the folder, or \\\\server\\share',
    });
    expect(read(['  {"a": "a small caf\\u00', '  e9"}'])).toEqual({ a: 'a small café' });
    expect(read(rows)).toEqual({ a: 'C:\\temp, or \\ \\server' });
  });
  it('is stripped of line numbers, which wrapped rows lack', () => {
    expect(
      read(['     1 {', '     2   "a": "one two three four five', '           six",', '     3   "b": 12', '    10 }']),
    ).toEqual({
      a: 'one two three four five six',
      b: 12,
    });
  });
  it('is stripped of scrollbars and borders', () => {
    expect(
      read([
        '   {                       ┃',
        '     "a": tr               ┃',
        '   ue                      █',
        '   }                       ┃',
      ]),
    ).toEqual({ a: true });
  });
  it('is stripped of scrollbars with half blocks, also beside a full row', () => {
    expect(read(['  {"a": "one"                          ▀', '  }                                      ▄'])).toEqual({
      a: 'one',
    });
    const full = [
      '  {"a": "one two three four five six    ▄',
      '  seven \\"eight\\"; nine, ten, eleven twe\\█',
      '  "lve"}',
    ];
    expect(read(full)).toEqual({ a: 'one two three four five six seven "eight"; nine, ten, eleven twe"lve' });
    expect(isExact(['  {"a": "seven \\"eight\\"; nine ten twe\\█', '  "lve"}'])).toBe(false);
    expect(read(['{"a": "one two three four five six seve█', { text: 'n"}', isSoft: true }])).toEqual({
      a: 'one two three four five six seve█n',
    });
    expect(read(['  {"a": "a bar: █ and', '  more"}'])).toEqual({ a: 'a bar: █ and more' });
  });
  it('regains the end of a string that the program cut, because it miscounts zero-width characters', () => {
    expect(repair(['{', '  "a": "in\u00adter\u00adnal, a\u200bb? (1)', '}'])).toEqual({
      a: 'in\u00adter\u00adnal, a\u200bb? (1)',
    });
    expect(repair(['{', '  "a": "தமிழ் (2', '  "b": "next"', '}'])).toEqual({ a: 'தமிழ் (2', b: 'next' });
  });
  it('regains the ends of all strings that the program cut', () => {
    const [first, second, flag] = ['👩\u200d💻', '👨\u200d👩', '🏳'];
    const options = [first, second, first, second, flag];
    const rows = options.map((option) => `    "${option}`);
    expect(repair(['{', `  "a": "Which: ${first}, ${second}`, '  "b": [', ...rows, '  ],', '  "c": 1', '}'])).toEqual({
      a: `Which: ${first}, ${second}`,
      b: options,
      c: 1,
    });
  });
  it('regains the backslashes of escapes that a program has drawn as markdown', () => {
    expect(repair(['{', '  "a": "~/a b/c\\ d, \\u00e9, \\x41 and \\u12",', '  "b": "x\\ny"', '}'])).toEqual({
      a: '~/a b/c\\ d, é, \\x41 and \\u12',
      b: 'x\ny',
    });
    expect(isExact(['{"a": "c\\\\ d"}'])).toBe(true);
  });
  it('regains the comma behind a string into which the program has moved it', () => {
    const [first, second] = ['👩\u200d', '👨\u200d'];
    expect(repair(['{', '  "options": [', `    "${first},"`, `    "${second},"`, '    "none"', '  ]', '}'])).toEqual({
      options: [`${first},`, `${second},`, 'none'],
    });
  });
  it('is stripped of remains after a gap, in rows whose width the program miscounts', () => {
    expect(repair(['{', '  "a": "தமிழ் அல்லது? (21)"', '}                       (21)"'])).toEqual({
      a: 'தமிழ் அல்லது? (21)',
    });
    expect(repair(['{', '  "a": {   ழ்', '    "b": "தமிழ்"', '  }         ழ்   ் ', '}'])).toEqual({ a: { b: 'தமிழ்' } });
  });
  it('is stripped of remains of the row above the object', () => {
    const rows = ['"தமிழ் அல்லது বাংলা?"', '{"a": [', '  "one",          ு   ল    ?', '  "two"', ']}'];
    const json = readWrapped(
      rows.map((text) => plainRow({ text, isSoft: false })),
      1,
      0,
      60,
    );
    expect(json).toMatchObject({ kind: 'closed', isExact: false, hasGap: true });
    expect(JSON.parse('text' in json ? json.text : '')).toEqual({ a: ['one', 'two'] });
  });
  it('is stripped of remains of a row many screens above the object', () => {
    const between = Array.from({ length: 500 }, (_, at) => `line ${at}`);
    const rows = ['เก็บไว้ก่อน จ ?', ...between, '{', '  "a": "one"', '}           จ     ?'];
    const plain = rows.map((text) => plainRow({ text, isSoft: false }));
    const json = readWrapped(plain, between.length + 1, 0, 60);
    expect(json).toMatchObject({ kind: 'closed', isExact: false, endColumn: rows.at(-1)?.length });
  });
  it('is not repaired without a row that explains the damage', () => {
    expect(read(['{', '  "a": "plain words (1)', '}'])).toBe('open');
    expect(read(['{', '  "a": "plain (1)"', '}         (1)"', '}'])).toEqual({ a: 'plain (1)' });
    expect(repair(['{', '  "a": "தமிழ் (1)"    ; words', '}'])).toBe('broken');
  });
  it('is open or broken, but never partly read', () => {
    expect(read(['{"a": ['])).toBe('open');
    expect(read(['{"a": "x', '', 'y"}'])).toBe('broken');
    expect(read(['{"a": 1', '> Type here!'])).toBe('broken');
  });
  it('is joined with a blank after a list dash, and if the row had room for more', () => {
    expect(read(['  {"a": "# Heading and a list\\n-', '  [ ] todo\\n- [x] done"}'])).toEqual({
      a: '# Heading and a list\n- [ ] todo\n- [x] done',
    });
    const rows = ['  {"a": "one two three four five six', '  An agent', '  prints:\\nand_a_very_long_word_indeed"}'];
    expect(read(rows)).toEqual({ a: 'one two three four five six An agent prints:\nand_a_very_long_word_indeed' });
  });
  it('is exact if no string continues in the next row, or only by an escape or a terminal wrap', () => {
    expect(isExact(['  {', '    "a": "- [ ] x,   y",', '    "b": tr', '  ue', '  }'])).toBe(true);
    expect(isExact(['  {"a": "a small caf\\u00', '  e9"}'])).toBe(true);
    expect(isExact(['{"a": "one two three', { text: ' four"}', isSoft: true }])).toBe(true);
  });
  it('is not exact if a string continues in a row of its own', () => {
    expect(isExact(['  {"a": "one two three four five six', '  seven"}'])).toBe(false);
    expect(isExact(['  {"a": "this is a rather well-', '  known"}'])).toBe(false);
    expect(isExact(['  {"a": "日本語のファイル名を使', '  ってもよいですか"}'])).toBe(false);
  });
  it('is not exact with characters that terminals change or lose', () => {
    const others = ['हिन्दी', 'กำ', 'z\u0338a', '\u202bשלום\u202c', 'a\u200bb', 'ﾆﾎﾝｺﾞ', '\u1112\u1161'];
    for (const text of ['👨\u200d👩', '1\ufe0f\u20e3', '👍🏽', '🇩🇪', 'a\u00a0b', '☎\ufe0f', ...others])
      expect(isExact([`{"a": "${text}"}`]), text).toBe(false);
    for (const text of ['日本語', '🚀 é', 'نعم']) expect(isExact([`{"a": "${text}"}`]), text).toBe(true);
  });
});
