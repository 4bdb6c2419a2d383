import { describe, expect, it } from 'vitest';
import { hasKeptBlanks, mayLoseBlanks } from './kept-blanks.js';

const at = (x: number, { y = 0, visible = true } = {}) => ({ rows: [], cursor: { x, y, visible } });

describe('kept blanks', () => {
  it.each([
    [' a', true],
    ['a\tb', true],
    ['a b ', false],
    [' a\n b', false],
  ])('may be lost in %j: %s', (text, may) => {
    expect(mayLoseBlanks(text)).toBe(may);
  });

  it.each([
    ['  ab', 6, true],
    ['  ab', 4, false],
    ['  日本', 8, true],
    ['  日本', 6, false],
    ['a\tb', 5, true],
    ['a\tb', 9, true],
    ['a\tb', 4, false],
    [' a ', 4, true],
  ])('of %j typed behind a prompt of two columns, the cursor in column %i: %s', (text, x, kept) => {
    expect(hasKeptBlanks(text, at(2), at(x))).toBe(kept);
  });

  it('are not seen in another row, nor without a cursor', () => {
    expect(hasKeptBlanks(' a', at(2), at(8, { y: 1 }))).toBe(false);
    expect(hasKeptBlanks(' a', at(2), at(8, { visible: false }))).toBe(false);
  });
});
