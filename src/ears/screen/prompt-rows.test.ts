/** Checks which rows are found to show a submitted input, and to which turn the text below them belongs. */
import { describe, expect, it } from 'vitest';
import type { Window } from './heard.js';
import { SubmittedPrompts, startOf, viewStart } from './prompt-rows.js';
import { plainRow } from './rows/rows.js';

function windowOf(texts: readonly (string | null)[], wrappedFrom = 0): Window {
  const rows = texts.map((text) => (text === null ? undefined : plainRow({ text, isSoft: false })));
  const to = rows.length;
  return { rows, base: 0, from: 0, top: to - 1, to, paintedFrom: 0, wrappedFrom, isJump: false };
}

function submitted(...texts: readonly string[]): SubmittedPrompts {
  const prompts = new SubmittedPrompts();
  for (const [index, text] of texts.entries()) prompts.add(index + 1, startOf(text));
  return prompts;
}

describe('submitted prompts', () => {
  it.each([
    ['❯ Please begin the review', 'Please begin the review of the parser.', true],
    ['Please begin the review', 'Please begin the review of the parser.', true],
    ['I said: Please begin the review', 'Please begin the review of the parser.', false],
    ['❯ yes', 'yes', true],
    ['yes', 'yes', false],
    ['❯ yes, and no', 'yes', false],
    ['❯ yes                    13:05', 'yes', true],
    ['❯ yes                    9:07:12 pm', 'yes', true],
    ['  Never mind, go on.     2m ago', 'Never mind, go on.', true],
    ['❯ yes                    200', 'yes', false],
    ['❯ yes 13:05', 'yes', false],
    [' Never mind, go on.', 'Never mind, go on.', true],
    ['Never mind, go on. And so on.', 'Never mind, go on.', false],
  ])('row %j shows the prompt %j: %s', (row, text, isShown) => {
    expect(submitted(text).turnsAt(plainRow({ text: row, isSoft: false })) !== null).toBe(isShown);
  });

  it('are found above a row in the same view, the last first', () => {
    const prompts = submitted('the first question', 'go on', 'go on');
    const window = windowOf(['❯ the first question', 'words', null, 'words', '❯ go on', 'words', 'here']);
    expect(prompts.above(window, 6, 0)).toEqual({ row: 4, turns: new Set([2, 3]) });
    expect(prompts.above(window, 4, 0)).toBeNull();
    expect(prompts.above(window, 2, 0)).toEqual({ row: 0, turns: new Set([1]) });
  });

  it('are restored from their state', () => {
    const prompts = submitted('the first question', 'go on', 'the first question');
    const again = new SubmittedPrompts(JSON.parse(JSON.stringify(prompts.state())));
    expect(again.state()).toEqual(prompts.state());
  });
});

describe('a view', () => {
  it('starts after the last gap, and at the first row of its width', () => {
    expect(viewStart(windowOf(['a', null, 'b', 'c', 'd']))).toBe(2);
    expect(viewStart(windowOf(['a', null, 'b', 'c', 'd'], 3))).toBe(3);
  });
});
