import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readJournal } from '../../../test/harness/read-journal.js';
import { openJournal } from './journal-reader.js';
import { JournalWriter } from './journal-writer.js';
import { addPassedOver, PASSED_OVER, PASSED_OVER_NOTE } from './passed-over.js';
import { HEADER_BYTES } from './record-codec.js';

let journals: string;
let writer: JournalWriter;
beforeEach(() => {
  journals = mkdtempSync(join(tmpdir(), 'orchd-passed-'));
  writer = new JournalWriter({ directory: join(journals, 's'), now: () => 1 });
});
afterEach(() => {
  writer.close();
  rmSync(journals, { recursive: true, force: true });
});

const print = (text: string) => {
  const buffer = Buffer.concat([Buffer.alloc(HEADER_BYTES), Buffer.from(text)]);
  return writer.appendOut(buffer, text.length);
};
const note = (from: number, to: number) =>
  writer.append({ kind: 'note', name: PASSED_OVER_NOTE, data: { from, to } }).position;
const read = () => {
  const damaged: unknown[] = [];
  const texts = [...readJournal(journals, 's', (damage) => damaged.push(damage))].map((record) =>
    record.kind === 'out' ? Buffer.from(record.bytes).toString() : record.kind,
  );
  return { texts, damaged };
};

test('skips the records of a slice whose note is in the journal, and reports one gap', () => {
  print('a');
  const first = print('b');
  const last = print('c');
  print('d');
  const at = writer.position;
  writer.append({ kind: 'tick', quietMs: 1 });
  addPassedOver(join(journals, 's'), { from: first.position, to: last.end, note: at });
  expect(read().texts).toEqual(['a', 'b', 'c', 'd', 'tick']); // there is no note yet
  note(first.position, last.end);
  const { texts, damaged } = read();
  expect(texts).toEqual(['a', 'd', 'tick', 'note']);
  expect(damaged).toEqual([{ from: first.position, to: last.end, detail: PASSED_OVER }]);
});

test('ignores a note with another range', () => {
  const { position, end } = print('a');
  addPassedOver(join(journals, 's'), { from: position, to: end, note: note(position, end + 1) });
  expect(read()).toEqual({ texts: ['a', 'note'], damaged: [] });
});

test('reads records that a session needs even within a slice', () => {
  const { position } = writer.append({ kind: 'resize', cols: 80, rows: 24 });
  print('a');
  const { end } = writer.append({ kind: 'exit', exitCode: 0, signal: null, leftOpen: false, escaped: [] });
  addPassedOver(join(journals, 's'), { from: position, to: end, note: note(position, end) });
  expect(read().texts).toEqual(['resize', 'exit', 'note']);
});

test('reads on after a slice at the end of the requested range', () => {
  const { position, end } = print('a');
  addPassedOver(join(journals, 's'), { from: position, to: end, note: note(position, end) });
  const reader = openJournal(journals, 's');
  expect(reader.read(end, () => {})).toMatchObject({ position: end, damaged: [{ from: position, to: end }] });
  expect(reader.read(Number.POSITIVE_INFINITY, () => {}).damaged).toEqual([]);
  reader.close();
});
