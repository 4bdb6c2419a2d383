import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Finding } from '../../ears/index.js';
import { type JournalEntry, JournalWriter, openJournal } from '../../host/index.js';
import { createHearing, createScreenKeeper, type Hearing } from '../../session/index.js';
import type { SessionEntry } from '../registry/session-entry.js';
import { allowCut, BoundedJournal, journalBytes } from './bounded-journal.js';

const log = { info: () => {}, error: (_: string, error: unknown) => expect.fail(String(error)) };
const MAX_BYTES = 400_000;
const FENCE = '```';
const question = (n: number): string =>
  `${FENCE}orchestrator-message\r\n{"type":"QUESTION","data":{"question":"Number ${n}?"}}\r\n${FENCE}\r\n`;
let journals: string;
let writer: JournalWriter;

beforeEach(() => {
  journals = mkdtempSync(join(tmpdir(), 'orchd-bounded-'));
  let now = 0;
  writer = new JournalWriter({ directory: join(journals, 's'), segmentBytes: 30_000, now: () => ++now });
});
afterEach(() => {
  writer.close();
  rmSync(journals, { recursive: true });
});

const out = (text: string): JournalEntry => ({ kind: 'out', bytes: Buffer.from(text) });
const typed: JournalEntry = { kind: 'input', phase: 'keys', writeId: null, text: null, length: 3, submits: true };

/** The output of typical programs, in steps. */
const PROGRAMS: Readonly<Record<string, (n: number) => JournalEntry[]>> = {
  'a program that prints lines': (n) => [
    ...(n % 20 === 0 ? [out(question(n)), typed] : []),
    out(`${`line ${n} `.repeat(200)}\r\n`),
  ],
  'a program that stops within a message again and again': (n) => [
    out(`${`line ${n} `.repeat(150)}\r\n`),
    out(question(n).slice(0, 40)),
    out(question(n).slice(40)),
    typed,
  ],
  'a program that paints': (n) => [
    ...(n === 0 ? [out('\x1b[?1049h\x1b[2J')] : []),
    ...(n % 20 === 0
      ? [typed, out(`\x1b[?2026h\x1b[3;1H  {"type":"QUESTION","data":{"question":"Number ${n}?"}}\x1b[K\x1b[?2026l`)]
      : []),
    out(`\x1b[?2026h\x1b[20;1H${`${n} `.repeat(10).padEnd(1800, '\x1b[20;1H-')}\x1b[?2026l`),
  ],
};

/**
 * Reads the rest of the journal.
 * @returns Its findings after a position.
 */
function hear(hearing: Hearing, from: number): Finding[] {
  const reader = openJournal(journals, 's');
  const found: Finding[] = [];
  reader.read(Number.POSITIVE_INFINITY, (record) => {
    for (const finding of hearing.push(record)) if (finding.at > from) found.push(finding);
  });
  reader.close();
  return found;
}

describe.each(Object.entries(PROGRAMS))('%s', (_, printed) => {
  test('cuts the journal while the program prints, and finds the same messages after the cut', () => {
    const start = { kind: 'start', sessionId: 's', command: ['x'], cwd: '/', pid: 1, cols: 80, rows: 24 } as const;
    writer.append(start);
    writer.append({ kind: 'note', name: 'session', data: { name: 's', adapter: 'generic', bounded: true } });
    const hearing = createHearing();
    const keeper = createScreenKeeper({ dir: join(journals, 's'), cols: 80, rows: 24, scrollbackLines: 50 });
    const entry = {
      id: 's',
      start: { position: 0, time: 0 },
      view: {},
      aggregate: { items: [] },
    } as unknown as SessionEntry; // the fields that BoundedJournal reads
    const bounds = new BoundedJournal({ journals, entry, hearing, keeper, maxBytes: MAX_BYTES, log }, 0);
    const live: Finding[] = [];
    const plain = createHearing(); // knows nothing of cuts
    const whole: Finding[] = [];
    const reader = openJournal(journals, 's');
    for (let n = 0; n < 600; n++) {
      for (const step of printed(n)) writer.append(step);
      reader.read(writer.written, (record) => {
        keeper.take(record);
        whole.push(...plain.push(record));
        live.push(...hearing.push(record));
        bounds.make(record.end, record.time)?.();
      });
    }
    expect(writer.position).toBeGreaterThan(2 * MAX_BYTES);
    expect(journalBytes(join(journals, 's'))).toBeLessThan(MAX_BYTES);
    expect(live).toEqual(whole);
    const { snapshotEnd, beginsWith } = firstRecord();
    expect(beginsWith).toBe('snapshot');
    const after = hear(createHearing(), snapshotEnd);
    expect(after).toEqual(live.filter(({ at }) => at > snapshotEnd));
    expect(after.length).toBeGreaterThan(3);
    const shown = keeper.screen.look({});
    // The screen is restored without its snapshot file, too.
    rmSync(join(journals, 's', 'screen.json'));
    const again = createScreenKeeper({ dir: join(journals, 's'), cols: 10, rows: 5, scrollbackLines: 50 });
    const anew = openJournal(journals, 's');
    anew.read(Number.POSITIVE_INFINITY, (record) => again.take(record));
    expect(again.screen.look({})).toEqual(shown);
    for (const one of [again, keeper]) one.dispose();
    for (const one of [anew, reader]) one.close();
  });
});

function firstRecord() {
  const reader = openJournal(journals, 's');
  let [snapshotEnd, beginsWith] = [0, ''];
  reader.read(Number.POSITIVE_INFINITY, (record) => {
    [snapshotEnd, beginsWith] = [record.end, record.kind];
    return false;
  });
  reader.close();
  return { snapshotEnd, beginsWith };
}

test('keeps a journal of an earlier version whole until cutting it is allowed', () => {
  writer.append({ kind: 'start', sessionId: 's', command: ['x'], cwd: '/', pid: 1, cols: 80, rows: 24 });
  writer.append({ kind: 'note', name: 'session', data: { name: 's', adapter: 'generic' } });
  const hearing = createHearing();
  const keeper = createScreenKeeper({ dir: join(journals, 's'), cols: 80, rows: 24, scrollbackLines: 50 });
  // Only the fields that the code under test reads.
  const entry = {
    id: 's',
    start: { position: 0, time: 0 },
    view: {},
    aggregate: { items: [] },
  } as unknown as SessionEntry;
  const bounds = new BoundedJournal({ journals, entry, hearing, keeper, maxBytes: MAX_BYTES, log }, 0);
  const reader = openJournal(journals, 's');
  const print = (): void => {
    for (let n = 0; n < 300; n++) {
      writer.append(out(`${`line ${n} `.repeat(200)}\r\n`));
      reader.read(writer.written, (record) => {
        keeper.take(record);
        hearing.push(record);
        bounds.make(record.end, record.time)?.();
      });
    }
  };
  print();
  expect(journalBytes(join(journals, 's'))).toBeGreaterThan(writer.position);
  allowCut(journals, 's');
  print();
  expect(journalBytes(join(journals, 's'))).toBeLessThan(MAX_BYTES);
  keeper.dispose();
  reader.close();
});
