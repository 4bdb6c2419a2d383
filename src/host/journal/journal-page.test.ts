/** Compares protocol/journal.md with the code: its example can be read and written, and its tables are complete. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readJournal } from '../../../test/harness/read-journal.js';
import { JournalWriter } from './journal-writer.js';
import { HEADER_BYTES, KIND_NUMBERS } from './record-codec.js';
import { SEGMENT_HEADER_BYTES } from './segment.js';

const page = readFileSync(join(import.meta.dirname, '../../../protocol/journal.md'), 'utf8');
const dump = /```hex\n(.*?)```/s.exec(page)?.[1] ?? '';
const hex = dump.split('\n').map((line) => line.slice(6, 53).replaceAll(' ', ''));
const example = Buffer.from(hex.join(''), 'hex');
const FILE = '0000000000000000.journal';

let journals = '';
beforeEach(() => {
  journals = mkdtempSync(join(tmpdir(), 'orchd-page-'));
});
afterEach(() => rmSync(journals, { recursive: true, force: true }));

describe('the journal specification', () => {
  it('contains an example that the reader can read', () => {
    mkdirSync(join(journals, 'ses_x'));
    writeFileSync(join(journals, 'ses_x', FILE), example);
    const records = [...readJournal(journals, 'ses_x')];
    expect(records.map(({ kind }) => kind)).toEqual(['start', 'out', 'exit']);
    expect(records[1]).toMatchObject({ bytes: Uint8Array.from(Buffer.from('hi\r\n')) });
    const places = records.map(({ position }) => position);
    expect(page).toContain(`at positions ${places.join(', ').replace(/, (\d+)$/, ' and $1')}`);
    expect(page).toContain(`the journal ends at ${records.at(-1)?.end}.`);
  });

  it('contains the bytes that the writer writes', () => {
    const times = [0, 3, 4].map((ms) => Date.UTC(2026, 0, 1) + ms);
    const writer = new JournalWriter({ directory: join(journals, 'ses_x'), now: () => times.shift() ?? 0 });
    const command = ['/bin/echo', 'hi'];
    writer.append({ kind: 'start', sessionId: 'ses_7k3q9x2m4d', command, cwd: '/', pid: 42, cols: 80, rows: 24 });
    writer.append({ kind: 'out', bytes: Buffer.from('hi\r\n') });
    writer.append({ kind: 'exit', exitCode: 0, signal: null, leftOpen: false, escaped: [] });
    writer.close();
    expect(readFileSync(join(journals, 'ses_x', FILE)).toString('hex')).toBe(example.toString('hex'));
  });

  it('lists the same record kinds and header sizes as the code', () => {
    for (const [kind, number] of Object.entries(KIND_NUMBERS)) expect(page).toContain(`| ${kind} | ${number} |`);
    expect(page).toContain(`segment header: ${SEGMENT_HEADER_BYTES} bytes`);
    expect(page).toContain(`record: ${HEADER_BYTES} bytes and a payload`);
  });
});
