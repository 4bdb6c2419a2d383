import { expect, test } from 'vitest';
import { markedRows } from './marked-rows.js';

const TEXT = '{"type":"QUESTION","data":{"question":"Which one of them?"}}';

test('finds wrapped, indented and framed rows, and the last ones if they occur twice', () => {
  const rows = ['● {"type":"QUESTION","data":', '│ {"question":"Which one', '│   of them?"}}', '', '❯ '];
  expect(markedRows(rows, TEXT)).toEqual([0, 1, 2]);
  expect(markedRows([...rows, ...rows], TEXT)).toEqual([5, 6, 7]);
});

test('marks the visible part of a message, and nothing if the message is not visible', () => {
  expect(markedRows(['  of them?"}}', 'more'], TEXT)).toEqual([0]);
  expect(markedRows(['  of you?"}}', 'more'], TEXT)).toEqual([]);
  expect(markedRows(['anything'], '')).toEqual([]);
});

test('marks the rows of the fence, but no other code block', () => {
  const fence = ['● ```orchestrator-message', TEXT, '  ```'];
  expect(markedRows(['before', ...fence, 'after'], TEXT)).toEqual([1, 2, 3]);
  expect(markedRows(['│ ~~~ orchestrator-message │', `│ ${TEXT} │`, '│ ~~~ │'], TEXT)).toEqual([0, 1, 2]);
  expect(markedRows(['```json', TEXT, '```js'], TEXT)).toEqual([1]);
  expect(markedRows([TEXT], TEXT)).toEqual([0]);
});

test('ignores words before the message in its first row', () => {
  expect(markedRows(['agent: :ORCHESTRATOR: TASK COMPLETE'], ':ORCHESTRATOR: TASK COMPLETE')).toEqual([0]);
});
