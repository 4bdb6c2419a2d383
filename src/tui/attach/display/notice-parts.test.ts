import { expect, test } from 'vitest';
import { widthOf } from '../../paint/text.js';
import { noticeParts } from './notice-parts.js';

const LONG = 'the answer was refused: the daemon at /tmp/x/orchd.sock has no session 名前 any more, so start it again';

test('a notice that fits is one part', () => expect(noticeParts('saved', 20)).toEqual(['saved']));

test('a longer notice is shown in numbered parts that fit, and nothing of it is lost', () => {
  for (let columns = 21; columns < 120; columns++) {
    const parts = noticeParts(LONG, columns);
    expect(Math.max(...parts.map(widthOf))).toBeLessThan(columns);
    const words = parts.length === 1 ? parts : parts.map((part) => part.replace(/ \(\d+\/\d+\)$/, ''));
    expect(words.join('').replaceAll(' ', '')).toBe(LONG.replaceAll(' ', ''));
  }
  expect(noticeParts(LONG, 60)[0]).toMatch(/ \(1\/\d\)$/);
});

test('a row that is too narrow for parts shows the beginning', () => expect(noticeParts(LONG, 15)).toEqual([LONG]));
