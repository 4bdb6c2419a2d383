import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OutputBatch } from './output-batch.js';
import { HEADER_BYTES } from './record-codec.js';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

function open() {
  const sent: string[] = [];
  const batch = new OutputBatch((buffer, bytes) =>
    sent.push(buffer.subarray(HEADER_BYTES, HEADER_BYTES + bytes).toString()),
  );
  vi.advanceTimersByTime(100);
  return { sent, add: (text: string) => batch.add(Buffer.from(text)), batch };
}

test('what a key brings is sent at once, also when it comes in several writes', () => {
  const { sent, add } = open();
  for (const text of ['\r\n', 'line', '$ ']) add(text);
  expect(sent).toEqual(['\r\n', 'line', '$ ']);
});

test('while it prints all the time, output is collected for 2 ms', () => {
  const { sent, add } = open();
  const wrote = 400;
  for (let n = 0; n < wrote; n++) {
    add('x');
    vi.advanceTimersByTime(n % 2); // one write in a half of a millisecond
  }
  vi.advanceTimersByTime(2);
  expect(sent.join('')).toHaveLength(wrote);
  expect(sent.length).toBeLessThanOrEqual(wrote / 2 / 2 + 5);
});

test('after a rest it is sent at once again', () => {
  const { sent, add } = open();
  for (let n = 0; n < 50; n++) add('x');
  vi.advanceTimersByTime(20);
  sent.length = 0;
  add('y');
  expect(sent).toEqual(['y']);
});

test('nothing waits for longer than 2 ms, and a flush sends what waits', () => {
  const { sent, add, batch } = open();
  for (let n = 0; n < 10; n++) add('x');
  batch.flush();
  expect(sent.join('')).toHaveLength(10);
  add('y');
  vi.advanceTimersByTime(2);
  expect(sent.at(-1)).toBe('y');
});
