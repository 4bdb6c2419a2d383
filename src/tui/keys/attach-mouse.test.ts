import { expect, test } from 'vitest';
import { createAttachMouse } from './attach-mouse.js';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const ON = '\x1b[?1000h\x1b[?1006h';
const WHEEL = '\x1b[<64;5;5M';

test('handles the wheel unless the program enables the mouse', () => {
  const mouse = createAttachMouse();
  expect(mouse.wrote(bytes('a\x1b[m'))).toBe(ON);
  expect(mouse.wrote(bytes('b\x1b[1m'))).toBe('');
  expect(mouse.typed(bytes(`x${WHEEL}y`))).toEqual({ rest: bytes('xy'), isWheelUp: true });
  expect(mouse.wrote(bytes('\x1b[?1002h\x1b[?1006h'))).toBe('');
  expect(mouse.typed(bytes(WHEEL))).toEqual({ rest: bytes(WHEEL), isWheelUp: false });
  expect(mouse.again()).toBe('');
  expect(mouse.wrote(bytes('\x1b[?1006l\x1b[?1002l'))).toBe(ON);
});

test.each(['\x1b[?1000l', '\x1b[?25;1006l'])(
  'enables the mouse again after the reset %j, which each full repaint contains',
  (reset) => {
    const mouse = createAttachMouse();
    expect(mouse.wrote(bytes('\x1b[m'))).toBe(ON);
    expect(mouse.wrote(bytes(`a${reset}b`))).toBe(ON);
    expect(mouse.wrote(bytes('\x1b[?25l'))).toBe('');
  },
);

test('switches its encoding off if the program uses another one', () => {
  const mouse = createAttachMouse();
  expect(mouse.wrote(bytes('\x1b[m'))).toBe(ON);
  expect(mouse.wrote(bytes('\x1b[?25;1000h'))).toBe('\x1b[?1006l');
});

test('reads sequences however they are split, and inserts nothing within one', () => {
  const sequence = '\x1b[?1003h';
  for (let at = 1; at < sequence.length; at++) {
    const mouse = createAttachMouse();
    expect(mouse.wrote(bytes(sequence.slice(0, at)))).toBe('');
    expect(mouse.wrote(bytes(sequence.slice(at)))).toBe('');
    expect(mouse.typed(bytes(WHEEL)).rest).toEqual(bytes(WHEEL));
  }
});

test('removes split reports, and does not delay an Escape key', () => {
  const mouse = createAttachMouse();
  mouse.again();
  for (let at = 3; at < WHEEL.length; at++) {
    const first = mouse.typed(bytes(`a${WHEEL.slice(0, at)}`));
    const second = mouse.typed(bytes(`${WHEEL.slice(at)}b`));
    expect([first.rest, second.rest, second.isWheelUp]).toEqual([bytes('a'), bytes('b'), true]);
  }
  expect(mouse.typed(bytes('\x1b')).rest).toEqual(bytes('\x1b'));
  expect(mouse.off()).toBe('\x1b[?1006l\x1b[?1000l');
  expect(mouse.off()).toBe('');
});
