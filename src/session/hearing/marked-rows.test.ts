import { expect, test } from 'vitest';
import { markedRows } from './marked-rows.js';

const TEXT = '{"type":"QUESTION","data":{"question":"Which one of them?"}}';

test('rows that a renderer has wrapped, indented and framed are found; the lowest, if it stands there twice', () => {
  const rows = ['● {"type":"QUESTION","data":', '│ {"question":"Which one', '│   of them?"}}', '', '❯ '];
  expect(markedRows(rows, TEXT)).toEqual([0, 1, 2]);
  expect(markedRows([...rows, ...rows], TEXT)).toEqual([5, 6, 7]);
});

test('what has partly left the screen is marked as far as it stands there; what is not there, not at all', () => {
  expect(markedRows(['  of them?"}}', 'more'], TEXT)).toEqual([0]);
  expect(markedRows(['  of you?"}}', 'more'], TEXT)).toEqual([]);
  expect(markedRows(['anything'], '')).toEqual([]);
});

test('words before it on its first row are no matter', () => {
  expect(markedRows(['agent: :ORCHESTRATOR: TASK COMPLETE'], ':ORCHESTRATOR: TASK COMPLETE')).toEqual([0]);
});
