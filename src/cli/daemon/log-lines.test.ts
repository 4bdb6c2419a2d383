import { expect, test } from 'vitest';
import { displayLine } from '../../protocol/index.js';
import { rowTime } from '../printing/local-time.js';
import { createLogLines } from './log-lines.js';

test('returns complete lines however they are split, and an incomplete last line at the end', () => {
  const lines = createLogLines(false);
  expect([...'one\n\ntwo\nthr'].flatMap((char) => lines.push(char))).toEqual(['one', 'two']);
  expect([lines.end(), lines.end()]).toEqual([['thr'], []]);
});

test('formats lines as JSON, with the time and the process if the line has them', () => {
  const lines = createLogLines(true);
  const log = ['2026-11-21T10:15:30.123Z host 12: listening: here', '{"a":1}', '{ no JSON', 'Error: x'];
  expect(lines.push(`${log.join('\n')}\n`).map((line) => JSON.parse(line))).toEqual([
    { time: '2026-11-21T10:15:30.123Z', process: 'host', pid: 12, message: 'listening: here' },
    { a: 1 },
    { message: '{ no JSON' },
    { message: 'Error: x' },
  ]);
});

test('formats lines for people with local time and details, but without stacks', () => {
  const lines = createLogLines(false);
  const error = { level: 'error', error: 'no space left', code: 'ENOSPC', stack: 'Error: no\n  at x' };
  const log = [
    '2026-11-21T10:15:30.123Z host 12: listening: here',
    JSON.stringify({ time: '2026-11-21T10:15:30.123Z', level: 'info', process: 'daemon', pid: 7, message: 'up', a: 1 }),
    JSON.stringify({ time: '2026-11-21T10:15:31.000Z', ...error, process: 'daemon', pid: 7, message: 'not written' }),
    'Error: x\x1b[2J',
  ];
  const time = (timestamp: string): string => rowTime(timestamp);
  expect(lines.push(`${log.join('\n')}\n`)).toEqual([
    `${time('2026-11-21T10:15:30.123Z')}  host 12  listening: here`,
    `${time('2026-11-21T10:15:30.123Z')}  daemon 7  up  a=1`,
    `${time('2026-11-21T10:15:31.000Z')}  daemon 7  ERROR  not written  error="no space left"  code=ENOSPC`,
    displayLine('Error: x\x1b[2J'),
  ]);
});
