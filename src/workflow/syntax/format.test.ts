import { expect, test } from 'vitest';
import { format } from '../index.js';

const formatted = (text: string): string => {
  const formatting = format(text);
  if (!formatting.ok) throw new Error(formatting.problems[0]?.message);
  return formatting.text;
};

test('normalizes blanks and keeps line breaks', () => {
  const text = `\ufeff

  NAME   example\r
INPUT topic    DEFAULT"x"


# about it
GOAL a   "Say   it"->x:number [],y:"a"|"b"   # why
        # the agents
     USING   one ,two,
 three
  WHEN $x>=3


GOAL b """
    kept
  as it stands """
# the end   `;
  expect(formatted(text)).toBe(`NAME example
INPUT topic DEFAULT "x"

# about it
GOAL a "Say   it" -> x: number[], y: "a" | "b" # why
  # the agents
  USING one, two,
    three
  WHEN $x >= 3

GOAL b """
    kept
  as it stands """
# the end
`);
});

test('keeps an empty file empty, and keeps the comments of a file without instructions', () => {
  expect(formatted('')).toBe('');
  expect(formatted(' \n\n')).toBe('');
  expect(formatted('\n  # one\n\n\n# two')).toBe('# one\n\n# two\n');
});

test('reports the problem of a text that does not parse', () => {
  const formatting = format('GOAL a "b');
  expect(formatting.ok ? [] : formatting.problems).toMatchObject([{ line: 1, column: 8, code: 'syntax' }]);
});
