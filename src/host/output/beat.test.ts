import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BEAT_MS, Beat, CROWD, LONG_BEAT_MS, SEVERAL, SHORT_BEAT_MS } from './beat.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function createBeat({ isWatched = false } = {}) {
  const done: string[] = [];
  const beat = new Beat({
    isWatching: () => isWatched,
    onSettled: () => done.push('settled'),
    afterReads: (settle) => settle(),
  });
  const member = (name: string, { isLively = false } = {}) => {
    const one = {
      beat: () => {
        done.push(`beat ${name}`);
        if (isLively) beat.join(one);
      },
      settle: () => void done.push(`settle ${name}`),
    };
    return one;
  };
  return { beat, done, member };
}

it('reads all sessions again, and settles them after all were read', () => {
  const { beat, done, member } = createBeat();
  for (const name of ['a', 'b']) beat.join(member(name));
  vi.advanceTimersByTime(BEAT_MS);
  expect(done).toEqual(['beat a', 'beat b', 'settle a', 'settle b', 'settled']);
});

it('has no timer before the first session joins, nor after a beat without one', () => {
  const { beat, member } = createBeat();
  expect(vi.getTimerCount()).toBe(0);
  expect(beat.isRunning).toBe(false);
  beat.join(member('a'));
  expect(beat.isRunning).toBe(true);
  vi.advanceTimersByTime(BEAT_MS);
  expect(vi.getTimerCount()).toBe(0);
  expect(beat.isRunning).toBe(false);
});

it('settles a session that joins during the beat', () => {
  const { beat, done, member } = createBeat();
  const late = member('late');
  beat.join({ beat: () => beat.join(late), settle: () => {} });
  vi.advanceTimersByTime(SHORT_BEAT_MS);
  expect(done).toEqual(['settle late', 'settled']);
  vi.advanceTimersByTime(SHORT_BEAT_MS);
  expect(done.slice(2)).toEqual(['beat late', 'settle late', 'settled']);
});

it.each([
  ['a few sessions print', SEVERAL - 1, false, SHORT_BEAT_MS],
  ['several sessions print', SEVERAL, false, BEAT_MS],
  ['a crowd prints and no client watches', CROWD, false, LONG_BEAT_MS],
  ['a crowd prints and a client watches a session', CROWD, true, BEAT_MS],
])('beats at the interval for the case that %s', (_, count, isWatched, intervalMs) => {
  const { beat, done, member } = createBeat({ isWatched });
  for (let n = 0; n < count; n++) beat.join(member(`${n}`, { isLively: true }));
  vi.advanceTimersByTime(2000);
  const beats = () => done.filter((what) => what === 'settled').length;
  const before = beats();
  vi.advanceTimersByTime(10 * intervalMs);
  expect(beats() - before).toBe(10);
});

it('returns to the short interval a while after a crowd printed', () => {
  const { beat, done, member } = createBeat();
  for (let n = 0; n < CROWD; n++) beat.join(member(`${n}`));
  vi.advanceTimersByTime(60_000);
  done.length = 0;
  beat.join(member('a'));
  vi.advanceTimersByTime(SHORT_BEAT_MS);
  expect(done).toContain('settled');
});

it('wakes the sessions of a crowd together and late, and those of a few on time', () => {
  const { beat, member } = createBeat();
  const woken: number[] = [];
  const wakeAt = (times: readonly number[]) => {
    for (const time of times) beat.at(time, () => woken.push(performance.now() - time));
  };
  const now = performance.now();
  wakeAt([now + 3, now + 30]);
  expect(vi.getTimerCount()).toBe(2);
  vi.advanceTimersByTime(50);
  expect(woken).toEqual([0, 0]);
  for (let n = 0; n < CROWD; n++) beat.join(member(`${n}`, { isLively: true }));
  vi.advanceTimersByTime(2000);
  const before = vi.getTimerCount();
  const start = performance.now() + 1;
  wakeAt(Array.from({ length: LONG_BEAT_MS }, (_, n) => start + n));
  expect(vi.getTimerCount()).toBe(before);
  vi.advanceTimersByTime(3 * LONG_BEAT_MS);
  expect(woken).toHaveLength(2 + LONG_BEAT_MS);
  expect(Math.min(...woken)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...woken)).toBeLessThanOrEqual(LONG_BEAT_MS);
});

it('wakes a session on time after the last beat of a crowd', () => {
  const { beat, member } = createBeat();
  for (let n = 0; n < CROWD; n++) beat.join(member(`${n}`));
  vi.advanceTimersByTime(600);
  for (let n = 0; n < CROWD; n++) beat.join(member(`${n}`));
  vi.advanceTimersByTime(LONG_BEAT_MS);
  beat.join(member('last'));
  const dueAt = performance.now() + 200;
  let wokenAt = 0;
  beat.at(dueAt, () => {
    wokenAt = performance.now();
  });
  vi.advanceTimersByTime(1000);
  expect(wokenAt).toBe(dueAt);
});
