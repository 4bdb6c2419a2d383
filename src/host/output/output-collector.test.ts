/** Tests how soon output is appended and announced, and when the program is read again. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HEADER_BYTES } from '../journal/record-codec.js';
import { Beat, CROWD, LONG_BEAT_MS, SHORT_BEAT_MS } from './beat.js';
import { FloodScheduler } from './flood-scheduler.js';
import { OutputCollector } from './output-collector.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open({ isAwaited = false } = {}) {
  const appended: string[] = [];
  const texts: string[] = [];
  /** Returned by the next polls. */
  const waiting: string[] = [];
  const program = {
    resume: vi.fn(),
    pause: vi.fn(),
    poll: vi.fn(() => {
      const text = waiting.shift() ?? '';
      if (text !== '') print(text);
      return text.length;
    }),
  };
  const beat = new Beat({
    isWatching: () => isAwaited,
    onSettled: () => {},
    afterReads: (settle) => settle(),
  });
  const floods = new FloodScheduler({ beat, most: 2 });
  const output = new OutputCollector({
    program,
    beat,
    floods,
    isAwaited: () => isAwaited,
    append: (buffer, bytes, when) => {
      texts.push(buffer.subarray(HEADER_BYTES, HEADER_BYTES + bytes).toString());
      appended.push(`${when} ${bytes}`);
    },
  });
  output.resume();
  const print = (text: string) => output.read(Buffer.from(text));
  /** Starts output while the beat is running, without a pause before. */
  const begin = () => {
    print('first');
    appended.length = 0;
    texts.length = 0;
    vi.advanceTimersByTime(SHORT_BEAT_MS - 1);
  };
  return { appended, texts, program, waiting, beat, floods, output, print, begin };
}
const FULL = 'x'.repeat(4095);

test('appends the first output after a pause at once, and reads the program again only at the beat', () => {
  const { appended, program, print } = open();
  print('hello');
  expect(appended).toEqual(['at_once 5']);
  expect(program.pause).toHaveBeenCalledTimes(1);
  expect(program.resume).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(SHORT_BEAT_MS);
  expect(program.resume).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
  print('again');
  expect(appended).toEqual(['at_once 5', 'at_once 5']);
});

test('appends following output with the beat', () => {
  const { appended, program, print, begin } = open();
  begin();
  print('second');
  expect(appended).toEqual(['beat 6']);
  expect(program.pause).toHaveBeenCalledTimes(2);
});

test('appends output after a pause of the session at once, even if another session prints', () => {
  const { appended, beat, print, begin } = open();
  const other = { beat: () => {}, settle: () => {} };
  begin();
  for (let n = 0; n < 200; n++) {
    beat.join(other);
    vi.advanceTimersByTime(SHORT_BEAT_MS);
  }
  beat.join(other);
  print('hello');
  expect(appended).toEqual(['at_once 5']);
});

test('appends several immediate reads as one record', () => {
  const { appended, program, print, begin } = open();
  begin();
  program.pause.mockClear();
  print(FULL);
  print(FULL);
  expect(program.pause).not.toHaveBeenCalled();
  print('rest');
  expect(appended).toEqual([`beat ${2 * FULL.length + 4}`]);
  expect(program.pause).toHaveBeenCalledTimes(1);
});

test('appends a full read without a successor with the beat', () => {
  const { appended, print, begin } = open();
  begin();
  print(FULL);
  expect(appended).toEqual([]);
  vi.advanceTimersByTime(SHORT_BEAT_MS);
  expect(appended).toEqual([`beat ${FULL.length}`]);
});

test('reads a flood without pausing the program, and appends records of up to 64 KiB', () => {
  const { appended, texts, program, print } = open();
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
  expect(appended.length).toBeLessThan(beats * 4);
});

