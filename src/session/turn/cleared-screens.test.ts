import { expect, test } from 'vitest';
import { clearedText, sinceClear } from './cleared-screens.js';

const CLEAR = '\x1b[H\x1b[2J\x1b[3J';
const FRAME = 'menu\r\n====\r\nchoice> ';
const [modeBefore, modeAfter] = [true, true].map((canonical) => ({ echo: true, canonical }));

const textOf = (output: string, frame = FRAME, typed = 'one\rtwo\r') =>
  clearedText(
    {
      typed,
      output: Buffer.from(output),
      before: Buffer.from(frame),
      cols: 80,
      modeBefore: modeBefore ?? null,
      modeAfter: modeAfter ?? null,
    },
    Buffer.from(frame),
  );

test('the text is what was printed between the echo and the last frame', () => {
  const output = `one\r\ntwo\r\nYou chose one.\r\n${CLEAR}${FRAME}You chose two.\r\n${CLEAR}${FRAME}`;
  expect(textOf(output)).toBe('You chose one.\nYou chose two.');
});

test('the text may stand above the frame', () => {
  expect(textOf(`one\r\ntwo\r\n${CLEAR}Saved.\r\nTwice.\r\n${FRAME}`)).toBe('Saved.\nTwice.');
});

test('a frame that has changed is a part of the text, but for its last row', () => {
  expect(textOf(`one\r\ntwo\r\n${CLEAR}menu 2\r\n====\r\nchoice> `)).toBe('menu 2\n====');
});

test.each([
  ['prints only its frame', `one\r\ntwo\r\n${CLEAR}${FRAME}`],
  ['paints', `one\r\ntwo\r\n${CLEAR}\x1b[5;1Hanswer\r\n${FRAME}`],
  ['clears while the echo comes', `one\r\n${CLEAR}${FRAME}two\r\nanswer\r\n${CLEAR}${FRAME}`],
])('a program that %s has no certain text', (_name, output) => {
  expect(textOf(output)).toBeNull();
});

test.each(['\x1b[2J\x1b[H', '\x1bc', '\x1b[1;1H\x1b[J', '\x1b[H\x1b[0J'])('%j clears the screen', (clear) => {
  expect(textOf(`one\r\ntwo\r\nanswer\r\n${clear}${FRAME}`)).toBe('answer');
  expect(sinceClear(Buffer.from(`old${clear}new`)).toString()).toBe('new');
});

test.each(['\x1b[J', '\x1b[K', '\x1b[5;2H\x1b[J', '\x1b[H'])('%j does not clear the screen', (control) => {
  expect(textOf(`one\r\ntwo\r\nanswer\r\n${control}${FRAME}`)).toBeUndefined();
});
