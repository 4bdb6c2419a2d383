/** Tests that one read of a file is short, however large the file is. */
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileTail } from './file-tail.js';

const MEGABYTE = 1024 * 1024;
const TERABYTE = MEGABYTE * MEGABYTE;

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-tail-'));
  file = join(dir, 'transcript.jsonl');
});
afterEach(() => rmSync(dir, { recursive: true }));

/** @returns The lines, and the number of reads until the end of the file. */
function readAll(tail: FileTail): { lines: string[]; reads: number } {
  const lines: string[] = [];
  for (let reads = 1; ; reads++) {
    const look = tail.read();
    lines.push(...look.lines.map(({ text }) => text));
    if (!look.isMore) return { lines, reads };
  }
}

test('reads at most one megabyte at a time, even within a line', () => {
  const long = 'x'.repeat(3 * MEGABYTE);
  writeFileSync(file, `${long}\n`);
  expect(readAll(new FileTail(file, 0))).toEqual({ lines: [long], reads: 4 });
});

test('replaces a line of more than 16 megabytes by an empty one, and reads the next one whole', () => {
  writeFileSync(file, `${'x'.repeat(17 * MEGABYTE)}\nnext\n`);
  expect(readAll(new FileTail(file, 0)).lines).toEqual(['', 'next']);
});

test('skips a hole of a terabyte in fewer than 300 reads, and then reads appended lines', () => {
  const tail = new FileTail(file, 0);
  writeFileSync(file, 'first\n');
  truncateSync(file, TERABYTE);
  const { lines, reads } = readAll(tail);
  expect({ lines, isQuick: reads < 300 }).toEqual({ lines: ['first'], isQuick: true });
  appendFileSync(file, '\nnext\n');
  expect(readAll(tail).lines).toEqual(['', 'next']);
});
