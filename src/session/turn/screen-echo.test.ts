/** Finds the text after the prompt on a screen, also if only a part of the prompt is shown. */
import { describe, expect, test } from 'vitest';
import { afterPrompt } from './screen-echo.js';

const PROMPT = [
  'Count the files, and say which ones are larger than the others.',
  '',
  'Answer with {"files": 0}.',
].join('\n');
const ANSWER = ['', 'There are seven.'];

const SHOWN: Readonly<Record<string, readonly string[]>> = {
  'behind a sign': [
    '> Count the files, and say which ones',
    '  are larger than the others.',
    '',
    '  Answer with {"files": 0}.',
  ],
  'in a box': [
    '╭────────╮',
    '│ Count the files, and say which ones are larger │',
    '│ than the others.│',
    '│                 │',
    '│ Answer with {"files": 0}. │',
    '╰────────╯',
  ],
  'without its beginning': ['larger than the others.', '', '  Answer with {"files": 0}.'],
  'with its last row alone, at the top': ['{"files": 0}.'],
};

describe('the rows after a prompt', () => {
  test.each(Object.entries(SHOWN))('shown %s are the answer', (_, shown) => {
    const { rows, isExact } = afterPrompt([...shown, ...ANSWER], PROMPT);
    expect(isExact).toBe(true);
    expect(rows).toEqual(['There are seven.']);
  });
});

test('a prompt that is shown twice ends at its last occurrence', () => {
  const rows = ['> Count to 3, please, and slowly', 'I will.', '> Count to 3, please, and slowly', 'One.'];
  expect(afterPrompt(rows, 'Count to 3, please, and slowly')).toEqual({ rows: ['One.'], isExact: true });
});

test('an answer that quotes the end of the prompt is complete', () => {
  const rows = [
    '> Count the files, and say which ones are larger than the others.',
    'Answer with {"files": 0}.',
    'You said: Answer with {"files": 0}.',
  ];
  expect(afterPrompt(rows, PROMPT).rows).toEqual(['You said: Answer with {"files": 0}.']);
});

test('a prompt that is shown only in part or as a placeholder makes the answer inexact', () => {
  const long = Array.from({ length: 30 }, (_, at) => `Step ${at} of the long task.`).join('\n');
  expect(afterPrompt(['> Step 0 of the long task.', '  …', ...ANSWER], long).isExact).toBe(false);
  expect(afterPrompt(['> [Pasted text #1 +30 lines]', ...ANSWER], long).isExact).toBe(false);
});

test('a screen without the prompt is all answer', () => {
  expect(afterPrompt(ANSWER, PROMPT)).toEqual({ rows: ANSWER, isExact: true });
  expect(afterPrompt(ANSWER, '')).toEqual({ rows: ANSWER, isExact: true });
});
