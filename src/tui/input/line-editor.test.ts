import { describe, expect, it } from 'vitest';
import type { Key, KeyName } from './key-reader.js';
import { EMPTY_LINE, edit, editText, type Line, newline, textOf } from './line-editor.js';

const key = (name: KeyName): Key => ({ kind: 'named', name });
const ctrl = (letter: string): Key => ({ kind: 'ctrl', letter });
const typed = (text: string): Key[] => [...text].map((char) => ({ kind: 'char', text: char }));
const lineOf = (...keys: Key[]): Line => keys.reduce((line, one) => edit(line, one) ?? line, EMPTY_LINE);

describe('editing a single line', () => {
  it('inserts text at the cursor', () => {
    expect(textOf(lineOf(...typed('ac'), key('left'), ...typed('b')))).toBe('abc');
    expect(textOf(lineOf(...typed('bc'), key('home'), ...typed('a'), key('end'), ...typed('d')))).toBe('abcd');
  });

  it('deletes whole characters, including combined ones', () => {
    expect(textOf(lineOf(...typed('日本'), key('backspace')))).toBe('日');
    expect(textOf(lineOf(...typed('ae\u0301'), key('backspace')))).toBe('a');
    expect(textOf(lineOf(...typed('x👨‍👩‍👧'), key('backspace')))).toBe('x');
    expect(textOf(lineOf(...typed('ab'), key('home'), key('delete')))).toBe('b');
  });

  it('clears up to the cursor with Ctrl-U, and deletes a word with Ctrl-W', () => {
    expect(textOf(lineOf(...typed('one two'), ctrl('w')))).toBe('one ');
    expect(textOf(lineOf(...typed('one  '), ctrl('w')))).toBe('');
    expect(textOf(lineOf(...typed('one two'), key('left'), ctrl('u')))).toBe('o');
  });

  it('inserts a paste as one line', () => {
    expect(textOf(lineOf({ kind: 'paste', text: 'a\r\nb\tc\x1b[31m' }))).toBe('a b c[31m');
  });

  it('does not handle other keys', () => {
    expect(edit(EMPTY_LINE, key('enter'))).toBeNull();
    expect(edit(EMPTY_LINE, ctrl('c'))).toBeNull();
  });
});

describe('editing several lines', () => {
  const write = (...keys: (Key | 'newline')[]): Line =>
    keys.reduce((line, one) => (one === 'newline' ? newline(line) : (editText(line, one) ?? line)), EMPTY_LINE);
  const three = [...typed('one'), 'newline', ...typed('two two'), 'newline', ...typed('3')] as const;

  it('inserts newlines, and keeps those of pastes', () => {
    expect(textOf(write(...three))).toBe('one\ntwo two\n3');
    expect(textOf(write({ kind: 'paste', text: 'a\r\nb\rc\n\td\x1b[31m' }))).toBe('a\nb\nc\n  d[31m');
  });

  it('moves up and down in the same column, and beyond the first and last line to the ends', () => {
    const [up, down] = [key('up'), key('down')];
    expect(textOf(write(...three, up, ...typed('X')))).toBe('one\ntXwo two\n3');
    expect(textOf(write(...three, up, up, up, ...typed('X')))).toBe('Xone\ntwo two\n3');
    expect(textOf(write(...three, up, key('end'), up, ...typed('X')))).toBe('oneX\ntwo two\n3');
    expect(textOf(write(...three, key('home'), down, ...typed('X')))).toBe('one\ntwo two\n3X');
    expect(textOf(write(...three, up, up, down, down, ...typed('X')))).toBe('one\ntwo two\n3X');
  });

  it('Home, End, Ctrl-U and Ctrl-K act on the current line; Ctrl-K at its end and Ctrl-U at its start join lines', () => {
    expect(textOf(write(...three, key('up'), key('home'), ...typed('X')))).toBe('one\nXtwo two\n3');
    expect(textOf(write(...three, key('up'), key('end'), ctrl('u')))).toBe('one\n\n3');
    expect(textOf(write(...three, key('up'), key('home'), ctrl('k')))).toBe('one\n\n3');
    expect(textOf(write(...three, key('up'), key('end'), ctrl('k')))).toBe('one\ntwo two3');
    expect(textOf(write(...three, key('up'), key('home'), ctrl('u')))).toBe('onetwo two\n3');
    expect(textOf(write(...three, ...Array.from({ length: 5 }, () => ctrl('u'))))).toBe('');
  });

  it('moves by words', () => {
    const left: Key = { kind: 'named', name: 'left', with: 'ctrl' };
    expect(textOf(write(...typed('one two'), left, ...typed('X')))).toBe('one Xtwo');
    expect(textOf(write(...typed('one two'), left, left, { kind: 'alt', text: 'f' }, ...typed('X')))).toBe('oneX two');
  });
});
