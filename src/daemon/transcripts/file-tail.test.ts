/** However large a file is, one look at it is short. */
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

/** @returns The lines, and how many looks it took until nothing more was there. */
function readAll(tail: FileTail): { lines: string[]; looks: number } {
  const lines: string[] = [];
  for (let looks = 1; ; looks++) {
    const look = tail.read();
    lines.push(...look.lines.map(({ text }) => text));
    if (!look.isMore) return { lines, looks };
  }
}

test('a look ends after a megabyte, whether a line ends in it or not', () => {
  const long = 'x'.repeat(3 * MEGABYTE);
  writeFileSync(file, `${long}\n`);
  expect(readAll(new FileTail(file, 0))).toEqual({ lines: [long], looks: 4 });
});

test('a line of more than 16 megabytes is empty, and the next one is whole', () => {
  writeFileSync(file, `${'x'.repeat(17 * MEGABYTE)}\nnext\n`);
  expect(readAll(new FileTail(file, 0)).lines).toEqual(['', 'next']);
});

test('a hole of terabytes takes some hundred looks, and what is appended is heard', () => {
  const tail = new FileTail(file, 0);
  writeFileSync(file, 'first\n');
  truncateSync(file, TERABYTE);
  const { lines, looks } = readAll(tail);
  expect({ lines, isQuick: looks < 300 }).toEqual({ lines: ['first'], isQuick: true });
  appendFileSync(file, '\nnext\n');
  expect(readAll(tail).lines).toEqual(['', 'next']);
});
