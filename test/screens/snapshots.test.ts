/**
 * A screen that is restored from a snapshot is the same machine, whatever was printed before and is printed afterwards.
 */
import { expect, test } from 'vitest';
import { createScreen, type Screen } from '../../src/terminal/index.js';
import { createRandom } from '../harness/random.js';
import { type Cell, lookAt, shows } from './look.js';
import { BREAK_OFF } from './raw-pane.js';
import { randomCase } from './sequences.js';

const CASES = 300;
const SIZE = { cols: 20, rows: 6, scrollbackLines: 30 };

const fed = (screen: Screen, text: string) => new Promise<void>((resolve) => screen.feed(Buffer.from(text), resolve));

/** A blank that shows nothing is a blank, whatever it would look like if it did. */
const plain = (row: readonly Cell[]) => row.map((cell) => (shows(cell) ? `${cell.chars}{${cell.look}}` : ' ')).join('');

function seen(screen: Screen) {
  const { screen: rows, scrollback, ...rest } = lookAt(screen);
  const { hasBracketedPaste, hasApplicationCursor } = screen;
  return { ...rest, rows: [...scrollback, ...rows].map(plain), hasBracketedPaste, hasApplicationCursor };
}

test(
  'whatever is printed, a restored screen shows the same, and goes on the same',
  async () => {
    const random = createRandom(3);
    for (let at = 0; at < CASES; at++) {
      const before = randomCase(random);
      const after = randomCase(random);
      const story = JSON.stringify([before, after]);
      const first = createScreen(SIZE);
      await fed(first, before.join('') + BREAK_OFF);
      const second = createScreen({ ...SIZE, snapshot: first.snapshot(SIZE.scrollbackLines) });
      await fed(second, '');
      expect(seen(second), story).toEqual(seen(first));
      // REP repeats the character before it; a snapshot has none.
      for (const screen of [first, second]) await fed(screen, `\r${after.join('')}`);
      expect(seen(second), story).toEqual(seen(first));
      first.dispose();
      second.dispose();
    }
  },
  60_000 + CASES * 100,
);
