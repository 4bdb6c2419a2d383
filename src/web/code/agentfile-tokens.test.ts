import { expect, test } from 'vitest';
import { parse } from '../../workflow/index.js';
import { agentfileTokens, problemRanges } from './agentfile-tokens.js';

const TEXT = `NAME report # why
INPUT topic DEFAULT "tea"
GOAL assess """Assess $topic, it costs $$5
and $topic""" -> score: number RETRY 2
ASK sure "Sure of $score?" -> sure: "yes" | "no" WHEN $score > 1`;
const of = (kind: string): string[] =>
  agentfileTokens(TEXT).flatMap((token) => (token.kind === kind ? [TEXT.slice(token.from, token.to)] : []));

test('classifies words, also within strings of several lines', () => {
  expect(of('keyword')).toEqual(['NAME', 'INPUT', 'DEFAULT', 'GOAL', 'RETRY', 'ASK', 'WHEN']);
  expect(of('name')).toEqual(['report', 'topic', 'assess', 'sure']);
  expect(of('type')).toEqual(['number']);
  expect(of('variable')).toEqual(['$topic', '$topic', '$score', '$score']);
  expect(of('comment')).toEqual(['# why']);
  expect(of('number')).toEqual(['2', '1']);
  expect(of('string').join('')).toContain('it costs $$5\nand ');
});

test('returns tokens in order and without overlaps for any text', () => {
  for (const text of [TEXT, TEXT.slice(0, 70), '"""', '\uFEFFGOAL "a', 'GOAL x "😀 $a" @@ §', '']) {
    let end = 0;
    for (const { from, to } of agentfileTokens(text)) {
      expect([from >= end, to > from, to <= text.length]).toEqual([true, true, true]);
      end = to;
    }
  }
});

test('marks the word of a problem, also after surrogate pairs', () => {
  const text = 'GOAL first "😀" WHEN $nope > 1\nGOAL second "x" USING missing';
  const marked = problemRanges(text, parse(text).problems).map(({ from, to }) => text.slice(from, to));
  expect(marked).toEqual(expect.arrayContaining(['$nope', 'missing']));
});
