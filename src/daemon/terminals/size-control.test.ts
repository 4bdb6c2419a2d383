import { expect, test } from 'vitest';
import { type AttachedClient, SizeControl } from './size-control.js';

const client = (cols: number | null, isReadOnly = false): AttachedClient => ({
  size: cols === null ? null : { cols, rows: 24 },
  isReadOnly,
});

test('the client that acted last controls the size, and the one before it after it leaves', () => {
  const control = new SizeControl();
  const [first, second, third] = [client(80), client(100), client(120)];
  expect([first, second, third].map((one) => control.act(one))).toEqual([true, true, true]);
  expect(control.inControl).toBe(third);
  expect(control.act(first)).toBe(true);
  expect(control.inControl).toBe(first);
  expect(control.act(first)).toBe(false);
  expect(control.leave(second)).toBe(false);
  expect(control.leave(first)).toBe(true);
  expect(control.inControl).toBe(third);
  expect(control.leave(third)).toBe(true);
  expect(control.inControl).toBeNull();
  expect(control.isEmpty).toBe(true);
});

test('a read-only client or one without a size never controls it', () => {
  const control = new SizeControl();
  const person = client(80);
  control.act(person);
  expect(control.act(client(100, true))).toBe(false);
  expect(control.act(client(null))).toBe(false);
  expect(control.inControl).toBe(person);
});
