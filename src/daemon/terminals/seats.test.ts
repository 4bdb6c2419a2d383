import { expect, test } from 'vitest';
import { type Seat, Seats } from './seats.js';

const seat = (cols: number | null, isReadOnly = false): Seat => ({
  size: cols === null ? null : { cols, rows: 24 },
  isReadOnly,
});

test('who came, typed or took control last is in control, and after it the one before', () => {
  const seats = new Seats();
  const [first, second, third] = [seat(80), seat(100), seat(120)];
  expect([first, second, third].map((one) => seats.act(one))).toEqual([true, true, true]);
  expect(seats.inControl).toBe(third);
  expect(seats.act(first)).toBe(true);
  expect(seats.inControl).toBe(first);
  expect(seats.act(first)).toBe(false);
  expect(seats.leave(second)).toBe(false);
  expect(seats.leave(first)).toBe(true);
  expect(seats.inControl).toBe(third);
  expect(seats.leave(third)).toBe(true);
  expect(seats.inControl).toBeNull();
  expect(seats.isEmpty).toBe(true);
});

test('who only looks, or has no size, is never in control', () => {
  const seats = new Seats();
  const person = seat(80);
  seats.act(person);
  expect(seats.act(seat(100, true))).toBe(false);
  expect(seats.act(seat(null))).toBe(false);
  expect(seats.inControl).toBe(person);
});
