import { expect, test } from 'vitest';
import { repliesTo } from './fixed-queries.js';
import { LineWatch, linesToFill } from './line-watch.js';
import { createScreen } from './screen.js';

const take = (...parts: readonly string[]) => {
  const watch = new LineWatch();
  let position = 0;
  const verdicts = parts.map((part) => {
    const bytes = Buffer.from(part, 'latin1');
    position += bytes.length;
    return watch.take(bytes, position - bytes.length);
  });
  return { watch, verdicts };
};

test.each([
  ['lines', 'text\r\n\x1b[1;38;5;9mred\x1b[0m\x1b[K\x1b]0;title\x07\x1b[?25l\x1b(B\t\x07'],
  ['painting', '\x1b[2J'],
  ['painting', '\x1b[?1049h'],
  ['painting', '\x1b[1;99m'],
  ['painting', '\x1b(0'],
  ['painting', 'text \x0e'],
  ['asking', '\x1b[6n'],
  ['asking', '\x1b]4;1;?\x07'],
  ['asking', '\x1bP+q544e\x1b\\'],
  ['asking', 'C1 \xc2\x9b6n'],
  ['asking', '\x1b[3\n1m'],
] as const)('it is %s to print %j', (verdict, text) => {
  expect(take(text).verdicts).toEqual([verdict]);
});

test.each([['\x1b[c', '\x1b[>0c', '\x1b[5n', '\x1b[>q', '\x1b]10;?\x07', '\x1b]11;?\x1b\\', '\x1b]12;?\x07']])(
  'a query whose answer is always the same need not be emulated',
  (...queries) => {
    const watch = new LineWatch();
    expect(watch.take(Buffer.from(`text${queries.join('text')}`), 0)).toBe('lines');
    expect(watch.fixedQueries).toEqual(queries);
    expect(repliesTo(queries)).toEqual(askedOf(120, 40, queries));
    expect(repliesTo(queries)).toHaveLength(queries.length);
    watch.take(Buffer.from('text'), 100);
    expect(watch.fixedQueries).toEqual([]);
  },
);

test('beside a query that depends on the screen, all are answered by the screen', () => {
  const watch = new LineWatch();
  expect(watch.take(Buffer.from('\x1b[c\x1b[6n'), 0)).toBe('asking');
  expect(watch.fixedQueries).toEqual([]);
});

function askedOf(cols: number, rows: number, queries: readonly string[]): string[] {
  const replies: string[] = [];
  const screen = createScreen({ cols, rows, scrollbackLines: 10, onReply: (text) => replies.push(text) });
  screen.feed(Buffer.from(`\x1b[?1049h\x1b[5;7H\x1b]10;rgb:11/22/33\x07${queries.join('')}`));
  screen.dispose();
  return replies;
}

test('a sequence and a character that are cut count where they end', () => {
  expect(take('\x1b[6', 'n').verdicts).toEqual(['lines', 'asking']);
  expect(take('\x1b', '[2', 'J').verdicts).toEqual(['lines', 'lines', 'painting']);
  expect(take('\xc2', '\x9b').verdicts).toEqual(['lines', 'asking']);
});

test('behind what is not understood everything is asked about, until a terminal says that it is over', () => {
  const { watch, verdicts } = take('\x1bPq', 'text', 'more\x1b\\');
  expect(verdicts).toEqual(['asking', 'asking', 'asking']);
  watch.goOn({ isBetween: true, hasApplicationCursor: false, hasBracketedPaste: true });
  expect(watch.take(Buffer.from('lines\r\n'), 100)).toBe('lines');
  expect(watch.mode('2004')).toBe(true);
});

test('a place says the states at its position, and stands before enough lines', () => {
  const before = '\x1b[31m\x1b[1m\x1b]0;one\x07\r\n';
  const { watch } = take(before, '\x1b[0;4m\x1b]0;two\x07x', '\r\n'.repeat(linesToFill(10, 80) + 1));
  const place = watch.placeFor(linesToFill(10, 80));
  expect(place).toMatchObject({ position: before.length, before: '\x18\r\x1b[31;1m\x1b]2;one\x07' });
  expect(watch.placeFor(linesToFill(10, 80) + 2)).toBeNull();
});

test('a line without a return, and one behind painting, is no place', () => {
  expect(take('\n'.repeat(500)).watch.placeFor(10)).toBeNull();
  expect(take('\r\n'.repeat(500), '\x1b[2J').watch.placeFor(10)).toBeNull();
});

test('a place says nothing of what was set before the last painting: a terminal of that moment has it', () => {
  const { watch } = take('\x1b[31m\x1b]0;one\x07\x1b[?25l', '\x1b[2J\x1b[0m\x1b]0;two\x07\x1b[?25h');
  expect(watch.take(Buffer.from('\r\n'), 100)).toBe('lines');
  watch.take(Buffer.from('\r\n'.repeat(100)), 102);
  expect(watch.placeFor(99)?.before).toBe('\x18\r');
});
