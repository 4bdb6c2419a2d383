/** Only what prints little, often and unseen waits for the beat. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BEAT_MS, Beat, CROWD } from './beat.js';
import { Pace } from './pace.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const TIMES = 20;

/** A crowd of sessions; each has its own pty, which prints so many bytes whenever it is read. */
function createCrowd({ isUnseen = true, bytes = 10 } = {}) {
  const beat = new Beat();
  return Array.from({ length: CROWD }, () => {
    const pty = { resume: vi.fn(), pause: vi.fn(), poll: vi.fn(() => bytes) };
    const pace = new Pace({ program: pty, beat, isUnseen: () => isUnseen });
    pty.poll.mockImplementation(() => {
      if (bytes > 0) pace.printed(bytes);
      return bytes;
    });
    pace.resume();
    return { pty, pace };
  });
}
function print(crowd: ReturnType<typeof createCrowd>, bytes: number, everyMs: number): void {
  for (let n = 0; n < TIMES; n++) {
    for (const { pace } of crowd) pace.printed(bytes);
    vi.advanceTimersByTime(everyMs);
  }
}

it('leaves to the beat what prints little and often, and reads it at each', () => {
  const crowd = createCrowd();
  print(crowd, 10, BEAT_MS / 2);
  const before = crowd.map(({ pty }) => pty.poll.mock.calls.length);
  vi.advanceTimersByTime(2 * BEAT_MS);
  for (const [n, { pty }] of crowd.entries()) {
    expect(pty.pause).toHaveBeenCalledTimes(1);
    expect(pty.poll).toHaveBeenCalledTimes((before[n] ?? 0) + 2);
  }
});

it.each([
  ['seldom', { bytes: 10, everyMs: 4 * BEAT_MS, isUnseen: true }],
  ['much', { bytes: 4095, everyMs: 1, isUnseen: true }],
  ['seen', { bytes: 10, everyMs: BEAT_MS / 2, isUnseen: false }],
])('reads as it prints what is printed %s', (_, { bytes, everyMs, isUnseen }) => {
  const crowd = createCrowd({ isUnseen });
  print(crowd, bytes, everyMs);
  for (const { pty } of crowd) expect(pty.pause).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  ['nothing came for a while', 0],
  ['much came', 4095],
])('reads it as it prints again when %s', (_, bytes) => {
  const crowd = createCrowd({ bytes });
  print(crowd, 10, BEAT_MS / 2);
  vi.advanceTimersByTime(20 * BEAT_MS);
  for (const { pty } of crowd) expect(pty.resume.mock.calls.length).toBe(pty.pause.mock.calls.length + 1);
  expect(vi.getTimerCount()).toBe(0);
});

it('reads it as it prints when somebody waits for what comes, and not at all while it rests', () => {
  const crowd = createCrowd();
  print(crowd, 10, BEAT_MS / 2);
  const [typed, resting] = crowd;
  typed?.pace.quicken();
  resting?.pace.pause();
  const polled = resting?.pty.poll.mock.calls.length;
  vi.advanceTimersByTime(BEAT_MS);
  expect(typed?.pty.resume).toHaveBeenCalledTimes(2);
  expect(resting?.pty.resume).toHaveBeenCalledTimes(1);
  expect(resting?.pty.poll).toHaveBeenCalledTimes(polled ?? -1);
});
