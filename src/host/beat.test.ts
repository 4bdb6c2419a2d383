/** Whoever prints little and often is read together with the others, and nobody else is. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Beat, CROWD } from './beat.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function createMembers(count: number) {
  return Array.from({ length: count }, () => ({ beat: vi.fn(), release: vi.fn() }));
}

it('takes nobody in without a crowd, and has no timer', () => {
  const beat = new Beat();
  for (const member of createMembers(CROWD - 1)) expect(beat.join(member, 0)).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

it('forgets who printed some time ago: they are no crowd with whoever prints now', () => {
  const beat = new Beat();
  const members = createMembers(CROWD);
  const joined = members.map((member, n) => beat.join(member, n < CROWD / 2 ? 0 : 1000));
  expect(joined).not.toContain(true);
});

it('reads everybody at each beat, while there is a crowd', () => {
  const beat = new Beat();
  const members = createMembers(CROWD);
  for (let round = 0; round < 2; round++) for (const member of members) beat.join(member, 0);
  vi.advanceTimersToNextTimer();
  vi.advanceTimersToNextTimer();
  for (const member of members) expect(member.beat).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(1);
});

it('gives everybody back when few are left, and rests', () => {
  const beat = new Beat();
  const members = createMembers(CROWD);
  for (let round = 0; round < 2; round++) for (const member of members) beat.join(member, 0);
  const few = members.slice(0, CROWD / 2 - 1);
  for (const member of members) if (!few.includes(member)) member.beat.mockImplementation(() => beat.leave(member));
  vi.advanceTimersToNextTimer();
  expect(members.filter(({ release }) => release.mock.calls.length === 1)).toEqual(few);
  expect(vi.getTimerCount()).toBe(0);
});
