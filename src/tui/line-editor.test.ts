import { describe, expect, it } from 'vitest';
import type { Key, KeyName } from './key-reader.js';
import { EMPTY_LINE, edit, type Line, textOf } from './line-editor.js';

const key = (name: KeyName): Key => ({ kind: 'named', name });
const ctrl = (letter: string): Key => ({ kind: 'ctrl', letter });
const typed = (text: string): Key[] => [...text].map((char) => ({ kind: 'char', text: char }));
const lineOf = (...keys: Key[]): Line => keys.reduce((line, one) => edit(line, one) ?? line, EMPTY_LINE);

describe('the line that is typed', () => {
  it('takes text where the cursor stands', () => {
    expect(textOf(lineOf(...typed('ac'), key('left'), ...typed('b')))).toBe('abc');
    expect(textOf(lineOf(...typed('bc'), key('home'), ...typed('a'), key('end'), ...typed('d')))).toBe('abcd');
  });

  it('deletes whole characters, joined ones too', () => {
    expect(textOf(lineOf(...typed('日本'), key('backspace')))).toBe('日');
    expect(textOf(lineOf(...typed('ae\u0301'), key('backspace')))).toBe('a');
    expect(textOf(lineOf(...typed('x👨‍👩‍👧'), key('backspace')))).toBe('x');
    expect(textOf(lineOf(...typed('ab'), key('home'), key('delete')))).toBe('b');
  });

  it('clears with Ctrl-U and deletes a word with Ctrl-W', () => {
    expect(textOf(lineOf(...typed('one two'), ctrl('w')))).toBe('one ');
    expect(textOf(lineOf(...typed('one  '), ctrl('w')))).toBe('');
    expect(textOf(lineOf(...typed('one two'), key('left'), ctrl('u')))).toBe('o');
  });

  it('takes a paste as one line', () => {
    expect(textOf(lineOf({ kind: 'paste', text: 'a\r\nb\tc\x1b[31m' }))).toBe('a b c[31m');
  });

  it('leaves other keys alone', () => {
    expect(edit(EMPTY_LINE, key('enter'))).toBeNull();
    expect(edit(EMPTY_LINE, ctrl('c'))).toBeNull();
  });
});