test('appends awaited output at once, even in several writes', () => {
  const { appended, program, print } = open({ isAwaited: true });
  vi.advanceTimersByTime(100);
  for (const text of ['\r\n', 'line', '$ ']) print(text);
  expect(appended).toEqual(['at_once 2', 'at_once 4', 'at_once 2']);
  expect(program.pause).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test('collects continuous awaited output for 2 ms, and appends at once again after a pause', () => {
  const { appended, texts, print } = open({ isAwaited: true });
  const writes = 400;
  for (let n = 0; n < writes; n++) {
    print('x');
    vi.advanceTimersByTime(n % 2); // one write in a half of a millisecond
  }
  vi.advanceTimersByTime(2);
  expect(texts.join('')).toHaveLength(writes);
  expect(texts.length).toBeLessThanOrEqual(writes / 2 / 2 + 5);
  vi.advanceTimersByTime(20);
  appended.length = 0;
  print('yy');
  expect(appended).toEqual(['at_once 2']);
});

test('flush appends the collected output', () => {
  const { appended, output, print, begin } = open();
  begin();
  print(FULL);
  output.flush();
  expect(appended).toEqual([`at_once ${FULL.length}`]);
  output.flush();
  expect(appended).toHaveLength(1);
});

test('quicken reads again without waiting for the beat', () => {
  const { program, output, print } = open();
  print('hello');
  output.quicken();
  expect(program.resume).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(SHORT_BEAT_MS);
  expect(program.resume).toHaveBeenCalledTimes(2);
});

/** Like `open`, with a crowd of other sessions that print. `pass` runs beats. */
function openInCrowd() {
  const opened = open();
  const others = Array.from({ length: CROWD }, () => ({ beat: () => {}, settle: () => {} }));
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += SHORT_BEAT_MS) {
      for (const other of others) opened.beat.join(other);
      vi.advanceTimersByTime(SHORT_BEAT_MS);
    }
  };
  pass(2000);
  return { ...opened, pass };
}

test('announces output after a pause with the beat while a crowd prints', () => {
  const { appended, print } = openInCrowd();
  print('hello');
  expect(appended).toEqual(['beat 5']);
});

test('reads a session of a crowd once per beat, until its next pause', () => {
  const { program, print, pass } = openInCrowd();
  print('hello');
  program.resume.mockClear();
  pass(5 * LONG_BEAT_MS);
  expect(program.poll).toHaveBeenCalledTimes(5);
  expect(program.resume).not.toHaveBeenCalled();
  pass(1000);
  expect(program.resume).toHaveBeenCalledTimes(1);
  program.poll.mockClear();
  pass(5 * LONG_BEAT_MS);
  expect(program.poll).not.toHaveBeenCalled();
});

test('appends what a session of a crowd printed since the last beat', () => {
  const { appended, program, waiting, print, pass } = openInCrowd();
  print('hello');
  waiting.push('second', '', 'third');
  appended.length = 0;
  pass(3 * LONG_BEAT_MS);
  expect(appended).toEqual(['beat 6', 'beat 5']);
  expect(program.resume).toHaveBeenCalledTimes(1);
});

test('reads a session of a crowd that begins a flood without waiting for beats', () => {
  const { program, waiting, print, pass } = openInCrowd();
  print('hello');
  waiting.push(FULL);
  pass(LONG_BEAT_MS);
  expect(program.resume).toHaveBeenCalledTimes(2);
});

test('the beat reads nothing while flow control pauses the program', () => {
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

test('a flood waits for its turn after a key elsewhere, and its output is still appended with the beat', () => {
  const { appended, program, floods, print, begin } = open();
  begin();
  const others = [{ onTurn: () => true }, { onTurn: () => true }];
  floods.personWaits();
  for (const other of others) floods.take(other, FULL.length);
  print(FULL);
  expect(program.pause).toHaveBeenCalledTimes(2); // the first one was that of `begin`
  vi.advanceTimersByTime(SHORT_BEAT_MS);
  expect(appended).toEqual([`beat ${FULL.length}`]);
  vi.advanceTimersByTime(2 * SHORT_BEAT_MS); // the others print no more
  expect(program.resume).toHaveBeenCalledTimes(2);
});

test('a flood that a client begins to watch is read at once, whoever has the turn', () => {
  const { program, floods, output, print, begin } = open();
  begin();
  floods.personWaits();
  for (const other of [{ onTurn: () => true }, { onTurn: () => true }]) floods.take(other, FULL.length);
  print(FULL);
  output.quicken();
  expect(program.resume).toHaveBeenCalledTimes(2);
});
