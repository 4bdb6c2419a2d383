import { expect, test } from 'vitest';
import { createRandom } from '../../test/harness/random.js';
import { randomCase } from '../../test/screens/sequences.js';
import { createScreen, type Screen } from './screen.js';

const open = (cols = 10, rows = 3, scrollbackLines = 20): Screen => createScreen({ cols, rows, scrollbackLines });
const fed = (screen: Screen, text: string) => new Promise<void>((resolve) => screen.feed(Buffer.from(text), resolve));

async function shown(text: string): Promise<string[]> {
  const screen = open();
  await fed(screen, text);
  const rows = screen.look({ from: -screen.scrollbackLines, ansi: true });
  screen.dispose();
  return rows;
}

test('erasing upwards from the last place of the screen erases, and what follows is still shown', async () => {
  expect(await shown('one\r\ntwo\r\n0123456789\x1b[1J\rafter')).toEqual(['', '', 'after']);
  expect(await shown('one\r\ntwo\r\n0123456789\x1b[?1J\rafter')).toEqual(['', '', 'after']);
});

test('the row below one that was erased to its end is not joined to it by a resize', async () => {
  const screen = open(10, 4);
  await fed(screen, 'above\r\n0123456789joined\x1b[2;10H\x1b[1J');
  screen.resize(20, 4);
  await fed(screen, '');
  expect(screen.look({})).toEqual(['', '', 'joined', '']);
  screen.dispose();
});

test.each([...'@ILMPSTXZb', ' @', ' A', "'}", "'~"])(
  'a count of 2147483647 for %s is worth a screen full',
  async (final) => {
    const screen = open();
    await fed(screen, `ab\x1b[2147483647${final}`);
    await fed(screen, '\x1b[3;1Hafter');
    expect(screen.look({})[2]?.slice(0, 5)).toBe('after');
    screen.dispose();
  },
);

test('random output in terminals of any size, resized meanwhile, never ends the process', async () => {
  const random = createRandom(7);
  for (let at = 0; at < 60; at++) {
    const screen = open(1 + random.below(30), 1 + random.below(8), random.below(3) * 10);
    for (const piece of [...randomCase(random), ...randomCase(random)]) {
      const done = fed(screen, piece);
      if (random.below(8) === 0) screen.resize(1 + random.below(40), 1 + random.below(10));
      await done;
    }
    expect(screen.look({})).toHaveLength(screen.rows);
    screen.dispose();
  }
});

test('what is scrolled up by SU is in the scrollback, unless it left a region below the top', async () => {
  expect(await shown('one\r\ntwo\x1b[S')).toEqual(['one', 'two', '', '']);
  expect(await shown('one\r\ntwo\x1b[2;3r\x1b[S')).toEqual(['one', '', '']);
});

test('a linked word is not underlined', async () => {
  expect(await shown('\x1b]8;;http://example.org\x07word\x1b]8;;\x07')).toEqual(['word', '', '']);
});

test('the alignment pattern has no attributes, and what is printed after it has those that were set', async () => {
  expect(await shown('\x1b[1m\x1b#8x')).toEqual(['\x1b[0;1mx\x1b[0mEEEEEEEEE\x1b[0m', 'EEEEEEEEEE', 'EEEEEEEEEE']);
});

test('a tab backwards leaves the last column', async () => {
  expect(await shown('0123456789\x1b[Zx')).toEqual(['01234567x9', '', '']);
});

test('margins and tab stops are those of the terminal, on both screens', async () => {
  expect(await shown('\x1b[1;2r\x1b[?1049h\x1b[3;1Hlow\n\rend')).toEqual(['', '', 'end']);
  expect(await shown('\x1b[3g\x1b[1;4H\x1bH\x1b[?1049h\r\tx')).toEqual(['   x', '', '']);
  expect(await shown('\x1b[1;2r\x1b[?1049h\x1bc\x1b[3;1Hlow\n\rend')).toEqual(['', '', 'low', 'end']);
});
