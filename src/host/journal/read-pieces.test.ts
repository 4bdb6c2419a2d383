import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openJournal } from './journal-reader.js';
import { JournalWriter } from './journal-writer.js';
import { readInPieces, readRecords } from './read-pieces.js';

let journals: string;
const SESSION = 'ses_1';

/** Ten records of output, each with its number. */
beforeEach(() => {
  journals = mkdtempSync(join(tmpdir(), 'orchd-pieces-'));
  const writer = new JournalWriter({ directory: join(journals, SESSION), now: () => 0 });
  for (let n = 0; n < 10; n++) writer.append({ kind: 'out', bytes: Buffer.from(String(n)) });
  writer.close();
});
afterEach(() => rmSync(journals, { recursive: true, force: true }));

test.each([
  [1, 10],
  [60, 3],
  [1_000_000, 1],
])('reads every record once in pieces of %i bytes, and lets other work run in between', async (pieceBytes, least) => {
  const reader = openJournal(journals, SESSION);
  let read = '';
  let pieces = 0;
  let served = 0;
  const serve = (): void => {
    served++;
    if (read.length < 10) setImmediate(serve);
  };
  setImmediate(serve);
  await readInPieces(reader, { pieceBytes, afterPiece: () => void pieces++ }, (record) => {
    if (record.kind === 'out') read += Buffer.from(record.bytes).toString();
  });
  reader.close();
  expect(read).toBe('0123456789');
  expect(pieces).toBeGreaterThanOrEqual(least);
  expect(served).toBeGreaterThanOrEqual(least - 1);
});

test('continues after a record that ends its piece, and stops when goesOn is false', async () => {
  const reader = openJournal(journals, SESSION);
  let read = '';
  const ends: number[] = [];
  const pieces = {
    pieceBytes: 1_000_000,
    goesOn: () => read.length < 4,
    afterPiece: () => void ends.push(read.length),
  };
  await readInPieces(reader, pieces, (record) => {
    if (record.kind === 'out') read += Buffer.from(record.bytes).toString();
    return read.length % 2 === 1;
  });
  reader.close();
  expect([read, ends]).toEqual(['0123', [2, 4]]);
});

test('reads no records from a journal that does not exist', async () => {
  const reader = openJournal(journals, 'ses_none');
  await readInPieces(reader, { pieceBytes: 1 }, () => expect.unreachable());
  expect(readRecords(journals, 'ses_none', 0, () => expect.unreachable()).position).toBe(0);
});
