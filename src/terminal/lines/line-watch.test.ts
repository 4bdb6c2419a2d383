import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repliesTo } from '../fixed-queries.js';
import { Screen } from '../screen.js';
import { LineWatch, linesToFill } from './line-watch.js';

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
  ['asking', '\x1b[?25$p'],
  ['asking', '\x1bP$qm\x1b\\'],
  ['asking', '\x1bP1$qm\x1b\\'],
  ['asking', '\x1bP\n$qm\x1b\\'],
  ['asking', '\x1b]10;?;?\x07'],
  ['painting', '\x1b]4;1;?\x07'],
  ['painting', '\x1bP+q544e\x1b\\'],
  ['painting', '\x1b_Gi=1,a=q;AAAA\x1b\\'],
  ['painting', '\x1b[22;0t\x1b[?996n'],
  ['asking', 'C1 \xc2\x9b6n'],
  ['asking', '\x1b[3\n1m'],
] as const)('classifies as %s the output %j', (verdict, text) => {
  expect(take(text).verdicts).toEqual([verdict]);
});

const SIZE = { cols: 120, rows: 40 };

test.each([
  ['\x1b[c', '\x1b[>0c', '\x1b[5n', '\x1b[>q', '\x1b]10;?\x07', '\x1b]11;?\x1b\\', '\x1b]12;?\x07'],
  ['\x1b[14t', '\x1b[16t', '\x1b[18t'],
])('answers fixed queries as a screen does, without emulation', (...queries) => {
  const watch = new LineWatch();
  expect(watch.take(Buffer.from(`text${queries.join('text')}`), 0)).toBe('lines');
  expect(watch.fixedQueries).toEqual(queries);
  expect(repliesTo(queries, SIZE)).toEqual(screenRepliesTo(queries));
  expect(repliesTo(queries, SIZE)).toHaveLength(queries.length);
  watch.take(Buffer.from('text'), 100);
  expect(watch.fixedQueries).toEqual([]);
});

test('leaves all queries to the screen if one of them depends on it', () => {
  const watch = new LineWatch();
  expect(watch.take(Buffer.from('\x1b[c\x1b[6n'), 0)).toBe('asking');
  expect(watch.fixedQueries).toEqual([]);
});

function screenRepliesTo(queries: readonly string[]): string[] {
  const replies: string[] = [];
  const screen = new Screen({ ...SIZE, scrollbackLines: 10, onReply: (text) => replies.push(text) });
  screen.feed(Buffer.from(`\x1b[?1049h\x1b[5;7H\x1b]10;rgb:11/22/33\x07${queries.join('')}`));
  screen.dispose();
  return replies;
}

const PIECES = [
  ...[1, 3, 7, 9, 12, 25, 45, 47, 66, 1000, 1002, 1003, 1004, 1006, 1016, 1048, 1049, 2004, 2026, 2027].flatMap(
    (mode) => [`\x1b[?${mode}h`, `\x1b[?${mode}l`, `\x1b[?${mode}$p`],
  ),
  '\x1b[?1000;1006h',
  '\x1b[?25;;2026l',
  '\x1b[4h',
  '\x1b[4;20l',
  '\x1b[20h',
  '\x1b[4$p',
  '\x1b[20$p',
  '\x1b[2$p',
  '\x1b=',
  '\x1b>',
  '\x1b[!p',
  '\x1bc',
  '\x1b[3 q',
  '\x1b7',
  '\x1b8',
  '\x1b[2J',
  'text\r\n',
  '\x1b[1m',
  '\x1b[14t',
];

/** Strings, which have no reply. A string that is cut is not understood. */
const STRINGS = [
  '\x1b_Gi=1,a=q;AAAA\x1b\\',
  '\x1b]4;1;?\x07',
  '\x1b]99;i=1:p=?;\x1b\\',
  '\x1bP+q4d73\x1b\\',
  '\x1b[?996n',
  '\x1b[22;0t',
];

test('answers queries of modes as a screen does, whatever came before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }),
      fc.nat(7),
      fc.constantFrom(...STRINGS),
      (pieces, cut, text) => {
        const asked: string[] = [];
        const screen = new Screen({ ...SIZE, scrollbackLines: 10, onReply: (text) => asked.push(text) });
        const watch = new LineWatch(true);
        const replied: string[] = [];
        const bytes = Buffer.from(pieces.join(''));
        screen.feed(Buffer.concat([Buffer.from(text), bytes]));
        screen.dispose();
        expect(watch.take(Buffer.from(text), 0)).toBe('painting');
        for (let at = 0; at < bytes.length; at += cut + 1) {
          expect(watch.take(bytes.subarray(at, at + cut + 1), at)).not.toBe('asking');
          replied.push(...repliesTo(watch.fixedQueries, SIZE));
        }
        expect(replied).toEqual(asked);
      },
    ),
    { numRuns: 200 },
  );
});

test.each([
  ['a control character inside a sequence', '\x1b[?25\nl'],
  ['a C1 control', '\xc2\x9b?25l'],
])('does not know the modes after %s', (_, text) => {
  const watch = new LineWatch(true);
  watch.take(Buffer.from(text, 'latin1'), 0);
  watch.goOn({ isBetween: true, hasApplicationCursor: false, hasBracketedPaste: false });
  expect(watch.take(Buffer.from('\x1b[?25$p'), 100)).toBe('asking');
});

test('classifies a split sequence or character where it ends', () => {
  expect(take('\x1b[6', 'n').verdicts).toEqual(['lines', 'asking']);
  expect(take('\x1b', '[2', 'J').verdicts).toEqual(['lines', 'lines', 'painting']);
  expect(take('\xc2', '\x9b').verdicts).toEqual(['lines', 'asking']);
});

test('treats all output after an unknown sequence as asking, until goOn is called', () => {
  const { watch, verdicts } = take('\x1bPq', 'text', 'more\x1b\\');
  expect(verdicts).toEqual(['asking', 'asking', 'asking']);
  watch.goOn({ isBetween: true, hasApplicationCursor: false, hasBracketedPaste: true });
  expect(watch.take(Buffer.from('lines\r\n'), 100)).toBe('lines');
  expect(watch.mode('2004')).toBe(true);
});

test('restorePointFor returns a position before enough lines, with the state there', () => {
  const before = '\x1b[31m\x1b[1m\x1b]0;one\x07\r\n';
  const { watch } = take(before, '\x1b[0;4m\x1b]0;two\x07x', '\r\n'.repeat(linesToFill(10, 80) + 1));
  const place = watch.restorePointFor(linesToFill(10, 80));
  expect(place).toMatchObject({ position: before.length, before: '\x18\r\x1b[31;1m\x1b]2;one\x07' });
  expect(watch.restorePointFor(linesToFill(10, 80) + 2)).toBeNull();
});

test('restorePointFor finds no position after painting or at lines without a carriage return', () => {
  expect(take('\n'.repeat(500)).watch.restorePointFor(10)).toBeNull();
  expect(take('\r\n'.repeat(500), '\x1b[2J').watch.restorePointFor(10)).toBeNull();
});

test('restorePointFor leaves out state from before the last painting', () => {
  const { watch } = take('\x1b[31m\x1b]0;one\x07\x1b[?25l', '\x1b[2J\x1b[0m\x1b]0;two\x07\x1b[?25h');
  expect(watch.take(Buffer.from('\r\n'), 100)).toBe('lines');
  watch.take(Buffer.from('\r\n'.repeat(100)), 102);
  expect(watch.restorePointFor(99)?.before).toBe('\x18\r');
});
