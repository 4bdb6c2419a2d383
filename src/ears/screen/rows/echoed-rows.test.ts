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

  /** The typed text, what a program that draws markdown shows of it, and the index after the last row of the echo. */
  const DRAWN: readonly (readonly [string, readonly string[], number])[] = [
    ['~~~ yes ~~~', ['```yes ~~~', '', '```', 'Yes.'], 3],
    ['see\n~~~js\nconst a = 1;\n~~~', ['see', '```js', 'const a = 1;', '```', 'Yes.'], 4],
    ['~~~\n```\n~~~~', ['```', '```', '```', 'Yes.'], 3],
  ];
  it.each(DRAWN)('is found if the program draws it with backquotes: %j', (typed, rows, end) => {
    const shown = rows.map((text) => plainRow({ text, isSoft: false }));
    expect(echoEnd(shown, end - 1, rememberTyped([], typed))).toBe(end);
  });
  it('contains rows that look like ornaments, such as those of tildes', () => {
    const typed = '````md\n```js\nlet a = 1;\n```\n~~~\nx\n~~~\n````';
    const shown = typed
      .split('\n')
      .map((text, at) => plainRow({ text: `${at === 0 ? '✨ ' : '   '}${text}`, isSoft: false }));
    expect(echoEnd([...shown, plainRow({ text: 'Yes.', isSoft: false })], 1, rememberTyped([], typed))).toBe(8);
  });
  it('does not contain a fence of the agent below a fence of backquotes that the person left open', () => {
    const shown = ['```yes', '', '```', 'Yes.'].map((text) => plainRow({ text, isSoft: false }));
    expect(echoEnd(shown, 2, rememberTyped([], '```yes'))).toBe(-1);
  });
});
