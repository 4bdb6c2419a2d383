import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JournalRecord } from '../contract.js';
import { cutJournal, type Range } from './cut-journal.js';
import { DROPPED, openJournal } from './journal-reader.js';
import { JournalWriter } from './journal-writer.js';
import { listSegments, snapshotAt } from './segment.js';

const SNAPSHOT = {
  kind: 'snapshot',
  version: 1,
  start: null,
  notes: [],
  hearing: { all: 'that was heard' },
  screen: { cols: 80, rows: 24, snapshot: 'x', isPlain: true, hasBracketedPaste: false, hasApplicationCursor: false },
} as const;
let journals: string;
let directory: string;
let writer: JournalWriter;

beforeEach(() => {
  journals = mkdtempSync(join(tmpdir(), 'orchd-cut-'));
  directory = join(journals, 's');
  writer = new JournalWriter({ directory, segmentBytes: 2000 });
});
afterEach(() => {
  writer.close();
  rmSync(journals, { recursive: true });
});

/**
 * Numbered lines of 100 bytes.
 * @returns The place of each.
 */
function print(count: number): { position: number; end: number }[] {
  const line = (n: number) => Buffer.from(`${n}`.padEnd(100 - 16, '.'));
  return Array.from({ length: count }, (_, n) => writer.append({ kind: 'out', bytes: line(n) }));
}

function readAll(from = 0) {
  const reader = openJournal(journals, 's', { from });
  const records: JournalRecord[] = [];
  const { damaged, position } = reader.read(Number.POSITIVE_INFINITY, (record) => {
    records.push(record.kind === 'out' ? { ...record, bytes: Uint8Array.from(record.bytes) } : record);
  });
  reader.close();
  return { records, damaged, position };
}
const numberOf = (record: JournalRecord): string =>
  record.kind === 'out' ? String(Number.parseInt(Buffer.from(record.bytes).toString(), 10)) : record.kind;
const cut = (at: number, kept: readonly Range[] = []): number =>
  cutJournal({ journals, sessionId: 's', at, time: 5, snapshot: SNAPSHOT, kept });

test('keeps the positions after the cut, writes a snapshot before it, and reports the gap', () => {
  const places = print(100);
  const at = places[49]?.end ?? 0;
  const before = readAll(at);
  expect(cut(at)).toBeGreaterThan(4000);
  const { records, damaged, position } = readAll();
  expect(records.slice(1)).toEqual(before.records);
  expect(records[0]).toMatchObject({ ...SNAPSHOT, end: at, time: 5 });
  expect(snapshotAt(directory)).toBe(records[0]?.position);
  expect(damaged).toEqual([{ from: 0, to: records[0]?.position, detail: DROPPED }]);
  expect(position).toBe(places.at(-1)?.end);
  expect(readAll(at).records).toEqual(before.records);
});

test('keeps needed ranges unchanged, with gaps around them', () => {
  const places = print(100);
  const kept = [places[10], places[11], places[30]].map((place) => ({
    from: (place?.position ?? 0) + 20,
    to: (place?.position ?? 0) + 50,
  }));
  expect(cut(places[69]?.end ?? 0, kept)).toBeGreaterThan(0);
  const { records, damaged } = readAll();
  expect(records.map(numberOf).slice(0, 5)).toEqual(['10', '11', '30', 'snapshot', '70']);
  expect(records[0]?.position).toBe(places[10]?.position);
  expect(damaged.map(({ detail }) => detail)).toEqual([DROPPED, DROPPED, DROPPED]);
  // Cut again, with less to keep.
  print(100);
  expect(cut(places[89]?.end ?? 0, kept.slice(2))).toBeGreaterThan(0);
  expect(readAll().records.map(numberOf).slice(0, 3)).toEqual(['30', 'snapshot', '90']);
});

test('cuts nothing without a gain, in the last segment, or if a needed range would be lost', () => {
  const places = print(100);
  const all = listSegments(directory);
  expect(cut(places[1]?.end ?? 0)).toBe(0);
  expect(cut(places.at(-1)?.end ?? 0)).toBe(0);
  const near = places[48] ?? { position: 0, end: 0 };
  expect(cut(places[49]?.end ?? 0, [{ from: near.position, to: near.end }])).toBe(0);
  expect(listSegments(directory)).toEqual(all);
  expect(readAll().damaged).toEqual([]);
});

test('the host continues the journal, and a session can be started again in it', () => {
  const places = print(100);
  cut(places[49]?.end ?? 0);
  print(30);
  writer.close();
  writer = new JournalWriter({ directory, segmentBytes: 2000, goesOn: true });
  print(1);
  const { records, damaged } = readAll();
  expect(records).toHaveLength(1 + 50 + 30 + 1);
  expect(damaged).toHaveLength(1);
});

test('a journal reads as before after an interrupted cut', () => {
  const places = print(100);
  const before = readAll();
  writeFileSync(join(directory, '0000000000001234.journal.new'), 'half');
  expect(readAll()).toEqual(before);
  expect(cut(places[49]?.end ?? 0)).toBeGreaterThan(0);
});
