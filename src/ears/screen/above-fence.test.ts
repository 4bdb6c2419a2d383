/** Tests messages of a program that scrolls its screen and then paints the new rows from the bottom upwards. */
import { expect, it } from 'vitest';
import type { Utterance } from '../grammar/grammar.js';
import { ScreenEar } from './screen-ear.js';

const PROMPT = 'Please begin the review.';
const OLD = [`> ${PROMPT}`, '', 'I have read it.'];
const ROWS = [
  '```orchestrator-message',
  'const a = 1;',
  '{',
  '"type": "QUESTION",',
  '"data": { "question": "Which?" }',
  '}',
];
const CLOSED = [...ROWS, '```', 'Then go on.'];

/** Returns what is heard while rows are painted from below, in looks of `step` rows. */
function heardOf(rows: readonly string[], step: number): readonly Utterance[] {
  const ear = new ScreenEar(
    { fences: 'swallowed', isBoxed: false, voices: null, isKnown: false },
    { turn: 0, isHistory: false, prompt: '' },
  );
  const size = OLD.length + rows.length;
  const heard = [...ear.beginTurn({ turn: 1, isHistory: false, isEmptied: false, prompt: PROMPT })];
  let at = 0;
  const look = (shown: readonly string[], scrolled: readonly string[]): void => {
    const since = at++;
    const all = [...scrolled, ...shown].map((text) => ({ text, isSoft: false }));
    const about = { cols: 80, size, isContinued: true, isFramed: false, changed: null, cursor: { x: 0, y: size - 1 } };
    heard.push(...ear.look({ at, since, rows: all, ...about }));
  };
  look([...Array(rows.length).fill(''), ...OLD], []);
  for (let painted = step; painted <= rows.length; painted += step) {
    const blank = Array(rows.length - painted).fill('');
    look([...OLD, ...blank, ...rows.slice(-painted)], painted === step ? Array(rows.length).fill('') : []);
  }
  return [...heard, ...ear.settle()];
}

it.each([1, 2, 4])('a fence that is painted after its content hides it, painted in %i rows', (step) => {
  expect(heardOf(CLOSED, step)).toEqual([]);
});

it.each([1, 2, 3])('a message is heard once its rows are painted, in %i rows', (step) => {
  const rows = ['I have a question.', '', ...ROWS.slice(2)];
  expect(heardOf(rows, step)).toMatchObject([{ form: 'fence' }]);
});
