/**
 * Tests that a screen restored from a snapshot behaves like the original, for any output before and after the snapshot.
 */
import { expect, test } from 'vitest';
import { Screen } from '../../src/terminal/index.js';
import { createRandom } from '../harness/random.js';
import { type Cell, lookAt, shows } from './look.js';
import { BREAK_OFF } from './raw-pane.js';
import { randomCase } from './sequences.js';

const CASES = 300;
const SIZE = { cols: 20, rows: 6, scrollbackLines: 30 };

const fed = (screen: Screen, text: string) => new Promise<void>((resolve) => screen.feed(Buffer.from(text), resolve));

/** A blank cell without visible attributes counts as a plain blank. */
const plain = (row: readonly Cell[]) => row.map((cell) => (shows(cell) ? `${cell.chars}{${cell.look}}` : ' ')).join('');

function seen(screen: Screen) {
  const { screen: rows, scrollback, ...rest } = lookAt(screen);
  const { hasBracketedPaste, hasApplicationCursor } = screen;
  return { ...rest, rows: [...scrollback, ...rows].map(plain), hasBracketedPaste, hasApplicationCursor };
}

test(
  'a screen restored from a snapshot shows the same as the original, also after further output',
  async () => {
    const random = createRandom(3);
    for (let at = 0; at < CASES; at++) {
      const before = randomCase(random);
      const after = randomCase(random);
      const story = JSON.stringify([before, after]);
      const first = new Screen(SIZE);
      await fed(first, before.join('') + BREAK_OFF);
      const second = new Screen({ ...SIZE, snapshot: first.snapshot(SIZE.scrollbackLines) });
      await fed(second, '');
      expect(seen(second), story).toEqual(seen(first));
      // REP repeats the previous character, which a snapshot does not contain.
      for (const screen of [first, second]) await fed(screen, `\r${after.join('')}`);
      expect(seen(second), story).toEqual(seen(first));
      first.dispose();
      second.dispose();
    }
  },
  60_000 + CASES * 100,
);
