import { describe, expect, it } from 'vitest';
import { cropRow, firstRow } from './ansi-row.js';
import { cut, fill, plainLine, widthOf, wrap } from './text.js';

describe('text in columns', () => {
  it('counts two columns for wide characters and none for combining ones', () => {
    expect(widthOf('abc')).toBe(3);
    expect(widthOf('日本')).toBe(4);
    expect(widthOf('e\u0301')).toBe(1);
    expect(widthOf('👍')).toBe(2);
    expect(widthOf('⚠')).toBe(1);
    expect(widthOf('▸✓█░…')).toBe(5);
  });

  it('is cut between characters, with an ellipsis', () => {
    expect(cut('日本語', 5)).toBe('日本…');
    expect(cut('日本語', 4)).toBe('日…');
    expect(fill('日本語', 4)).toBe('日… ');
    expect(fill('7', 3, 'right')).toBe('  7');
    for (let columns = 0; columns < 12; columns++) expect(widthOf(fill('a日b本c', columns))).toBe(columns);
  });

  it('wraps at blanks, and within words that are too long', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrap('a\n\nb', 8)).toEqual(['a', '', 'b']);
    expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(wrap('日本語日本語', 5)).toEqual(['日本', '語日', '本語']);
  });

  it('contains no control characters', () => {
    expect(plainLine('a\x1b[31mb\u202ec\r\nd👨\u200d👩')).toBe('a‹U+001B›[31mb‹U+202E›c d👨👩');
  });
});

describe('a row of a screen', () => {
  const crop = (row: string, columns: number, hasColour = true) => cropRow(row, { columns, hasColour });

  it('is cut and padded to its width', () => {
    expect(crop('abcdef', 4)).toBe('abcd');
    expect(crop('ab', 4)).toBe('ab  ');
    expect(crop('日本', 3)).toBe('日 ');
  });

  it('keeps its colours, and ends with a reset', () => {
    expect(crop('\x1b[0;31mab\x1b[0mcd', 3)).toBe('\x1b[0;31mab\x1b[0mc\x1b[0m');
  });

  it('keeps bold text but no colours if colours are off', () => {
    expect(crop('\x1b[0;1;38;5;3;48;2;1;2;3mab', 2, false)).toBe('\x1b[0;1mab\x1b[0m');
    expect(crop('\x1b[32mab', 2, false)).toBe('ab');
  });

  it('contains no other sequences', () => {
    expect(crop('a\x1b[2Jb\x07', 6)).toBe('a[2Jb ');
  });

  it('shows the cursor, also after the text', () => {
    expect(cropRow('ab', { columns: 4, cursorX: 1, hasColour: true })).toBe('a\x1b[7mb\x1b[0m  ');
    expect(cropRow('ab', { columns: 4, cursorX: 3, hasColour: true })).toBe('ab \x1b[7m \x1b[0m');
  });

  it('firstRow keeps the row of the cursor within a pane', () => {
    const rows = ['a', 'b', 'c', 'd', '', ''];
    expect(firstRow(rows, { y: 3, visible: true }, 10)).toBe(0);
    expect(firstRow(rows, { y: 3, visible: true }, 2)).toBe(2);
    expect(firstRow(rows, { y: 0, visible: true }, 2)).toBe(0);
    expect(firstRow(rows, { y: 5, visible: false }, 2)).toBe(2);
  });
});
