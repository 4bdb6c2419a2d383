/**
 * Compares a painted terminal with one that received the output: both show the same, whatever was on the terminal
 * before, and at every size.
 */

import unicodeModule from '@xterm/addon-unicode11';
import headless from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../../test/harness/tries.js';
import { Screen } from '../screen.js';
import { createRowReader, readRow } from './cells.js';
import { paint } from './painter.js';
import { crop, follow, type Offset, ORIGIN, type Picture } from './picture.js';

const SIZE = { cols: 24, rows: 8 };
const PIECES = [
  'text ',
  'ä漢🙂é ',
  'wide 漢字漢字漢字 ',
  '👩\u200d🚀 ',
  '\r\n',
  '\n\n\n',
  'line of text\r\n',
  '\x1b[31;1m',
  '\x1b[38;2;9;8;7m',
  '\x1b[0m',
  '\x1b[44m',
  '\x1b[7m',
  '\x1b[2J',
  '\x1b[3;5H',
  '\x1b[H',
  '\x1b[8;23H',
  '\x1b[K',
  '\x1b[1K',
  '\x1b[?1049h',
  '\x1b[?1049l',
  '\x1b[?25l',
  '\x1b[?25h',
  '\x1b[?2004h',
  '\x1b[?1h',
  '\x1b[?1l',
  '\x1b=',
  '\x1b[?1002h',
  '\x1b[?1003h',
  '\x1b[?1003l',
  '\x1b[?1006h',
  '\x1b[?1004h',
  '\x1b[2;6r',
  '\x1b[r',
  '\x1b[L',
  '\x1b[2M',
  '\x1b[P',
  '\x1b[@',
  '\x1b[S',
  '\x1b[T',
  '\x1b]2;a title\x07',
  '\x07',
  '\x1b(0qqq\x1b(B',
  '\x1bM',
];

const pieces = (maxLength: number) => fc.array(fc.constantFrom(...PIECES), { maxLength });
const feed = (screen: Pick<Screen, 'feed'>, text: string) =>
  new Promise<void>((resolve) => screen.feed(Buffer.from(text), resolve));
const open = ({ cols, rows } = SIZE) => new Screen({ cols, rows, scrollbackLines: 20 });

/** The terminal of a viewer, with functions that read what it shows. */
function aTerminal({ cols, rows } = SIZE) {
  const terminal = new headless.Terminal({ cols, rows, allowProposedApi: true, logLevel: 'off' });
  terminal.loadAddon(new unicodeModule.Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  return {
    terminal,
    write: (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve)),
    rows: () =>
      Array.from({ length: terminal.rows }, (_, y) =>
        readRow(terminal.buffer.active.getLine(terminal.buffer.active.baseY + y), terminal.cols),
      ),
    cursor: () => ({ x: terminal.buffer.active.cursorX, y: terminal.buffer.active.cursorY }),
  };
}

type Painted = ReturnType<typeof aTerminal>;

function expectShown(viewer: Painted, picture: Picture): void {
  expect(viewer.rows()).toEqual(picture.rows);
  if (picture.cursor.visible) expect(viewer.cursor()).toEqual({ x: picture.cursor.x, y: picture.cursor.y });
  const { modes } = viewer.terminal;
  expect(modes.bracketedPasteMode).toBe(picture.settings.modes.includes(2004));
  expect(modes.applicationCursorKeysMode).toBe(picture.settings.modes.includes(1));
  expect(modes.sendFocusMode).toBe(picture.settings.modes.includes(1004));
  expect(modes.mouseTrackingMode !== 'none').toBe(
    picture.settings.modes.some((mode) => [9, 1000, 1002, 1003].includes(mode)),
  );
  expect(modes.applicationKeypadMode).toBe(picture.settings.hasKeypad);
}

test('a painted terminal shows each picture, whatever was on it before', async () => {
  await fc.assert(
    fc.asyncProperty(pieces(20), fc.array(pieces(12), { minLength: 1, maxLength: 6 }), async (left, steps) => {
      const viewer = aTerminal();
      await viewer.write(left.join(''));
      const screen = open();
      let shown: Picture | null = null;
      for (const step of steps) {
        await feed(screen, step.join(''));
        const picture = screen.picture();
        await viewer.write(paint(shown, picture));
        shown = picture;
        expectShown(viewer, picture);
      }
      screen.dispose();
      viewer.terminal.dispose();
    }),
    tries(120),
  );
});

