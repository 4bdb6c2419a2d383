/** Checks that the rows are found in which a program shows a typed text with a fence. */
import { describe, expect, it } from 'vitest';
import { echoEnd, rememberTyped } from './echoed-rows.js';
import { plainRow } from './rows.js';

const TYPED = '```js\nconst a = 1;\n```\nis it';

function endOf(rows: readonly string[]): number {
  const at = rows.findIndex((row) => /(?:^|\s)```(?:\s|$)/.test(row));
  return echoEnd(
    rows.map((text) => plainRow({ text, isSoft: false })),
    at,
    rememberTyped([], TYPED),
  );
}

describe('the echo of a typed fence', () => {
  it.each([
    ['with a prompt sign', ['> ```js', '  const a = 1;', '  ```', '  is it', 'Yes.']],
    ['with a time at the right', ['❯ ```js                  13:05', '  const a = 1;', '  ```', '  is it', 'Yes.']],
    ['with a time at its end', ['```js', 'const a = 1;', '```', 'is it           9:07 PM', 'Yes.']],
    ['behind a time and a name', ['[13:05] You: ```js', 'const a = 1;', '```', 'is it', 'Yes.']],
  ])('ends at its last row: %s', (_name, rows) => {
    expect(endOf(rows)).toBe(4);
  });
  it.each([
    ['it goes on with another text', ['> ```js', '  const a = 2;', '  ```', '  is it']],
    ['its end is not shown', ['> ```js', '  const a = 1;', '  ```']],
    ['another text is at the right', ['> ```js          not a time', '  const a = 1;', '  ```', '  is it']],
  ])('is not found if %s', (_name, rows) => {
    expect(endOf(rows)).toBe(-1);
  });
});
