import { describe, expect, it } from 'vitest';
import { RowMarks } from './row-marks.js';

function marked(marks: RowMarks, text: string): string {
  const row = marks.take(text);
  if (row === null) throw new Error(`no mark for ${text}`);
  return row.mark;
}

describe('the marks of rows', () => {
  it('stand for rows beside and below each other', () => {
    const marks = new RowMarks(() => 20);
    const [left, right, below] = ['│日本│', '\x1b[1mab\x1b[22m', 'é'].map((text) => marked(marks, text));
    expect(marks.take('│日本│')?.width).toBe(6);
    expect(marks.expand(`${left}     ${right}\n\n ${below}`)).toBe('│日本│\x1b[1mab\x1b[22m\n\n é');
  });

  it('lead to no blanks at the end of a line, but keep coloured ones', () => {
    const marks = new RowMarks(() => 20);
    expect(marks.expand(marked(marks, 'ab   '))).toBe('ab');
    expect(marks.expand(marked(marks, '\x1b[7mab  \x1b[27m'))).toBe('\x1b[7mab  \x1b[27m');
  });

  it('are not given to a row that Ink must cut, nor to an empty one', () => {
    const marks = new RowMarks(() => 3);
    expect(marks.take('abcd')).toBe(null);
    expect(marks.take('')).toBe(null);
    expect(marks.take('\x1b[1mabc\x1b[22m')).not.toBe(null);
  });

  it('are different while they are in use, and can be used again later', () => {
    const marks = new RowMarks(() => 3);
    const kept = marked(marks, 'a');
    const seen = new Set([kept]);
    let isUsedAgain = false;
    for (let n = 0; n < 0x10000; n++) {
      const mark = marked(marks, 'b');
      expect(mark).not.toBe(kept);
      isUsedAgain ||= seen.has(mark);
      seen.add(mark);
      marks.release(mark);
    }
    expect(isUsedAgain).toBe(true);
    expect(marks.expand(kept)).toBe('a');
  });

  it('leave the same character of a text alone that Ink has drawn', () => {
    const marks = new RowMarks(() => 3);
    const mark = marked(marks, 'abc');
    marks.release(mark);
    expect(marks.expand(`x${mark}y`)).toBe(`x${mark}y`);
  });
});
