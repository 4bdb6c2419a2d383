/** The guard's shortcuts give the same result as xterm.js row by row. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import headless, { type Terminal } from '@xterm/headless';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tries } from '../../../test/harness/tries.js';
import { boundedTitle, guard } from './guard.js';
import { coreOf } from './xterm-core.js';

const COLS = 12;
const ROWS = 6;

function shown(text: string, isGuarded: boolean): unknown[] {
  const terminal: Terminal = new headless.Terminal({ cols: COLS, rows: ROWS, scrollback: 10, allowProposedApi: true });
  if (isGuarded) guard(terminal);
  coreOf(terminal)._inputHandler.parse(Buffer.from(text));
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_, y) => {
    const line = active.getLine(y);
    const grounds = Array.from({ length: COLS }, (__, x) => line?.getCell(x)?.getBgColor());
    return [line?.translateToString(), line?.isWrapped, grounds];
  });
  const cursor = [active.cursorX, active.cursorY, active.baseY];
  terminal.dispose();
  return [rows, cursor];
}

const piece = fc.oneof(
  fc.constantFrom(
    'text',
    'a long row that wraps',
    '\r\n',
    '\x1b[41m',
    '\x1b[m',
    '\x1b[2;4r',
    '\x1b[r',
    '\x1b[3;5H',
    '\x1b[H',
  ),
  fc.tuple(fc.integer({ min: 0, max: ROWS }), fc.constantFrom(...'STLM')).map(([n, final]) => `\x1b[${n}${final}`),
);

it('scrolls rows as xterm.js does', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      expect(shown(pieces.join(''), true)).toEqual(shown(pieces.join(''), false));
    }),
    tries(200),
  );
});

it('limits the length of a title', () => {
  expect(boundedTitle('a title')).toBe('a title');
  expect(boundedTitle('t'.repeat(10_000_000))).toBe('t'.repeat(1024));
});

it('limits a repetition to the screen, also with combined characters', () => {
  const terminal: Terminal = new headless.Terminal({ cols: COLS, rows: ROWS, scrollback: 10, allowProposedApi: true });
  guard(terminal);
  const chars = (text: string): number => {
    terminal.reset();
    coreOf(terminal)._inputHandler.parse(Buffer.from(text));
    const { active } = terminal.buffer;
    return Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true) ?? '').join('')
      .length;
  };
  expect(chars('x\x1b[2147483647b')).toBeGreaterThanOrEqual(COLS * ROWS);
  expect(chars('e\u0301\x1b[4b')).toBe(10);
  expect(chars('\u{1f600}\x1b[2b')).toBe(6);
  expect(chars(`e${'\u0301'.repeat(20)}\x1b[2147483647b`)).toBeLessThanOrEqual(4 * COLS * ROWS + 21);
  terminal.dispose();
});

it('limits the combining characters of a cell', () => {
  const [[[row]]] = shown(`e${'\u0301'.repeat(20_000)}x\r\n`, true) as [[[string]]];
  expect(row).toMatch(/^e\u0301{31}x +$/);
});

it.each([
  ['OSC', '\x1b]0;', '\x07'],
  ['DCS', '\x1bP$q', '\x1b\\'],
])('limits the text of a long %s, and parses later output', (_, begin, end) => {
  const terminal: Terminal = new headless.Terminal({ cols: COLS, rows: ROWS, allowProposedApi: true });
  guard(terminal);
  const lengths: number[] = [];
  terminal.parser.registerOscHandler(0, (text) => {
    lengths.push(text.length);
    return true;
  });
  terminal.parser.registerDcsHandler({ intermediates: '$', final: 'q' }, (text) => {
    lengths.push(text.length);
    return true;
  });
  const { _inputHandler: handler } = coreOf(terminal);
  handler.parse(Buffer.from(begin));
  for (let n = 0; n < 20; n++) handler.parse(Buffer.from('x'.repeat(10_000)));
  handler.parse(Buffer.from(`${end}after${begin}short${end}`));
  expect(lengths[0]).toBeLessThanOrEqual(64 * 1024);
  expect(lengths[1]).toBe(5);
  expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('after');
  terminal.dispose();
});

it('keeps the text of a cell with many characters in one piece', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const terminal: Terminal = new headless.Terminal({ cols: 100, rows: 50, scrollback: 1_000, allowProposedApi: true });
  guard(terminal);
  collect();
  const before = process.memoryUsage().heapUsed;
  const selectors = Array.from({ length: 15 }, (_, n) => String.fromCodePoint(0xe0100 + n)).join('');
  const bytes = Buffer.from(`a${selectors}`.repeat(100));
  for (let row = 0; row < 1_000; row++) coreOf(terminal)._inputHandler.parse(bytes);
  collect();
  // 100,000 cells with 31 units each. As trees of characters, they would take 60 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
  expect(terminal.buffer.active.getLine(3)?.translateToString(true)).toBe(`a${selectors}`.repeat(100));
  terminal.dispose();
});
