import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../test/harness/tries.js';
import { Screen } from './screen.js';

const SIZE = { cols: 40, rows: 10 };
const SCROLLBACK = 50;
const PIECES = [
  'text ',
  'ä漢🙂 ',
  '\r\n',
  '\x1b[31;1m',
  '\x1b[0m',
  '\x1b[44m',
  '\x1b[2J',
  '\x1b[3;5H',
  '\x1b[K',
  '\x1b[?1049h',
  '\x1b[?1049l',
  '\x1b[?25l',
  '\x1b[?25h',
  '\x1b[?2004h',
  '\x1b[?1h',
  '\x1b[2;8r',
  '\x1b[r',
  '\x1b]0;a title\x07',
  '\x1b[4h',
  '\x1b[4l',
  '\x1b[L',
  '\x1b[P',
  '\x1b[S',
];

const feed = (screen: Screen, text: string) => new Promise<void>((resolve) => screen.feed(Buffer.from(text), resolve));

const open = (snapshot?: string, onReply?: (text: string) => void) =>
  new Screen({
    ...SIZE,
    scrollbackLines: SCROLLBACK,
    ...(snapshot !== undefined && { snapshot }),
    ...(onReply && { onReply }),
  });

function seen(screen: Screen) {
  const { cursor, title, isAlternate, hasBracketedPaste, hasApplicationCursor } = screen;
  return {
    rows: screen.look({ from: -SCROLLBACK, ansi: true }),
    cursor,
    title,
    isAlternate,
    hasBracketedPaste,
    hasApplicationCursor,
  };
}

test('a screen restored from a snapshot shows the same, also after more output', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }),
      fc.array(fc.constantFrom('more ', '\r\n', '\x1b[32m', '\x1b[5;5H'), { maxLength: 20 }),
      async (before, after) => {
        const first = open();
        await feed(first, before.join(''));
        const second = open(first.snapshot(SCROLLBACK));
        await feed(second, '');
        expect(seen(second)).toEqual(seen(first));
        await feed(first, after.join(''));
        await feed(second, after.join(''));
        expect(seen(second)).toEqual(seen(first));
        first.dispose();
        second.dispose();
      },
    ),
    tries(150),
  );
});

test('answers new queries, but not those within a snapshot', async () => {
  const replies: string[] = [];
  const screen = open('\x1b[c', (text) => replies.push(text));
  await feed(screen, '\x1b[6n\x1b]11;?\x07\x1b[18t\x1b[>q');
  expect(replies).toEqual(['\x1b[1;1R', '\x1b]11;rgb:1010/1010/1010\x1b\\', '\x1b[8;10;40t', '\x1bP>|orchd\x1b\\']);
  screen.dispose();
});

test('applies a resize between the output before and after it', async () => {
  const screen = open();
  const before = feed(screen, 'x'.repeat(50));
  screen.resize(60, 10);
  const after = feed(screen, `\r\n${'y'.repeat(50)}`);
  await Promise.all([before, after]);
  expect(screen.look({}).filter((row) => row !== '')).toContain('y'.repeat(50));
  screen.dispose();
});

test('rows that are returned in slices are those of the beginning, although the screen goes on', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...PIECES, 'a\u0301'), { maxLength: 60 }),
      fc.integer({ min: -60, max: 2 }),
      fc.boolean(),
      async (before, from, ansi) => {
        const screen = open();
        for (let line = 0; line < 60; line++) await feed(screen, `\x1b[3${line % 8}mline e\u0301 ${line}\r\n`);
        for (const piece of before) await feed(screen, piece);
        const whole = screen.look({ from, ansi });
        const look = screen.startLook({ from, ansi });
        while (!look.goOn(() => true)) await feed(screen, '\x1b[41mother\u0302 text\r\n\x1b[2J'.repeat(20));
        expect(look.rows).toEqual(whole);
        screen.dispose();
      },
    ),
    tries(30),
  );
});

test('a wide screen keeps fewer lines, also after a resize', async () => {
  const screen = new Screen({ cols: 1000, rows: 10, scrollbackLines: 400 });
  const lines = Array.from({ length: 1000 }, (_, n) => `line ${n}\r\n`).join('');
  const rowsAbove = ({ rows }: Screen): number => screen.look({ from: -1000 }).length - rows;
  await feed(screen, lines);
  expect(rowsAbove(screen)).toBe(100);
  expect(screen.look({ from: -1000 })[0]).toBe('line 891');
  const again = new Screen({ cols: 1000, rows: 10, scrollbackLines: 400, snapshot: screen.snapshot(400) });
  const comparing = again.compare(screen);
  let step = comparing.next();
  while (!step.done) step = comparing.next();
  expect(step.value).toBe(true);
  screen.resize(100, 10);
  await feed(screen, lines);
  expect(rowsAbove(screen)).toBe(400);
  screen.resize(500, 10);
  expect(rowsAbove(screen)).toBe(200);
  expect(screen.look({ from: -1000 })[0]).toBe('line 791');
});
