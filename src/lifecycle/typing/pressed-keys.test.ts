/** Tests the draft that a user has typed and not submitted, which is derived from the keys alone. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftAfter, isEdit, isSubmit, NO_DRAFT } from './pressed-keys.js';

const draftOf = (...parts: string[]): string => parts.reduce(draftAfter, NO_DRAFT).text;

describe('a draft', () => {
  it.each([
    ['is what was typed', ['half ', 'a thought'], 'half a thought'],
    ['loses what Backspace deletes', ['abc\x7f\x7f', '\x08'], ''],
    ['loses a word to Ctrl-W', ['half a thought\x17'], 'half a '],
    ['is gone after Enter', ['half a thought\r'], ''],
    ['is gone after Enter of the Kitty keyboard protocol', ['half\x1b[13u'], ''],
    ['is gone after Ctrl-C', ['half a thought', '\x03'], ''],
    ['is gone after Ctrl-U', ['half a thought', '\x15'], ''],
    ['goes on after a new line', ['one\x1b\rtwo\x1b[13;2uthree\nfour'], 'one\ntwo\nthree\nfour'],
    ['holds a paste with its line ends', ['\x1b[200~one\rtwo\x1b[201~'], 'one\rtwo'],
    ['holds a paste that comes in parts', ['\x1b[200~one\r', 'two\r', 'three\x1b[201~'], 'one\rtwo\rthree'],
    ['is not started by an arrow, focus report or mouse event', ['\x1b[A\x1bOB\x1b[I\x1b[O\x1b[<0;10;20M\x1b'], ''],
    ['keeps characters typed between such keys', ['a\x1b[Db\x1b[I', 'c'], 'abc'],
  ])('%s', (_, parts, draft) => expect(draftOf(...parts)).toBe(draft));

  it('is the same however the keys are split into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b ', '\x7f', '\r', '\x15', '日', '\x17'), { maxLength: 30 }),
        (keys) => {
          expect(draftOf(...keys)).toBe(draftOf(keys.join('')));
        },
      ),
    );
  });
});

it.each([
  ['a', true],
  ['\x7f', true],
  ['\x15', true],
  ['\x1b[3~', true],
  ['\x1b[200~two words\x1b[201~', true],
  ['yes\r', false],
  ['\x7f\r', false],
  ['\r', false],
  ['\x1b[A', false],
  ['\x1b[<0;10;5M', false],
  ['\x03', false],
])('tells if %j edits an input line', (keys, expected) => expect(isEdit(keys)).toBe(expected));

it.each([
  ['half', '\r', true],
  ['', 'yes\r', true],
  ['half', '\x1b[13u', true],
  ['half', '\rmore', false],
  ['', '\r', false],
  ['half', '\x03', false],
  ['half', '\x7f\x7f\x7f\x7f\r', false],
])('after %j, the keys %j submit a text: %s', (text, keys, isSent) => {
  expect(isSubmit({ text, isPasting: false }, keys)).toBe(isSent);
});