test('a terminal of another size shows the part with the cursor, and follows resizes of both', async () => {
  const size = fc.record({ cols: fc.integer({ min: 2, max: 40 }), rows: fc.integer({ min: 1, max: 14 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(pieces(12), size, size), { minLength: 1, maxLength: 5 }), async (steps) => {
      const viewer = aTerminal();
      const screen = open();
      let shown: Picture | null = null;
      let offset: Offset = ORIGIN;
      for (const [step, theirs, ours] of steps) {
        await feed(screen, step.join(''));
        screen.resize(ours.cols, ours.rows);
        await feed(screen, '');
        viewer.terminal.resize(theirs.cols, theirs.rows);
        const whole = screen.picture();
        offset = follow(offset, whole, theirs);
        const picture = crop(whole, theirs, offset);
        await viewer.write(paint(null, picture));
        shown = picture;
        expectShown(viewer, shown);
        expect(picture.cursor.visible).toBe(whole.cursor.visible);
      }
      screen.dispose();
      viewer.terminal.dispose();
    }),
    tries(80),
  );
});

test('paint does not change rows below the picture', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(pieces(12), { minLength: 1, maxLength: 5 }), async (steps) => {
      const viewer = aTerminal({ cols: SIZE.cols, rows: SIZE.rows + 1 });
      await viewer.write(`\x1b[${SIZE.rows + 1};1Ha row of ours`);
      const screen = open();
      let shown: Picture | null = null;
      for (const step of steps) {
        await feed(screen, step.join(''));
        const picture = screen.picture();
        await viewer.write(paint(shown, picture));
        shown = picture;
        expect(viewer.rows().slice(0, -1)).toEqual(picture.rows);
        expect(viewer.terminal.buffer.active.getLine(SIZE.rows)?.translateToString(true)).toBe('a row of ours');
      }
      screen.dispose();
      viewer.terminal.dispose();
    }),
    tries(50),
  );
});

async function after(first: string, then: string): Promise<string> {
  const screen = open();
  await feed(screen, first);
  const before = screen.picture();
  await feed(screen, then);
  const bytes = paint(before, screen.picture());
  screen.dispose();
  return bytes;
}

test('writes nothing for an unchanged picture, and only a changed character', async () => {
  expect(await after('prompt', '\x1b[31m\x1b[0m')).toBe('');
  expect(await after('prompt $ ', 'l')).toBe('\x1b[1;10Hl\x1b[1;11H');
});

test('scrolls lines instead of writing them again', async () => {
  const lines = Array.from({ length: 8 }, (_, i) => `line ${i} of the text`).join('\r\n');
  const bytes = await after(lines, '\r\nnew');
  expect(bytes).toContain('\x1b[1;8r\x1b[1S\x1b[r');
  expect(bytes).not.toContain('of the text');
});

test('rings the bell once', async () => {
  expect(await after('a', '\x07b')).toContain('\x07');
  expect(await after('a\x07', 'b')).not.toContain('\x07');
});

test('sets and resets keyboard modes and the cursor style of the program', async () => {
  expect(await after('', '\x1b[>5u\x1b[>4;2m\x1b[4 q')).toBe('\x1b[4 q\x1b[=5u\x1b[>4;2m');
  expect(await after('\x1b[>5u\x1b[>4;2m\x1b[4 q', '\x1b[<u\x1b[>4m\x1b[0 q')).toBe('\x1b[0 q\x1b[=0u\x1b[>4m');
  expect(await after('\x1b[>1u\x1b[>5u', '\x1b[<u')).toBe('\x1b[=1u');
});

test('a cached row is read like a new one, whatever has changed in it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(pieces(6), { minLength: 1, maxLength: 8 }), async (steps) => {
      const viewer = aTerminal();
      const read = createRowReader();
      const { terminal } = viewer;
      for (const step of steps) {
        await viewer.write(step.join(''));
        const { active } = terminal.buffer;
        const rows = Array.from({ length: terminal.rows }, (_, y) =>
          read(active.getLine(active.baseY + y), terminal.cols),
        );
        expect(rows).toEqual(viewer.rows());
      }
      terminal.dispose();
    }),
    tries(120),
  );
});

test('an unchanged row keeps its identity in the next picture, and a changed one does not', async () => {
  const screen = open();
  await feed(screen, 'first\r\nséc\r\ne\u0301\r\n');
  const before = screen.picture().rows;
  await feed(screen, '\x1b[2;1HX\x1b[3;1He\u0300');
  const after = screen.picture().rows;
  expect(after[0]).toBe(before[0]);
  expect(after[1]?.[0]?.text).toBe('X');
  expect([before[2]?.[0]?.text, after[2]?.[0]?.text]).toEqual(['e\u0301', 'e\u0300']);
  screen.dispose();
});
