import { expect, test } from 'vitest';
import { countUpTo, type Frame, frameAt, framesOf, type JournalRecord, timesOf, toCast } from './recording.js';

const RECORDS = [
  { position: 0, end: 50, time: 1_000, kind: 'start', cols: 80, rows: 24 },
  { position: 50, end: 70, time: 1_100, kind: 'note', name: 'session' },
  { position: 70, end: 90, time: 1_500, kind: 'out', bytes: btoa('h\u00c3') }, // the first byte of ä
  { position: 90, end: 110, time: 61_500, kind: 'out', bytes: btoa('\u00a4!') },
  { position: 110, end: 130, time: 61_600, kind: 'resize', cols: 100, rows: 30 },
  { position: 130, end: 150, time: 62_000, kind: 'start', cols: 90, rows: 20 },
] as unknown as JournalRecord[];
const frames: Frame[] = framesOf(RECORDS);

test('framesOf returns a frame for each record that changes the screen', () => {
  expect(frames.map(({ kind, position }) => [kind, position])).toEqual([
    ['screen', 0],
    ['out', 70],
    ['out', 90],
    ['resize', 110],
    ['screen', 130],
  ]);
});

test('framesOf starts with the snapshot of a journal that was cut', () => {
  const screen = { cols: 10, rows: 5, snapshot: 'kept' };
  const record = { position: 7, end: 9, time: 5, kind: 'snapshot', screen } as unknown as JournalRecord;
  expect(framesOf([record])).toEqual([{ at: 5, position: 7, end: 9, kind: 'screen', text: 'kept', cols: 10, rows: 5 }]);
});

test('timesOf shortens only long pauses', () => {
  expect(timesOf(frames, Number.POSITIVE_INFINITY)).toEqual([0, 500, 60_500, 60_600, 61_000]);
  expect(timesOf(frames, 2_000)).toEqual([0, 500, 2_500, 2_600, 3_000]);
});

test('countUpTo counts the times up to a moment', () => {
  const times = [0, 10, 10, 20];
  expect([-1, 0, 9, 10, 19, 20, 99].map((at) => countUpTo(times, at))).toEqual([0, 1, 1, 3, 3, 4, 4]);
});

test('frameAt finds the frame of a position, and the last frame after the end', () => {
  expect([0, 60, 75, 129, 9_999].map((at) => frameAt(frames, at))).toEqual([0, 1, 1, 3, 4]);
});

test('toCast writes an asciicast with markers, whole characters and no control characters', () => {
  const lines = toCast('a \u202E title', frames, [{ at: 61_550, label: 'question: \u202Ewhy' }]);
  expect(lines.join('')).not.toContain('\u202E');
  const [header, ...rest] = lines.map((line) => JSON.parse(line));
  expect(header).toEqual({ version: 2, width: 80, height: 24, timestamp: 1, title: 'a \u202E title' });
  expect(rest).toEqual([
    [0, 'r', '80x24'],
    [0.5, 'o', 'h'],
    [60.5, 'o', 'ä!'],
    [60.55, 'm', 'question: \u202Ewhy'],
    [60.6, 'r', '100x30'],
    [61, 'r', '90x20'],
    [61, 'o', '\x1bc'],
  ]);
});
