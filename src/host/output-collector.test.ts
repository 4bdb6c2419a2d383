/** How soon output is appended and told, and when its program is read again. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Beat, CROWD, LONG_BEAT_MS, SHORT_BEAT_MS } from './beat.js';
import { OutputCollector } from './output-collector.js';
import { HEADER_BYTES } from './record-codec.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open({ isAwaited = false } = {}) {
  const told: string[] = [];
  const texts: string[] = [];
  const program = { resume: vi.fn(), pause: vi.fn() };
  const beat = new Beat({
    isWatching: () => isAwaited,
    onSettled: () => {},
    afterReads: (settle) => settle(),
  });
  const output = new OutputCollector({
    ...{ program, beat, isAwaited: () => isAwaited },
    append: (buffer, bytes, when) => {
      texts.push(buffer.subarray(HEADER_BYTES, HEADER_BYTES + bytes).toString());
      told.push(`${when} ${bytes}`);
    },
  });
  output.resume();
  const print = (text: string) => output.read(Buffer.from(text));
  /** Leaves no pause behind it: the beat runs on. */
  const begin = () => {
    print('first');
    told.length = 0;
    texts.length = 0;
    vi.advanceTimersByTime(SHORT_BEAT_MS - 1);
  };
  return { told, texts, program, beat, output, print, begin };
}
const FULL = 'x'.repeat(4095);

test('the first output after a pause is told at once, and the program is not read again before the beat', () => {
  const { told, program, print } = open();
  print('hello');
  expect(told).toEqual(['at_once 5']);
  expect(program.pause).toHaveBeenCalledTimes(1);
  expect(program.resume).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(SHORT_BEAT_MS);
  expect(program.resume).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
  print('again');
  expect(told).toEqual(['at_once 5', 'at_once 5']);
});

test('what follows is told with the beat', () => {
  const { told, program, print, begin } = open();
  begin();
  print('second');
  expect(told).toEqual(['beat 6']);
  expect(program.pause).toHaveBeenCalledTimes(2);
});

test('output after a silence of the session is told at once, though others print', () => {
  const { told, beat, print, begin } = open();
  begin();
  for (let n = 0; n < 200; n++) {
    beat.join({ beat: () => {}, settle: () => {} });
    vi.advanceTimersByTime(SHORT_BEAT_MS);
  }
  beat.join({ beat: () => {}, settle: () => {} });
  print('hello');
  expect(told).toEqual(['at_once 5']);
});

test('what comes in several reads at once is one record', () => {
  const { told, program, print, begin } = open();
  begin();
  program.pause.mockClear();
  print(FULL);
  print(FULL);
  expect(program.pause).not.toHaveBeenCalled();
  print('rest');
  expect(told).toEqual([`beat ${2 * FULL.length + 4}`]);
  expect(program.pause).toHaveBeenCalledTimes(1);
});

test('a full read that nothing follows is appended with the beat', () => {
  const { told, print, begin } = open();
  begin();
  print(FULL);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(SHORT_BEAT_MS);
  expect(told).toEqual([`beat ${FULL.length}`]);
});

test('a flood is read without a pause, and told in records of up to 64 KiB', () => {
  const { told, texts, program, print } = open();
  const beats = 4;
  const reads = 40;
  let printed = '';
  for (let n = 0; n < beats; n++) {
    if (n === 1) program.pause.mockClear(); // from the second beat on it is known to be a flood
    for (let read = 0; read < reads; read++) {
      const text = read % 10 === 9 ? 'short' : FULL;
      print(text);
      printed += text;
    }
    vi.advanceTimersByTime(SHORT_BEAT_MS);
  }
  expect(program.pause).not.toHaveBeenCalled();
  expect(texts.join('')).toBe(printed);
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
  expect(told.length).toBeLessThan(beats * 4);
});

test('awaited output is told at once, also when it comes in several writes', () => {
  const { told, program, print } = open({ isAwaited: true });
  vi.advanceTimersByTime(100);
  for (const text of ['\r\n', 'line', '$ ']) print(text);
  expect(told).toEqual(['at_once 2', 'at_once 4', 'at_once 2']);
  expect(program.pause).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test('awaited output that comes all the time is collected for 2 ms, and at once again after a rest', () => {
  const { told, texts, print } = open({ isAwaited: true });
  const writes = 400;
  for (let n = 0; n < writes; n++) {
    print('x');
    vi.advanceTimersByTime(n % 2); // one write in a half of a millisecond
  }
  vi.advanceTimersByTime(2);
  expect(texts.join('')).toHaveLength(writes);
  expect(texts.length).toBeLessThanOrEqual(writes / 2 / 2 + 5);
  vi.advanceTimersByTime(20);
  told.length = 0;
  print('yy');
  expect(told).toEqual(['at_once 2']);
});

test('a flush appends what is collected', () => {
  const { told, output, print, begin } = open();
  begin();
  print(FULL);
  output.flush();
  expect(told).toEqual([`at_once ${FULL.length}`]);
  output.flush();
  expect(told).toHaveLength(1);
});

test('a client that waits is not kept waiting for the beat', () => {
  const { program, output, print } = open();
  print('hello');
  output.quicken();
  expect(program.resume).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(SHORT_BEAT_MS);
  expect(program.resume).toHaveBeenCalledTimes(2);
});

test('in a crowd a session is read at beats only, until its next pause', () => {
  const { program, beat, print } = open();
  const others = Array.from({ length: CROWD }, () => ({ beat: () => {}, settle: () => {} }));
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += SHORT_BEAT_MS) {
      for (const other of others) beat.join(other);
      vi.advanceTimersByTime(SHORT_BEAT_MS);
    }
  };
  /** How often reading was stopped and allowed again. */
  const changes = () => [program.pause.mock.calls.length, program.resume.mock.calls.length];
  pass(2000);
  print('hello');
  const [paused = 0, resumed = 0] = changes();
  pass(5 * LONG_BEAT_MS);
  expect(changes()).toEqual([paused + 5, resumed + 5]);
  pass(1000);
  const rested = changes();
  pass(5 * LONG_BEAT_MS);
  expect(changes()).toEqual(rested);
  expect(program.resume.mock.calls.length).toBe(program.pause.mock.calls.length + 1);
});

test('the beat reads nothing that flow control does not allow', () => {
  const { program, output, print } = open();
  print('hello');
  output.pause();
  vi.advanceTimersByTime(SHORT_BEAT_MS);
  expect(program.resume).toHaveBeenCalledTimes(1);
  output.resume();
  expect(program.resume).toHaveBeenCalledTimes(2);
  print('more');
  output.pause();
  output.resume();
  expect(program.resume).toHaveBeenCalledTimes(2);
});
