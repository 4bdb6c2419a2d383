import { expect, test } from 'vitest';
import { createLogLines } from './log-lines.js';

test('lines are given when they are whole, however they are cut; what has no end at the end', () => {
  const lines = createLogLines(false);
  expect([...'one\n\ntwo\nthr'].flatMap((char) => lines.push(char))).toEqual(['one', 'two']);
  expect([lines.end(), lines.end()]).toEqual([['thr'], []]);
});

test('as JSON a line of text is an object, with its time and process where it says them', () => {
  const lines = createLogLines(true);
  const log = ['2026-11-21T10:15:30.123Z host 12: listening: here', '{"a":1}', '{ no JSON', 'Error: x'];
  expect(lines.push(`${log.join('\n')}\n`).map((line) => JSON.parse(line))).toEqual([
    { time: '2026-11-21T10:15:30.123Z', process: 'host', pid: 12, message: 'listening: here' },
    { a: 1 },
    { message: '{ no JSON' },
    { message: 'Error: x' },
  ]);
});
