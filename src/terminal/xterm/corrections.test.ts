import { expect, test } from 'vitest';
import { createRandom } from '../../../test/harness/random.js';
import { randomCase } from '../../../test/screens/sequences.js';
import { Screen } from '../screen.js';

const open = (cols = 10, rows = 3, scrollbackLines = 20): Screen => new Screen({ cols, rows, scrollbackLines });
const feed = (screen: Screen, text: string) => new Promise<void>((resolve) => screen.feed(Buffer.from(text), resolve));

async function shown(text: string): Promise<string[]> {
  const screen = open();
  await feed(screen, text);
  const rows = screen.look({ from: -1000, ansi: true });
  screen.dispose();
  return rows;
}

test('erases upwards from the last cell of the screen, and shows later output', async () => {
  expect(await shown('one\r\ntwo\r\n0123456789\x1b[1J\rafter')).toEqual(['', '', 'after']);
  expect(await shown('one\r\ntwo\r\n0123456789\x1b[?1J\rafter')).toEqual(['', '', 'after']);
});

test('a resize does not join a row to the one above that was erased to its end', async () => {
  const screen = open(10, 4);
  await feed(screen, 'above\r\n0123456789joined\x1b[2;10H\x1b[1J');
  screen.resize(20, 4);
  await feed(screen, '');
  expect(screen.look({})).toEqual(['', '', 'joined', '']);
  screen.dispose();
});

test.each([...'@ILMPSTXZb', ' @', ' A', "'}", "'~"])(
  'limits a count of 2147483647 for %s to the screen',
  async (final) => {
    const screen = open();
    await feed(screen, `ab\x1b[2147483647${final}`);
    await feed(screen, '\x1b[3;1Hafter');
    expect(screen.look({})[2]?.slice(0, 5)).toBe('after');
    screen.dispose();
  },
);

test('survives random output in terminals of any size, with resizes', async () => {
  const random = createRandom(7);
  for (let at = 0; at < 60; at++) {
    const screen = open(1 + random.below(30), 1 + random.below(8), random.below(3) * 10);
    for (const piece of [...randomCase(random), ...randomCase(random)]) {
      const done = feed(screen, piece);
      if (random.below(8) === 0) screen.resize(1 + random.below(40), 1 + random.below(10));
      await done;
    }
    expect(screen.look({})).toHaveLength(screen.rows);
    screen.dispose();
  }
});

test('moves rows scrolled by SU into the scrollback, unless the region starts below the top', async () => {
  expect(await shown('one\r\ntwo\x1b[S')).toEqual(['one', 'two', '', '']);
  expect(await shown('one\r\ntwo\x1b[2;3r\x1b[S')).toEqual(['one', '', '']);
});

test('does not underline a linked word', async () => {
  expect(await shown('\x1b]8;;http://example.org\x07word\x1b]8;;\x07')).toEqual(['word', '', '']);
});

test('the alignment pattern has no attributes, and later text keeps its attributes', async () => {
  expect(await shown('\x1b[1m\x1b#8x')).toEqual(['\x1b[0;1mx\x1b[0mEEEEEEEEE\x1b[0m', 'EEEEEEEEEE', 'EEEEEEEEEE']);
});

test('a backward tab leaves the last column', async () => {
  expect(await shown('0123456789\x1b[Zx')).toEqual(['01234567x9', '', '']);
});

test('both screens share the margins and tab stops', async () => {
  expect(await shown('\x1b[1;2r\x1b[?1049h\x1b[3;1Hlow\n\rend')).toEqual(['', '', 'end']);
  expect(await shown('\x1b[3g\x1b[1;4H\x1bH\x1b[?1049h\r\tx')).toEqual(['   x', '', '']);
  expect(await shown('\x1b[1;2r\x1b[?1049h\x1bc\x1b[3;1Hlow\n\rend')).toEqual(['', '', 'low', 'end']);
});
