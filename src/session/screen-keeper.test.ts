import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JournalRecord } from '../host/index.js';
import { createScreenKeeper, type ScreenKeeper } from './screen-keeper.js';

const SIZE = { cols: 30, rows: 6, scrollbackLines: 20 };
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-keeper-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Records at their places: output as text, sizes as columns. */
function journal(parts: readonly (string | number)[]): JournalRecord[] {
  let position = 0;
  return parts.map((part) => {
    const bytes = Buffer.from(typeof part === 'string' ? part : '');
    const place = { position, end: position + 16 + Math.max(bytes.length, 1), time: 0 };
    position = place.end;
    if (typeof part === 'number') return { ...place, kind: 'resize', cols: part, rows: SIZE.rows };
    return { ...place, kind: 'out', bytes, bytesPosition: place.position + 16 };
  });
}

const look = ({ screen }: ScreenKeeper) => ({
  rows: screen.look({ from: -SIZE.scrollbackLines, ansi: true }),
  cursor: screen.cursor,
  cols: screen.cols,
});

const part = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      'Xome text', // behind an open `ESC [ 3` an ECH, not the cursor saved, which no snapshot holds
      '漢字 ',
      '\r\n',
      '\x1b[3',
      '1m',
      '\x1b[0m',
      '\x1b[2;3H',
      '\x1b]0;ti',
      'tle\x07',
      '\x1b[?1049h',
      '\x1b[?1049l',
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 20, max: 40 }) },
);

/** The alternate screen is left only where it was entered: leaving it twice restores a saved cursor, which no snapshot holds. */
function balanced(parts: readonly (string | number)[]): (string | number)[] {
  let isAlternate = false;
  return parts.filter((one) => {
    if (one !== '\x1b[?1049h' && one !== '\x1b[?1049l') return true;
    const isEntry = one.endsWith('h');
    if (isEntry === isAlternate) return false;
    isAlternate = isEntry;
    return true;
  });
}

test('a screen that is rebased at every rest equals one that never is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 60 }), fc.nat(5), async (parts, every) => {
      const often = createScreenKeeper({ dir: mkdtempSync(join(dir, 'k')), ...SIZE, rebaseBytes: 1 });
      const never = createScreenKeeper({ dir: mkdtempSync(join(dir, 'k')), ...SIZE });
      for (const [i, record] of journal(balanced(parts)).entries()) {
        often.take(record);
        never.take(record);
        if (i % (every + 1) === 0) await Promise.all([often.settled(), never.settled()]);
      }
      await Promise.all([often.settled(), never.settled()]);
      expect(look(often)).toEqual(look(never));
      often.dispose();
      never.dispose();
    }),
    { numRuns: 80 },
  );
});

test('found again after a restart, it goes on where its snapshot was', async () => {
  const records = journal(['one\r\n', 'two\r\n', 25, 'three\r\n', '\x1b[31mfour']);
  const first = createScreenKeeper({ dir, ...SIZE });
  for (const record of records.slice(0, 3)) first.take(record);
  await first.save();
  const second = createScreenKeeper({ dir, ...SIZE });
  expect(second.position).toBe(records[2]?.end);
  for (const keeper of [first, second]) for (const record of records) keeper.take(record);
  await Promise.all([first.settled(), second.settled()]);
  expect(look(second)).toEqual(look(first));
  expect(look(second).rows.join()).toContain('one');
});

test('each query of a record is answered under a position of its own, the same ones when it is read again', async () => {
  const records = journal(['\x1b[c and \x1b[6n', '\x1b]11;?\x07']);
  const run = async () => {
    const asked: number[] = [];
    const keeper = createScreenKeeper({
      dir: mkdtempSync(join(dir, 'k')),
      ...SIZE,
      onReply: (query) => asked.push(query),
    });
    for (const record of records) keeper.take(record);
    await keeper.settled();
    return asked;
  };
  const asked = await run();
  expect(asked).toEqual([16, 17, (records[1]?.position ?? 0) + 16]);
  expect(await run()).toEqual(asked);
});

test('what it was given may be overwritten at once', async () => {
  const keeper = createScreenKeeper({ dir, ...SIZE });
  const bytes = Buffer.from('kept');
  keeper.take({ kind: 'out', position: 0, end: 20, time: 0, bytes, bytesPosition: 16 });
  bytes.fill('X');
  await keeper.settled();
  expect(keeper.screen.look({})[0]).toBe('kept');
});
